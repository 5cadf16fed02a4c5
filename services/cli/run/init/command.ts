// `warrant init`: a log, a key, and a small seed for a tool of one's own.
import { Option, type Command } from 'commander'
import { hosts } from '#shell/hooks/hosts/hosts'
import { examples, running } from '#cli/terminal/opening/options'

/** By which agents come to ask. */
const doors = [...hosts.map(({ name }) => name), 'mcp', 'http', 'node', 'python']

export function registerInit(program: Command): void {
  const command = program
    .command('init')
    .description('create a log, your key, and a seed folder for a tool of your own')
    .argument('[folder]', 'where to create them', '.')
    .option('--tool <name>', 'the tool that your agent uses', 'send_email')
    .option('--as <name>', 'who you are in the log (asked; else git’s name of you, or the account)')
    .addOption(
      new Option(
        '--for <door>',
        'set that up too, so that it works; also on a log that is here',
      ).choices(doors),
    )
    .option('--undo', 'take back what --for made: hooks, logins, an unchanged program')
    .option('--key <file>', 'on a log that is here: the key to sign with, a file or a name')
    .option('--yes', 'on a log that is here: sign without asking at the terminal; takes --key too')
    .action(running(async () => (await import('./run.ts')).init))
  examples(command, [
    'warrant init',
    'warrant init --as ann --tool refund_order',
    'warrant init my-project',
    'warrant init --for claude-code',
    'warrant init --for node --tool refund_order',
    'warrant init --for claude-code --undo',
  ])
}
