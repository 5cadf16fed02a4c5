// `warrant hand-over`, `absence` and `note`: what people say beside their answers.
import type { Command } from 'commander'
import { spanOption } from '#cli/terminal/moment-option'
import { examples, positiveNumber, running, withSigner } from '#cli/terminal/opening/options'

export function registerPeople(program: Command): void {
  const over = withSigner(
    program
      .command('hand-over')
      .description('ask another who may answer a review to look at it')
      .argument('<intent>', 'intent ID, or its last characters')
      .requiredOption('--to <principal>', 'who is to look')
      .option('--note <text>', 'why'),
  ).action(running(async () => (await import('./run.ts')).handOverMeant))
  examples(over, [
    'warrant hand-over 7QK2M0XA --to quin --note "you know them"',
    '',
    'It gives no right: both may answer before and after it.',
  ])
  const absence = withSigner(
    program
      .command('absence')
      .description('say that you are away, and who may answer for you meanwhile')
      .option('--deputy <principal>', 'who may answer')
      .option('--for <time>', 'for so long, such as 24h or 14d', spanOption)
      .option('--back', 'say that you are back')
      .option('--note <text>', 'why'),
  ).action(running(async () => (await import('./run.ts')).absent))
  examples(absence, [
    'warrant absence --deputy quin --for 14d',
    'warrant absence --back',
    '',
    'A deputy answers with `warrant approve --in-place-of`, where the confirmation of the review',
    'has `deputies`, and never for an agent of their own side.',
  ])
  const noting = withSigner(
    program
      .command('note')
      .description('note something about an intent or a position of the log')
      .argument('<text>', 'at most 4000 characters')
      .option('--intent <intent>', 'intent ID, or its last characters')
      .option('--position <number>', 'a position of the log', positiveNumber),
  ).action(running(async () => (await import('./run.ts')).noted))
  examples(noting, [
    'warrant note "looked at with Ann, it is fine" --intent 7QK2M0XA',
    'warrant note "the backup was restored here" --position 1042',
    '',
    'It is signed. No rule reads it; `warrant trace` and the console show it.',
  ])
}
