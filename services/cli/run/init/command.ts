// `warrant init`: a log, a key, and a small seed for a tool of one's own.
import type { Command } from 'commander'
import { examples } from '#cli/terminal/opening/options'
import type { InitOptions } from './run.ts'

export function registerInit(program: Command): void {
  const command = program
    .command('init')
    .description('create a log, your key, and a seed folder for a tool of your own')
    .argument('[folder]', 'where to create them', '.')
    .option('--tool <name>', 'the tool that your agent uses', 'send_email')
    .option('--as <name>', 'who you are in the log (asked; else git’s name of you, or the account)')
    .action(async (folder: string, _options: unknown, called: Command) => {
      const { init } = await import('./run.ts')
      process.exitCode = await init(folder, called.optsWithGlobals<InitOptions>())
    })
  examples(command, [
    'warrant init',
    'warrant init --as ann --tool refund_order',
    'warrant init my-project',
  ])
}
