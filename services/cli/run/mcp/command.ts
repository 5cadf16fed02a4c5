// `warrant mcp add` and `mcp remove`: servers of MCP in the settings of a host, behind the proxy.
import { Option, type Command } from 'commander'
import { registerMcp } from '#cli/agents/mcp/command'
import { examples, pairs, running, withSigner } from '#cli/terminal/opening/options'
import { mcpHosts, usualMcpHost } from './mcp-hosts.ts'

/** The commands of the proxy, and those that set it up. */
export function registerMcpDoor(program: Command): void {
  const mcp = registerMcp(program)
  const add = withHost(
    withSigner(
      mcp
        .command('add')
        .description('put a server behind the proxy: its tools in the catalog, it in the settings')
        .argument('<name>', 'its name in the settings of the host')
        .argument(
          '[command...]',
          'the program that is the server, after `--` (else as it is there)',
        )
        .option('--agent <id>', 'whose intents its calls are (else `my-agent`, or the only agent)')
        .option('--class <tool=class>', 'the class of one tool; repeat for more', pairs),
    ),
  ).action(running(async () => (await import('./add.ts')).mcpAdd))
  examples(add, [
    'warrant mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/files',
    'warrant mcp add files --class move_file=WRITE -- npx -y @acme/files',
    'warrant mcp add crm --for vscode',
    '',
    'It shows the tools by class, and signs once you agree to them. Run again after a server has',
    'changed its tools, it shows what is different: until then those are refused.',
  ])
  const remove = withHost(
    mcp
      .command('remove')
      .description('take a server out of the settings of a host, or from behind the proxy')
      .argument('<name>', 'its name in the settings')
      .option('--unwrap', 'leave the server itself there, without the proxy before it'),
  ).action(running(async () => (await import('./add.ts')).mcpRemove))
  examples(remove, ['warrant mcp remove files', 'warrant mcp remove files --unwrap'])
}

function withHost(command: Command): Command {
  const host = new Option('--for <host>', 'whose settings').default(usualMcpHost)
  return command.addOption(host.choices(mcpHosts.map(({ name }) => name)))
}
