// `warrant log`: the facts in order, the intents that are still open, or the eras; turning one, and
// keeping what they come to.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { VlpIssueCode } from '#schemas/vlp'
import { examples, positiveNumber, wholeNumber, withSigner } from '../opening/options.ts'
import type { RotateCommandOptions } from './rotate.ts'
import type { SnapshotOptions } from './snapshot.ts'
import type { LogOptions } from './run.ts'

export function registerLog(program: Command): void {
  const command = program
    .command('log')
    .description('print the facts of the log, one per line')
    .option('--name <pattern>', 'only names that it covers, without realm and era: `verdict.>`')
    .option('--from <position>', 'from there on; -20 means the last 20', startOf)
    .option('--to <position>', 'up to there', wholeNumber)
    .option('--limit <count>', 'at most so many', positiveNumber)
    .addOption(
      new Option('--issue <code>', 'only groundings of messages with that VLP issue').choices(
        VlpIssueCode.options,
      ),
    )
    .option('--follow', 'go on with new ones as they come')
    .option('--open', 'list the intents without a verdict instead, and whom they wait for')
    .option('--eras', 'list the eras instead: from where to where each goes')
    .option('--void', 'list the facts that count for nothing instead, and why')
    .action(async (_options: unknown, called: Command) => {
      const { log } = await import('./run.ts')
      process.exitCode = await log(called.optsWithGlobals<LogOptions>())
    })
  examples(command, [
    'warrant log --from -20',
    'warrant log --name "verdict.my-agent.>" --follow',
    'warrant log --json | jq -c "select(.name | contains(\\".verdict.\\")) | .fact.data.outcome"',
    'warrant log --issue seq_gap',
    'warrant log --open',
    'warrant log --eras',
    'warrant log --void --name "vlp.>"',
  ])
  registerRotate(command)
  registerSnapshot(command)
}

function registerRotate(log: Command): void {
  const command = withSigner(
    log
      .command('rotate')
      .description('seal the present era, and open the next with what is so now')
      .option(
        '--reset-clock',
        'begin the next by this clock, where a wrong one stamped facts later than it says',
      ),
  ).action(async (_options: unknown, called: Command) => {
    const { rotateLog } = await import('./rotate.ts')
    process.exitCode = await rotateLog(called.optsWithGlobals<RotateCommandOptions>())
  })
  examples(command, [
    'warrant log rotate',
    'warrant log rotate --as root --key root.pem',
    'warrant log rotate --reset-clock',
    '',
    'It needs the key of a policy admin. Anyone who is stopped in the middle runs it again.',
  ])
}

function registerSnapshot(log: Command): void {
  const command = log
    .command('snapshot')
    .description('keep what the log comes to, so that the next start need not fold all of it')
    .option('--check', 'fold the log without it instead, and compare (exit 5 when it differs)')
    .option('--remove', 'remove the snapshots of this realm instead')
    .action(async (_options: unknown, called: Command) => {
      const { snapshotLog } = await import('./snapshot.ts')
      process.exitCode = await snapshotLog(called.optsWithGlobals<SnapshotOptions>())
    })
  examples(command, [
    'warrant log snapshot',
    'warrant log snapshot --check',
    'warrant log snapshot --remove',
    '',
    'A process that follows a log long enough writes them automatically. They prove nothing.',
  ])
}

function startOf(text: string): number {
  if (text.startsWith('-')) return -positiveNumber(text.slice(1))
  const position = wholeNumber(text)
  if (position === 0) throw new InvalidArgumentError('Positions begin with 1.')
  return position
}
