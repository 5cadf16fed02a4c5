// `warrant approve` and `warrant decline`: a person's signed answer to a review.
import { InvalidArgumentError, type Command } from 'commander'
import { spanOption } from '#cli/terminal/moment-option'
import { examples, positiveNumber, several, withSigner } from '#cli/terminal/opening/options'
import type { AnswerOptions } from './options.ts'

export function registerAnswers(program: Command): void {
  const approve = withGrant(answering(program, 'approve', 'approve an intent that waits'))
  examples(approve, [
    'warrant approve 7QK2M0XA --note "Ann called, it is fine"',
    'warrant approve 7QK2M0XA --as olga --key ~/olga.pem',
    'warrant approve 7QK2M0XA --answers yes,no',
    'warrant approve 7QK2M0XA 9C1N4TRB 3V8EKX5D',
    'warrant approve 7QK2M0XA --routine',
    'warrant approve 7QK2M0XA --routine --prefix "npx vitest run"',
    "warrant approve 7QK2M0XA --also 'args.amount <= 100' --uses 20 --for 7d",
    'warrant approve 7QK2M0XA --also \'args.to.endsWith("@example.org")\' --uses 50 --for 24h',
    '',
    'Of several each is shown, and they are answered together: where the catalog limits a person’s',
    'answers a day, a yes beyond them counts in no other way.',
    '',
    '--also signs a grant beside the answer: later calls of the same tool for which the',
    'condition holds are allowed without a review. It is shown before it is signed, with what',
    'it would have let through in the last 30 days. `warrant grants` lists what is left.',
    '',
    '--routine says which calls by itself: those that read, or write in the project, where this',
    'one does no more; else this very command again, or with --prefix those that begin so and go',
    'on with options and paths below the folder. What deletes, sends, reads secrets or is not',
    'known is asked about each time.',
  ])
  const decline = answering(program, 'decline', 'decline an intent that waits')
  examples(decline, ['warrant decline 7QK2M0XA --note "not before Monday"'])
}

function answering(program: Command, name: 'approve' | 'decline', description: string): Command {
  return withSigner(
    program
      .command(name)
      .description(description)
      .argument('<intents...>', 'intent ID, or its last characters; several are answered together')
      .option('--note <text>', 'why; needed where a reason is what is asked for')
      .option('--whole', 'show all of what the call would write, not the excerpt alone')
      .option('--in-place-of <principal>', 'as the deputy of this person, who is away')
      .option('--answers <yes,no>', 'an answer to each question, in their order', answers),
  ).action(async (intents: readonly string[], _options: unknown, called: Command) => {
    const options = { ...called.optsWithGlobals<AnswerOptions>(), agrees: name === 'approve' }
    const [intent = '', ...others] = intents
    if (others.length > 0) {
      const { answerTogether } = await import('./run.ts')
      process.exitCode = await answerTogether(intents, options)
      return
    }
    const { answer } = await import('./run.ts')
    process.exitCode = await answer(intent, options)
  })
}

/** For later calls, too. */
function withGrant(command: Command): Command {
  return command
    .option('--also <condition>', 'and later calls for which this holds, in CEL')
    .option('--routine', 'and later calls like it, of a coding agent: 1 000 of them for 30 days')
    .option('--prefix <words>', 'with --routine: commands that begin so, not this very one alone')
    .option('--uses <count>', 'with one of these: for so many calls', positiveNumber)
    .option('--for <time>', 'with one of these: for so long, such as 90m, 24h or 7d', spanOption)
    .option('--budget <decimal>', 'with one of these: the calls may come to so much together')
    .option('--budget-of <expression>', 'what --budget adds up, in CEL, such as `args.amount`')
    .option('--agent <id>', 'with one of these: of this agent; may be given several times', several)
    .option('--per-cell', 'with one of these: each cell of the realm has all of it')
}

function answers(text: string): readonly boolean[] {
  return text.split(',').map((word) => {
    const plain = word.trim().toLowerCase()
    if (plain === 'yes') return true
    if (plain === 'no') return false
    throw new InvalidArgumentError('Expected yes and no, with commas between.')
  })
}
