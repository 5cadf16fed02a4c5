// `warrant mcp`: stands before a server of tools, lists its tools for an import, and answers people
// who ask the log.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { ValueKind } from '#schemas/values'
import { listenArgument } from '#cli/terminal/opening/listen'
import { examples, positiveNumber, running, seconds, several } from '#cli/terminal/opening/options'
import type { McpDoorOptions } from './run.ts'

/** The command, for those that set it up. */
export function registerMcp(program: Command): Command {
  const command = withBehind(
    program.command('mcp').description('stand before an MCP server, and judge each call of a tool'),
  )
    .option('--as <agent>', 'whose intents the calls are (else the only agent of the catalog)')
    .option('--key <file>', 'the private key of the agent, if the catalog binds one to it')
    .option('--session <id>', 'the session that the calls belong to')
    .option(
      '--listen <host:port>',
      'serve HTTP there instead of the pipes; a port alone is local',
      listenArgument,
    )
    .option('--wait <seconds>', 'how long a call waits for people (0)', seconds)
    .option('--review-url <url>', 'where people decide; {intent} stands for the intent')
    .option(
      '--shortlist <n>',
      'list at most so many tools, by the goal; others may be called all the same',
      positiveNumber,
    )
    .option('--goal <text>', 'the goal of clients that state none, for --shortlist')
    .option('--observe', 'record what would be decided, enforce nothing and ask no one')
    .option('--evidence-as <principal>', 'publish what tools answered as evidence, in this name')
    .option('--evidence-key <file>', 'the key of that principal, a file or a name')
    .action(async (words: readonly string[], _options: unknown, called: Command) => {
      const options = called.optsWithGlobals<McpDoorOptions>()
      process.exitCode =
        options.observe === true
          ? await (await import('./observe.ts')).mcpObserve(words, options)
          : await (await import('./run.ts')).mcpCommand(words, options)
    })
  examples(command, [
    'warrant mcp -- npx -y @modelcontextprotocol/server-filesystem /srv/files',
    "warrant mcp --url https://mcp.example.com/mcp --header 'Authorization=Bearer ${secret:CRM}'",
    'warrant mcp --as coder --url http://127.0.0.1:3000/mcp --private',
    'warrant mcp --server files --listen 7718',
    'warrant mcp --observe -- npx -y @modelcontextprotocol/server-filesystem /srv/files',
    '',
    'Messages of MCP are on standard input and output, all else on standard error.',
  ])
  registerTools(command)
  registerServe(command)
  return command
}

/** Which server is behind. */
function withBehind(command: Command): Command {
  return command
    .argument('[command...]', 'the program that is the server, after `--`')
    .option('--url <url>', 'the address of the server, where it is not a program')
    .option(
      '--header <name=value>',
      'sent to --url, with `${secret:NAME}` for a secret; repeat for more',
      several,
    )
    .option('--private', 'the address of --url is of this machine, or of its own network')
    .option('--server <id>', 'the server of the catalog that it is, or that is to be started')
}

function registerTools(mcp: Command): void {
  const command = withBehind(
    mcp.command('tools').description('print what the server lists as its tools, for an import'),
  ).action(running(async () => (await import('./list-tools.ts')).mcpTools))
  examples(command, [
    'warrant mcp tools -- npx -y @modelcontextprotocol/server-memory > tools.json',
    'warrant catalog import tools.json --into warrant',
  ])
}

function registerServe(mcp: Command): void {
  const command = mcp
    .command('serve')
    .description('answer what auditors ask of the log in words: an MCP server that only reads')
    .option('--listen <host:port>', 'serve HTTP there, on this machine alone', listenArgument)
    .option('--tokens <file>', 'the logins of callers over HTTP (else beside a log in a file)')
    .addOption(
      new Option('--reveal <kind>', 'show such values, which are redacted else; may be repeated')
        .choices(ValueKind.options)
        .argParser(kinds),
    )
    .option('--time <seconds>', 'how long one call may take (30)', seconds)
    .action(running(async () => (await import('./serve.ts')).mcpServe))
  examples(command, [
    'warrant mcp serve --log .warrant/log.db',
    'warrant mcp serve --listen 7719 --reveal email',
    '',
    'Nothing can be appended through it. Over pipes, who may start it may read the log; over HTTP',
    'the token must be of a principal that decides for others, or has the door `audit`.',
  ])
}

function kinds(text: string, before: readonly string[] = []): readonly string[] {
  const found = ValueKind.safeParse(text)
  if (found.success) return several(found.data, before)
  throw new InvalidArgumentError(`It is one of ${ValueKind.options.join(', ')}.`)
}
