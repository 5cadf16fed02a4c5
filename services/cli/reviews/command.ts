// `warrant reviews`: the open reviews, which wait for people.
import type { Command } from 'commander'
import { examples } from '../opening/options.ts'
import type { ReviewsOptions } from './run.ts'

export function registerReviews(program: Command): void {
  const command = program
    .command('reviews')
    .description('list open reviews, with what is needed to decide')
    .option('--follow', 'keep printing new reviews as they open')
    .option('--exec <command>', 'run it for each review, with the review as JSON on its input')
    .option('--webhook <url>', 'post each review there as JSON')
    .action(async (_options: unknown, called: Command) => {
      const { reviews } = await import('./run.ts')
      process.exitCode = await reviews(called.optsWithGlobals<ReviewsOptions>())
    })
  examples(command, [
    'warrant reviews',
    'warrant reviews --follow --exec \'mail -s "$WARRANT_INTENT" me@example.com\'',
    'warrant reviews --json | jq .review.terms',
    '',
    'The command gets WARRANT_INTENT, WARRANT_REVIEW and WARRANT_LOG in its environment. It is run',
    'again for what is still open when it is followed again.',
  ])
}
