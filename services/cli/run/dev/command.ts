// `warrant dev`: all that one person needs on one machine, in one process.
import type { Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'
import { listenArgument } from '#cli/terminal/opening/listen'

export function registerDev(program: Command): void {
  const command = program
    .command('dev')
    .description('try it alone on this machine: log, stages, HTTP, console, each decision live')
    .argument('[folder]', 'where the log is, or is created', '.')
    .option('--tool <name>', 'the tool that your agent uses, in a new seed folder', 'send_email')
    .option(
      '--as <name>',
      'who you are in a new log (asked; else git’s name of you, or the account)',
    )
    .option('--fresh', 'put the log of before aside, and begin another')
    .option('--hooks', 'with a new log: what hooks of coding agents need, and its defaults')
    .option('--http <port>', 'where agents ask over HTTP (7718), on this machine', listenArgument)
    .option('--console <port>', 'where the page is (7719), on this machine', listenArgument)
    .action(running(async () => (await import('./run.ts')).dev))
  examples(command, [
    'warrant dev',
    'warrant dev --tool refund_order',
    'warrant dev --fresh --hooks',
    '',
    'At a terminal the keys `a` and `d` approve and decline the review that was shown last. `r`',
    'approves it with later calls like it, where a line below it offers that. The key of such a',
    'log signs nowhere else, and `warrant up --production` refuses the log.',
  ])
}
