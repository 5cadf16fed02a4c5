// Lists open reviews, and with `--follow` goes on with each new one: printed, and reported to a
// command or a webhook. That these fail is reported and ends nothing.
import { configuration } from '#runtime/wiring/config'
import type { OpenIntent } from '#core/state/intent'
import { knownText } from '#present/grounding'
import { reviewChanges } from '#present/review-change'
import { findLog } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import {
  groundingOf,
  openReviewOf,
  openReviews,
  previousOf,
} from '#runtime/engine/gathering/open-reviews'
import type { OpenReviewShown } from '#runtime/engine/gathering/open-reviews'
import { usage } from '../terminal/failure.ts'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { note, print, printJson } from '../terminal/terminal.ts'
import { hintsFor } from '../terminal/hint.ts'
import { reviewJson, reviewLines, type ShownReview } from './print.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { tellers, type Teller } from '../up/notify.ts'
import { byTime, overCells } from '../opening/cells/logs.ts'
import { asTheyCome } from '../opening/cells/merged.ts'
import { clientStages, withCells } from '../opening/opened.ts'

export interface ReviewsOptions extends GlobalOptions {
  readonly follow?: boolean
  readonly exec?: string
  readonly webhook?: string
}

export async function reviews(options: ReviewsOptions): Promise<number> {
  const { exec, webhook, follow = false } = options
  // Anyone who lists processes would read a password in it.
  if (webhook !== undefined && !/^https?:\/\/[^@/?#]+([/?#]|$)/.test(webhook)) {
    throw usage('--webhook takes an http or https URL with no user and no password')
  }
  const report = tellers({ exec, webhook, log: findLog(options.log, configuration()).url })
  const show = { options, report }
  if (!follow) {
    const each = await overCells(options, { reads: true }, async (runtime, { cell }) =>
      (await allShown(runtime)).map((review) => inCell(runtime, review, cell)),
    )
    await showEach(byTime(each), show)
    return exitCodes.yes
  }
  const opening = { stages: await clientStages(options), reads: true }
  return withCells(options, opening, undefined, async (runtimes) => {
    const interrupt = onInterrupt()
    const of = runtimes.map((runtime, index) => ({
      runtime,
      cell: runtimes.length > 1 ? index : null,
      signal: interrupt.signal,
    }))
    try {
      await showEach(asTheyCome(of.map(followed)), show)
    } finally {
      interrupt.release()
    }
    return exitCodes.yes
  })
}

/** A review with the time of the log that has it. */
interface ReviewAt {
  readonly review: ShownReview
  readonly appendedAt: number
  readonly now: number
}

function inCell({ clock }: Runtime, review: ShownReview, cell: number | null): ReviewAt {
  const shown = cell === null ? review : { ...review, cell }
  return { review: shown, appendedAt: review.openedAt, now: clock.now() }
}

async function showEach(
  found: AsyncIterable<ReviewAt> | Iterable<ReviewAt>,
  { options, report }: { readonly options: ReviewsOptions; readonly report: readonly Teller[] },
): Promise<void> {
  const hints = hintsFor(options, configuration())
  const notifying = new Set<Promise<void>>()
  let count = 0
  for await (const { review, now } of found) {
    count += 1
    if (options.json === true) await printJson(reviewJson(review))
    else await print([...reviewLines(review, now, hints), ''])
    for (const teller of report) {
      const reported = teller(review).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : ''
        note(`warrant: not notified of ${review.name}: ${why}`)
      })
      notifying.add(reported)
      void reported.finally(() => notifying.delete(reported))
      if (notifying.size >= notifyingMax) await Promise.race(notifying)
    }
  }
  await Promise.all(notifying)
  if (count === 0 && options.json !== true) await print(['nothing is pending'])
}

/** Commands and posts that run at once. */
const notifyingMax = 4

async function allShown(runtime: Runtime): Promise<readonly ShownReview[]> {
  const all = await openReviews(runtime)
  return Promise.all(all.map((review) => shownOf(runtime, review)))
}

export async function shownOf(runtime: Runtime, open: OpenReviewShown): Promise<ShownReview> {
  const { state } = runtime.follower
  const intent = state.intents.get(open.intent)
  const answered = intent?.decisions.map(({ data }) => data.confirmer) ?? []
  const grounding = intent === undefined ? null : await groundingOf(runtime, intent)
  const before = await previousOf(runtime, open.review)
  const changes = before === null ? [] : reviewChanges(before, open.review)
  const known = knownText(state.graph, grounding?.ground ?? null)
  return { ...open, known, answered, changes }
}

/** What is open, then each new one, until the signal aborts. */
async function* followed({
  runtime,
  cell,
  signal,
}: {
  readonly runtime: Runtime
  readonly cell: number | null
  readonly signal: AbortSignal
}): AsyncGenerator<ReviewAt, void, undefined> {
  const { follower } = runtime
  const waiting = [...(await allShown(runtime))]
  let wake: () => void = () => undefined
  const put = async (intent: OpenIntent): Promise<void> => {
    const open = await openReviewOf(runtime, intent)
    if (open !== null) waiting.push(await shownOf(runtime, open))
    wake()
  }
  const stop = follower.listen((_fact, folded) => {
    const { parts } = folded
    if (parts?.kind !== 'review' || folded.void !== null) return
    const intent = follower.state.intents.get(parts.address ?? '')
    if (intent !== undefined) void put(intent)
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next !== undefined) yield inCell(runtime, next, cell)
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    stop()
  }
}
