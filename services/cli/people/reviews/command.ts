// `warrant reviews`: the open reviews, which wait for people.
import type { Command } from 'commander'
import { askedCommand, runAsked, withAsked } from '#cli/terminal/asked/command'
import type { AskedOptions } from '#cli/terminal/asked/run'
import { examples } from '#cli/terminal/opening/options'
import type { ReviewsOptions } from './run.ts'

export function registerReviews(program: Command): void {
  const command = program
    .command('reviews')
    .summary('list open reviews, with what is needed to decide')
    .description('list open reviews; or show one, with all that is needed to decide it')
    .argument('[intent]', 'what was asked for, or the last characters of that')
  withAsked(command, 'reviews')
    .option('-f, --follow', 'keep printing new reviews as they open')
    .option('--past', 'those that have ended, latest first')
    .option('--mine', 'only those that you may answer, with the keys that are here')
    .option('--whole', 'with all of what a call would write, to those who may answer')
    .option('--csv', 'print rows for a spreadsheet')
    .option('--exec <command>', 'run it for each review, with the review as JSON on its input')
    .option('--webhook <url>', 'post each review there as JSON')
    .option('--webhook-secret <file>', 'sign each post with the secret in this file')
    .action(async (meant: string | undefined, _options: unknown, called: Command) => {
      if (meant !== undefined) {
        const { oneReview } = await import('./one.ts')
        process.exitCode = await oneReview(meant, called.optsWithGlobals<AskedOptions>())
        return
      }
      if (called.opts<{ readonly past?: true }>().past === true) {
        return runAsked({ list: 'pastReviews' }, undefined, called)
      }
      const { reviews } = await import('./run.ts')
      process.exitCode = await reviews(called.optsWithGlobals<ReviewsOptions>())
    })
  askedCommand(command, { list: 'review' })
  examples(command, [
    'warrant reviews',
    'warrant reviews 7QK2M0XA',
    'warrant reviews --past --person olga',
    'warrant reviews --mine',
    'warrant reviews --follow --exec \'mail -s "$WARRANT_INTENT" me@example.com\'',
    'warrant reviews --csv > pending.csv',
    'warrant reviews --person olga',
    'warrant reviews --json | jq .rows[].review.terms',
    'warrant reviews --follow --webhook https://example.com/x --webhook-secret ~/hook.secret',
    '',
    'Below the reviews are calls that people approved and that were not begun.',
    'A post that fails is tried again, up to 5 times in all. It is signed as Standard Webhooks has',
    'it (webhook-id, webhook-timestamp, webhook-signature). Exit code 1 if one was not notified.',
    'The command gets WARRANT_INTENT, WARRANT_REVIEW and WARRANT_LOG in its environment. It is run',
    'again for what is still open when it is followed again.',
  ])
}
