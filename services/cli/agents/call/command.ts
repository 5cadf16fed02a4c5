// `warrant call`, which has a tool carried out, `expand`, which shows more of what came back, and
// `settle`, by which a person says what became of a call.
import { Option, type Command } from 'commander'
import { frameModes } from '#firewall/frame'
import { withRequest } from '../ask/request-options.ts'
import {
  examples,
  pairs,
  running,
  seconds,
  several,
  wholeNumber,
  withSigner,
} from '#cli/terminal/opening/options'

export function registerCall(program: Command): void {
  registerCalling(program)
  registerExpand(program)
  registerSettle(program)
}

function registerCalling(program: Command): void {
  const command = withRequest(
    program.command('call').description('ask, and have the tool carried out if it is allowed'),
  )
    .option('--intent <id>', 'carry out what was asked before, and nothing else')
    .addOption(
      new Option('--mode <how>', 'how much of the result is shown (else summary)').choices([
        ...frameModes,
      ]),
    )
    .option('--dry-run', 'show what it would do; the warrant stays good')
    .option('--wait <seconds>', 'how long to wait for the verdict, for people too', seconds)
    .option('--key <file>', 'the private key of the agent, if the catalog binds one to it')
    .action(running(async () => (await import('./run.ts')).callCommand))
  examples(command, [
    'warrant call find_orders --arg customer=17 --mode table',
    'warrant call --intent 7QK2M0XA',
    'warrant call find_orders --arg customer=17 --dry-run',
    '',
    'Exit code 0 if it was carried out, 3 if it was denied, 4 if there is no verdict yet.',
  ])
}

function registerExpand(program: Command): void {
  const command = program
    .command('expand')
    .description('show more of a result, by the handle of its frame')
    .argument('<handle>', 'the handle')
    .option('--agent <id>', 'whose result it is (else the only agent of the catalog)')
    .option('--offset <rows>', 'how many rows are left out', wholeNumber)
    .option('--limit <rows>', 'how many rows are shown', wholeNumber)
    .option('--field <name>', 'a field to show; may be given several times', several)
    .option('--filter <key=value>', 'show the rows where it is equal', pairs)
    .action(running(async () => (await import('./run.ts')).expandCommand))
  examples(command, ['warrant expand res_x1y2 --offset 20 --limit 10 --field name'])
}

function registerSettle(program: Command): void {
  const command = withSigner(
    program
      .command('settle')
      .description('say whether a call was done of which no one knows')
      .argument('<intent>', 'intent ID, or its last characters')
      .addOption(
        new Option('--happened <answer>', 'whether it was done')
          .choices(['yes', 'no'])
          .makeOptionMandatory(),
      )
      .option('--note <text>', 'how that is known, for anyone who reads the log'),
  ).action(running(async () => (await import('./run.ts')).settleCommand))
  examples(command, ['warrant settle 7QK2M0XA --happened no --note "the bank shows no payment"'])
}
