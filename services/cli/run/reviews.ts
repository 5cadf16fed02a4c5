// Lists open reviews, and with `--follow` goes on with each new one: printed, and told to a command
// or a webhook. That these fail is reported and ends nothing.
import type { Graph } from '#core/graph/graph'
import type { OpenIntent } from '#core/world/intent'
import { knownText } from '#present/grounding'
import { findLog } from '#runtime/log-url'
import type { Runtime } from '#runtime/open'
import { usage } from '../failure.ts'
import { exitCodes } from '../exit.ts'
import type { GlobalOptions } from '../options.ts'
import { note, print, printJson } from '../terminal.ts'
import { hintsFor } from '../text/hint.ts'
import { reviewJson, reviewLines, type ShownReview } from '../text/review-text.ts'
import { onInterrupt } from './interrupt.ts'
import { tellers, type Teller } from './notify.ts'
import { clientStages, withRuntime } from './opened.ts'

export interface ReviewsOptions extends GlobalOptions {
  readonly follow?: boolean
  readonly exec?: string
  readonly webhook?: string
}

export async function reviews(options: ReviewsOptions): Promise<number> {
  const { exec, webhook, follow = false } = options
  // Whoever lists processes would read a password in it.
  if (webhook !== undefined && !/^https?:\/\/[^@/?#]+([/?#]|$)/.test(webhook)) {
    throw usage('--webhook takes an http or https URL with no user and no password')
  }
  const tell = tellers({ exec, webhook, log: findLog(options.log, process.env).url })
  const stages = follow ? await clientStages(options) : []
  return withRuntime(options, { stages, reads: true }, async (runtime) => {
    const interrupt = onInterrupt()
    try {
      const found = follow ? followed(runtime, interrupt.signal) : openReviews(runtime)
      await showEach(runtime, found, { options, tell })
    } finally {
      interrupt.release()
    }
    return exitCodes.yes
  })
}

async function showEach(
  runtime: Runtime,
  found: AsyncIterable<ShownReview> | Iterable<ShownReview>,
  { options, tell }: { readonly options: ReviewsOptions; readonly tell: readonly Teller[] },
): Promise<void> {
  const hints = hintsFor(options, process.env)
  const telling = new Set<Promise<void>>()
  let count = 0
  for await (const review of found) {
    count += 1
    if (options.json === true) await printJson(reviewJson(review))
    else await print([...reviewLines(review, runtime.clock.now(), hints), ''])
    for (const teller of tell) {
      const told = teller(review).catch((error: unknown) => {
        note(`warrant: ${review.name} was not told: ${error instanceof Error ? error.message : ''}`)
      })
      telling.add(told)
      void told.finally(() => telling.delete(told))
      if (telling.size >= tellingMax) await Promise.race(telling)
    }
  }
  await Promise.all(telling)
  if (count === 0 && options.json !== true) await print(['nothing waits for people'])
}

/** Commands and posts that run at once. */
const tellingMax = 4

function openReviews({ follower }: Runtime): readonly ShownReview[] {
  const found = [...follower.world.intents.values()].flatMap((intent) => {
    const shown = shownOf(follower.world.graph, intent)
    return shown === null ? [] : [shown]
  })
  return found.toSorted((a, b) => a.openedAt - b.openedAt)
}

function shownOf(graph: Graph, intent: OpenIntent): ShownReview | null {
  const { address, review, decisions, grounding } = intent
  if (review === null) return null
  const { name, appendedAt, data } = review
  const answered = decisions.map(({ data: { confirmer } }) => confirmer)
  const known = knownText(graph, grounding?.data.ground ?? null)
  return { intent: address, name, openedAt: appendedAt, review: data, known, answered }
}

/** What is open, then each new one, until the signal aborts. */
async function* followed(
  runtime: Runtime,
  signal: AbortSignal,
): AsyncGenerator<ShownReview, void, undefined> {
  const { follower } = runtime
  const waiting = [...openReviews(runtime)]
  let wake: () => void = () => undefined
  const stop = follower.listen((_fact, folded) => {
    const { parts } = folded
    if (parts?.kind !== 'review' || folded.void !== null) return
    const intent = follower.world.intents.get(parts.address ?? '')
    const shown = intent === undefined ? null : shownOf(follower.world.graph, intent)
    if (shown === null) return
    waiting.push(shown)
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next !== undefined) yield next
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
