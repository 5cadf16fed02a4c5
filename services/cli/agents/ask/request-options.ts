// The options that say what is asked: of `ask`, which publishes it, and of `explain`, which does
// not.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { jsonObject, pairs, several } from '#cli/terminal/opening/options'

export function withRequest(command: Command): Command {
  return command
    .argument('[tool]', 'the tool that the agent means to use')
    .option('--agent <id>', 'who asks (else the only agent of the catalog)')
    .option('--args <json>', 'the arguments as a JSON object', jsonObject)
    .option(
      '--arg <key=value>',
      `one argument; a value that is JSON is taken as that, so the text 7 is key='"7"'`,
      pairs,
    )
    .option('--goal <text>', 'what it is for')
    .option('--justification <text>', 'why it should run')
    .option('--concept <name>', 'a further concept that must be known', several)
    .option('--session <id>', 'the session that it belongs to')
    .option('--delegation <name>', 'for whom it acts: the name of what was delegated to it')
    .addOption(
      new Option('--cardinality <how>', 'whether it affects a single item or several').choices([
        'single',
        'multiple',
      ]),
    )
    .option('--min-depth <level>', 'how deeply the concepts must be known, 0 to 4', level)
    .option('--constraint <key=value>', 'a constraint that it accepts', pairs)
    .option('--scope <key=value>', 'what it is limited to', pairs)
    .option('--file <file>', 'the intent as JSON, `-` for standard input; options add to it')
}

function level(text: string): number {
  if (/^[0-4]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a level from 0 to 4.')
}
