// `warrant delegate`, which lets an agent act for another, and `warrant undelegate`, which ends it.
import type { Command } from 'commander'
import { spanOption } from '#cli/terminal/moment-option'
import { examples, running, several, wholeNumber } from '#cli/terminal/opening/options'

export function registerDelegate(program: Command): void {
  const delegate = program
    .command('delegate')
    .description('let an agent act for another, within limits and for a time')
    .argument('<child>', 'who may act')
    .requiredOption('--as <principal>', 'who lets it act')
    .requiredOption('--session <id>', 'the session in which both are')
    .requiredOption('--tool <id>', 'for what; may be given several times', several)
    .requiredOption('--for <time>', 'for so long, such as 90m, 24h or 7d', spanOption)
    .option('--max-rows <n>', 'at most so many rows', wholeNumber)
    .option('--fields <names>', 'only these fields, with commas between')
    .option('--when <condition>', 'a condition in CEL that each call must meet')
    .option('--parent <name>', 'hand on what was delegated under this name')
    .option('--key <file>', 'the private key of who lets it act, if the catalog binds one to it')
    .action(running(async () => (await import('./run.ts')).delegateCommand))
  examples(delegate, [
    'warrant delegate reader --as planner --session S-1 --tool search --for 1h',
    'warrant ask search --agent reader --session S-1 --delegation NAME',
    '',
    'The call is then judged by the rights of both, and leaving the name out gives the agent no',
    'more than its own.',
  ])
  const undelegate = program
    .command('undelegate')
    .description('take back what was delegated, for what is decided from now on')
    .argument('<name>', 'the name that `warrant delegate` printed')
    .option('--why <text>', 'why, for anyone who reads the log')
    .option('--key <file>', 'the private key of who delegated it, if the catalog binds one to it')
    .action(running(async () => (await import('./run.ts')).undelegateCommand))
  examples(undelegate, ['warrant undelegate main.1.vlp.planner.S-1.01JQ2Z --why "it is done"'])
}
