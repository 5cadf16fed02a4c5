// Compares what the database holds with a fold of the log up to the same position: all that a
// projector writes, and what stands beside it. It changes nothing, and fixes nothing.
import { earlierCensus, takeCensus } from './driver/census.ts'
import { hasPrimitive, heldPrimitives, numbered } from './driver/held-graph.ts'
import { heldConcepts, heldIntents } from './driver/held-intents.ts'
import type { RunCypher } from './driver/link.ts'
import { projectionMark, withMarkHeld, type HeldMark, type ProjectionMark } from './driver/mark.ts'
import { schemaFlaws } from './driver/schema.ts'
import type { ProjectionLink } from './driver/writes.ts'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { gather, newGathered, type GatheredIntents } from './projection/gathered-intents.ts'
import { censusOf, chainedDigest, type Census } from './projection/held.ts'
import { expectedIntents, intentCensus } from './projection/held-intents.ts'
import { projectionStepOf } from './projection/step.ts'
import type { Timer } from '#ports/clock'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { OnProgress } from '#runtime/reporting/progress'
import { foldTo, isOtherLog, newFolding, type Folding } from './check-fold.ts'
import { comparePrimitives } from './compare-graph.ts'
import { compareConcepts, compareIntents } from './compare-intents.ts'
import { compareCensus, compareMark } from './compare-rest.ts'
import { compareTexts, newFound, type Found, type ProjectionDifference } from './found.ts'

interface Standing {
  /** What the database says it holds. */
  readonly realm: string
  readonly position: number
  /** Where the log ended when the check began. */
  readonly head: number
}

/**
 * Nothing was compared. `incomplete`: it is being rebuilt, or a rebuild was left unfinished.
 * `other_log`: at its position this log has another fact, or none. `cut_off`: this log begins after
 * it. `broken`: it does not say how far it is.
 */
export interface Uncompared extends Standing {
  readonly standing: 'other_realm' | 'other_log' | 'incomplete' | 'cut_off' | 'broken'
  /** Of which cell that is so; absent where it is so of one log, or of the control log. */
  readonly cell?: number
}

/** `behind`: what is there is right, and some facts of the log are not. */
export interface Compared extends Standing {
  readonly standing: 'same' | 'behind' | 'differs'
  readonly primitives: number
  readonly intents: number
  /** Intents up to this position are not looked at: the log, or the projection, begins after it. */
  readonly from: number
  readonly digest: { readonly here: string; readonly there: string }
  readonly differences: number
  /** The first of them. */
  readonly first: readonly ProjectionDifference[]
  /** Where the realm has cells: all else is of the control log, and `intents` are all of them. */
  readonly cells?: readonly ComparedCell[]
}

export interface ComparedCell {
  readonly cell: number
  readonly position: number
  readonly head: number
  readonly from: number
  readonly intents: number
}

export type ProjectionCheck = Uncompared | Compared

export interface ProjectionCheckOptions {
  readonly log: Log
  readonly realm: string
  readonly rootKey: string | null
  readonly link: ProjectionLink
  /** If given, a projector that is a little behind is given a moment. */
  readonly timer?: Timer
  readonly onProgress?: OnProgress
}

/** Throws a Fault where nothing was ever projected. */
export async function checkProjection(options: ProjectionCheckOptions): Promise<ProjectionCheck> {
  const { log, realm, rootKey, link } = options
  const head = (await log.head()).position
  const mark = await caughtUp(options, head)
  if (mark === null) return { standing: 'broken', realm, position: 0, head }
  const at = { realm: mark.realm, position: mark.reached ?? 0, head }
  if (mark.realm !== realm) return { standing: 'other_realm', ...at }
  if (mark.rebuild !== null || mark.reached === null) return { standing: 'incomplete', ...at }
  // A projector may have brought it further than the end was when the check began.
  if (mark.reached > (await log.head()).position) return { standing: 'other_log', ...at }
  const { state } = await soundBeginningOf(log, { realm }, rootKey)
  if (mark.reached < state.position) return { standing: 'cut_off', ...at }
  const gathered = newGathered()
  const { onProgress } = options
  const folding = newFolding({
    log,
    state,
    take: ({ eve, state: after, fact, folded }) => {
      const step = projectionStepOf(eve, after, fact, folded)
      if (step !== null) gather(gathered, step)
    },
    ...(onProgress !== undefined && { onProgress }),
  })
  // What takes long is done before anyone has to wait for it.
  await foldTo(folding, mark.reached)
  if (isOtherLog(mark, folding)) return { standing: 'other_log', ...at }
  const found = newFound()
  for (const { name, here, there } of await schemaFlaws(link, 'log')) {
    compareTexts(found, { of: 'schema', name }, here, there)
  }
  return withMarkHeld(link, async (run, held) => {
    const { reached, rebuild } = held.mark
    if (reached === null || rebuild !== null || reached < state.position) {
      return { standing: 'incomplete', ...at }
    }
    await foldTo(folding, reached)
    return compared({ run, held, folding, gathered, head }, { ...found, first: [...found.first] })
  })
}

