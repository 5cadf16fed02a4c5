// One range of a log, derived again by itself: from the state that was found out quickly where it
// begins to the one that it comes to. Whether the former was right only the range before can show.
import type { Fact } from '#ports/log'
import { beginningOf } from '../eras/beginning.ts'
import { walkLog } from '../log-walk.ts'
import { newRun, type ReplayOptions, type ReplaySpan } from '../pass.ts'
import { noRedemptions } from '../redemptions.ts'
import { walkedIn, watchedHead, type Walked, type WatchedHead } from '../replay.ts'
import { skimming } from './skimming.ts'
import { stateDigest } from './state-digest.ts'

export interface WalkedRange extends Walked {
  /** The digest of the state that it began with; null where it began with the log. */
  readonly begins: string | null
  /** The digest of the state that it came to; null where it went to the end. */
  readonly ends: string | null
  /** Where the fold was when each finding that is shown was found. */
  readonly shownAt: readonly number[]
  /** What is refused by an outcome here and was not begun here. */
  readonly refused: ReadonlySet<string>
  /** How many starts waited for their outcomes at most. */
  readonly stoppedMost: number
  /** Of the whole log, by the range that goes to its end. */
  readonly head: ReturnType<WatchedHead['found']> | null
}

/** `onRead` is called for each fact of the range. */
export async function walkRange(
  options: ReplayOptions,
  { after, through }: Pick<ReplaySpan, 'after' | 'through'>,
  onRead: (fact: Fact) => void,
): Promise<WalkedRange> {
  const { state, start } = await beginningOf(options.log, options.place, options.rootKey)
  const head = through === null ? watchedHead({ options, start }) : null
  const isFirst = after <= state.position
  if (!isFirst) {
    const skim = skimming(state)
    for await (const fact of options.log.read({ from: state.position + 1, to: after })) {
      head?.read(fact)
      skim.take(fact)
    }
    skim.end()
  }
  const begins = isFirst ? null : stateDigest(state)
  const span = isFirst
    ? { from: 1, after: state.position, through }
    : { from: after + 1, after, through }
  const refused = new Set<string>()
  const run = { ...newRun(options, { state, start }, span), redemptions: noRedemptions(refused) }
  let ends: string | null = null
  await walkLog(run, {
    onRead(fact) {
      head?.read(fact)
      onRead(fact)
    },
    onPassed: () => void (ends = through === null ? null : stateDigest(state)),
  })
  const { shownAt } = run
  const { stoppedMost } = run.redemptions
  const at = { begins, ends, shownAt, refused, stoppedMost }
  return { ...walkedIn(run), ...at, head: head?.found() ?? null }
}
