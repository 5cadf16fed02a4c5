// `warrant ask`: publishes an intent and prints what becomes of it.
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Subject } from '#schemas/intent'
import { examples, seconds } from '#cli/terminal/opening/options'
import type { AskCommandOptions, OfferFix } from './answer.ts'
import { withRequest } from './request-options.ts'

/** `offer` shows a change and asks for a signature. */
export function registerAsk(program: Command, offer: OfferFix): void {
  const command = withRequest(
    program.command('ask').description('ask whether an agent may use a tool'),
  )
    .addOption(
      new Option('--on-gap <what>', 'whether it may wait for learning').choices(['deny', 'learn']),
    )
    .option('--distinct', 'ask again, though an equal intent is open')
    .option('--observe', 'decide and record it, but do not enforce it')
    .option(
      '--subject <type:id>',
      'only ask whether that one might, as `evaluates` of the agent lets it; nothing is permitted',
      subjectGiven,
    )
    .option(
      '--wait <seconds>',
      'how long to wait, for people too (else 60, and not for people)',
      seconds,
    )
    .option('--fix', 'if it is denied, offer the change that would let it, to sign at the terminal')
    .option('--key <file>', 'the private key of the agent, if the catalog binds one to it')
    .addOption(
      new Option(
        '--reads <what>',
        'read the log, or only what is the agent’s own (else as the server lets it)',
      ).choices(['all', 'own']),
    )
    .action(async (tool: string | undefined, _options: unknown, called: Command) => {
      const { askCommand } = await import('./run.ts')
      const options = called.optsWithGlobals<AskCommandOptions>()
      process.exitCode = await askCommand(tool, options, offer)
    })
  examples(command, [
    'warrant ask send_email --arg to=ann@example.com --justification "Ann asked for her invoice"',
    'warrant ask refund --args \'{"order":17,"amount":40}\' --wait 300',
    'warrant ask --file intent.json --json',
    'warrant ask delete_customer --arg id=17 --fix',
    'warrant ask record.read --agent gate --subject user:ann',
    '',
    'Exit code 0 for yes, 3 for no, 4 if there is no verdict yet.',
  ])
}

function subjectGiven(text: string): Subject {
  const at = text.indexOf(':')
  if (at < 1 || at === text.length - 1) {
    throw new InvalidArgumentError('Expected a type and an id, such as user:ann.')
  }
  return { type: text.slice(0, at), id: text.slice(at + 1) }
}
