// `warrant approve` and `warrant decline`: a person's signed answer to a review.
import { InvalidArgumentError, type Command } from 'commander'
import { examples, withSigner } from '../opening/options.ts'
import type { AnswerOptions } from './run.ts'

export function registerAnswers(program: Command): void {
  const approve = answering(program, 'approve', 'approve a pending request')
  examples(approve, [
    'warrant approve 7QK2M0XA --note "Ann called, it is fine"',
    'warrant approve 7QK2M0XA --as olga --key ~/olga.pem',
    'warrant approve 7QK2M0XA --answers yes,no',
  ])
  const decline = answering(program, 'decline', 'decline a pending request')
  examples(decline, ['warrant decline 7QK2M0XA --note "not before Monday"'])
}

function answering(program: Command, name: 'approve' | 'decline', description: string): Command {
  return withSigner(
    program
      .command(name)
      .description(description)
      .argument('<intent>', 'intent ID, or its last characters')
      .option('--note <text>', 'why; needed where a reason is what is asked for')
      .option('--answers <yes,no>', 'an answer to each question, in their order', answers),
  ).action(async (intent: string, _options: unknown, called: Command) => {
    const { answer } = await import('./run.ts')
    const options = called.optsWithGlobals<AnswerOptions>()
    process.exitCode = await answer(intent, { ...options, agrees: name === 'approve' })
  })
}

function answers(text: string): readonly boolean[] {
  return text.split(',').map((word) => {
    const plain = word.trim().toLowerCase()
    if (plain === 'yes') return true
    if (plain === 'no') return false
    throw new InvalidArgumentError('Expected yes and no, with commas between.')
  })
}
