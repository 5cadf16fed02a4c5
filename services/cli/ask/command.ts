// `warrant ask`: publishes an intent and prints what becomes of it.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { examples, jsonObject, pairs, seconds, several } from '../opening/options.ts'
import type { AskCommandOptions } from './answer.ts'

export function registerAsk(program: Command): void {
  const command = program
    .command('ask')
    .description('ask whether an agent may use a tool')
    .argument('[tool]', 'the capability that the agent means to use')
    .option('--agent <id>', 'who asks (else the only agent of the catalog)')
    .option('--args <json>', 'the arguments as a JSON object', jsonObject)
    .option('--arg <key=value>', 'one argument; a value that is JSON is taken as that', pairs)
    .option('--goal <text>', 'what it is for')
    .option('--justification <text>', 'why it should run')
    .option('--concept <name>', 'a further concept that must be known', several)
    .option('--session <id>', 'the session that it belongs to')
    .addOption(
      new Option('--cardinality <how>', 'whether it affects a single item or several').choices([
        'single',
        'multiple',
      ]),
    )
    .option('--min-depth <level>', 'how deeply the concepts must be known, 0 to 4', level)
    .option('--constraint <key=value>', 'a constraint that it accepts', pairs)
    .option('--scope <key=value>', 'what it is limited to', pairs)
    .addOption(
      new Option('--on-gap <what>', 'whether it may wait for learning').choices(['deny', 'learn']),
    )
    .option('--observe', 'decide and record it, but do not enforce it')
    .option(
      '--wait <seconds>',
      'how long to wait, for people too (else 60, and not for people)',
      seconds,
    )
    .option('--key <file>', 'the private key of the agent, if the catalog binds one to it')
    .addOption(
      new Option(
        '--reads <what>',
        'read the log, or only what is the agent’s own (else as the server lets it)',
      ).choices(['all', 'own']),
    )
    .option('--file <file>', 'the intent as JSON, `-` for standard input; options add to it')
    .action(async (tool: string | undefined, _options: unknown, called: Command) => {
      const { askCommand } = await import('./run.ts')
      process.exitCode = await askCommand(tool, called.optsWithGlobals<AskCommandOptions>())
    })
  examples(command, [
    'warrant ask send_email --arg to=ann@example.com --justification "Ann asked for her invoice"',
    'warrant ask refund --args \'{"order":17,"amount":40}\' --wait 300',
    'warrant ask --file intent.json --json',
    '',
    'Exit code 0 for yes, 3 for no, 4 if there is no verdict yet.',
  ])
}

function level(text: string): number {
  if (/^[0-4]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a level from 0 to 4.')
}