const triesMax = 20
const betweenMs = 100

function caughtUp({ link, timer }: ProjectionCheckOptions, head: number) {
  return caughtUpWith(
    timer,
    () => readMark(() => projectionMark(link)),
    (mark: ProjectionMark) => {
      return mark.rebuild === null && (mark.reached ?? head) < head
    },
  )
}

/**
 * What is read, once it is not behind any more, or when the patience has ended; null if unreadable.
 */
export async function caughtUpWith<M>(
  timer: Timer | undefined,
  read: () => Promise<M | null>,
  isBehind: (mark: M) => boolean,
): Promise<M | null> {
  for (let tries = 1; ; tries += 1) {
    const mark = await read()
    const waits = mark !== null && isBehind(mark)
    if (!waits || timer === undefined || tries === triesMax) return mark
    await new Promise<void>((resolve) => void timer.after(betweenMs, resolve))
  }
}

/** Null where it cannot be read. Throws a Fault where there is none. */
export async function readMark<M>(read: () => Promise<M | null>): Promise<M | null> {
  try {
    const mark = await read()
    if (mark !== null) return mark
  } catch (error) {
    if (error instanceof Fault && error.code === 'projection_broken') return null
    throw error
  }
  throw new Fault('projection_unfinished', 'nothing is projected there')
}

interface Comparing {
  readonly run: RunCypher
  readonly held: HeldMark
  readonly folding: Folding
  readonly gathered: GatheredIntents
  readonly head: number
}

async function compared(
  { run, held, folding, gathered, head }: Comparing,
  found: Found,
): Promise<ProjectionCheck> {
  const { state, first, last } = folding
  const { graph, position } = state
  const { mark } = held
  const digest = { here: digestOf(''), there: digestOf('') }
  const received = (side: 'here' | 'there', text: string): void => {
    digest[side] = chainedDigest(digest[side], text)
  }
  compareMark(found, held, { state, last, numbered: await numbered(run) })
  const has = (key: string) => hasPrimitive(run, key)
  await comparePrimitives(
    { graph, held: { primitives: heldPrimitives(run), has }, found },
    received,
  )
  const from = Math.max(first, mark.from)
  const expected = expectedIntents(graph, gathered, from)
  await compareIntents(expected, heldIntents(run, from), { found, received })
  const { counts } = expected
  // It ignores what was projected before this log begins.
  const isPartial = mark.from < first
  await compareConcepts(counts.concepts, heldConcepts(run, first), { found, isPartial })
  const here = { ...censusOf(graph), ...intentCensus(counts), Projection: 1 }
  const earlier = isPartial ? await earlierCensus(run, first) : {}
  const there = await takeCensus(run)
  compareCensus(found, sumOf(here, earlier), isPartial ? without(there, 'Concept') : there)
  const { differences } = found
  const standing = differences > 0 ? 'differs' : position < head ? 'behind' : 'same'
  const { size: primitives } = graph
  const at = { realm: mark.realm, position, head, from }
  return { standing, ...at, primitives, intents: counts.intents, digest, ...found }
}

export function sumOf(one: Census, other: Census): Census {
  const names = Object.entries(other)
  const sums = names.map(([what, count]) => [what, count + (one[what] ?? 0)] as const)
  return { ...one, ...Object.fromEntries(sums) }
}

export function without(census: Census, name: string): Census {
  return Object.fromEntries(Object.entries(census).filter(([what]) => what !== name))
}
