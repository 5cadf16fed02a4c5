// Compares what the database holds with a fold of the log up to the same position: all that a
// projector writes, and what stands beside it. It changes nothing, and fixes nothing.
import { earlierCensus, takeCensus } from '#adapters/neo4j/census'
import { hasPrimitive, heldPrimitives, numbered } from '#adapters/neo4j/held-graph'
import { heldConcepts, heldIntents } from '#adapters/neo4j/held-intents'
import type { RunCypher } from '#adapters/neo4j/link'
import {
  projectionMark,
  withMarkHeld,
  type HeldMark,
  type ProjectionMark,
} from '#adapters/neo4j/mark'
import { schemaFlaws } from '#adapters/neo4j/schema'
import type { ProjectionLink } from '#adapters/neo4j/writes'
import { digestOf } from '#core/kernel/digest'
import { Fault } from '#core/kernel/fault'
import { gather, newGathered, type GatheredIntents } from '#core/projection/gathered-intents'
import { censusOf, chainedDigest, type Census } from '#core/projection/held'
import { expectedIntents, intentCensus } from '#core/projection/held-intents'
import { eveOf, projectionStepOf } from '#core/projection/step'
import { evolve } from '#core/state/fold/evolve'
import { foldCaches, type FoldCaches } from '#core/state/caches/fold-caches'
import type { State } from '#core/state/state'
import type { Timer } from '#ports/clock'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '../eras/beginning.ts'
import type { OnProgress } from '../reporting/progress.ts'
import { comparePrimitives } from './compare-graph.ts'
import { compareConcepts, compareIntents } from './compare-intents.ts'
import { compareCensus, compareMark, type LastFact } from './compare-rest.ts'
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
  const passed = { gathered: newGathered(), caches: foldCaches(), last: null }
  const folding = { state, first: state.position, ...passed }
  // What takes long is done before anyone has to wait for it.
  await foldTo(options, folding, mark.reached)
  if (isOtherLog(mark, folding)) return { standing: 'other_log', ...at }
  const found = newFound()
  for (const { name, here, there } of await schemaFlaws(link)) {
    compareTexts(found, { of: 'schema', name }, here, there)
  }
  return withMarkHeld(link, async (run, held) => {
    const { reached, rebuild } = held.mark
    if (reached === null || rebuild !== null || reached < state.position) {
      return { standing: 'incomplete', ...at }
    }
    await foldTo(options, folding, reached)
    return compared({ run, held, folding, head }, { ...found, first: [...found.first] })
  })
}

const triesMax = 20
const betweenMs = 100

/**
 * The mark, once it is at the end of the log, or when the patience has ended; null if unreadable.
 */
async function caughtUp(
  { link, timer }: ProjectionCheckOptions,
  head: number,
): Promise<ProjectionMark | null> {
  for (let tries = 1; ; tries += 1) {
    const mark = await readMark(link)
    const isBehind = mark !== null && mark.rebuild === null && (mark.reached ?? head) < head
    if (!isBehind || timer === undefined || tries === triesMax) return mark
    await new Promise<void>((resolve) => void timer.after(betweenMs, resolve))
  }
}

async function readMark(link: ProjectionLink): Promise<ProjectionMark | null> {
  try {
    const mark = await projectionMark(link)
    if (mark !== null) return mark
  } catch (error) {
    if (error instanceof Fault && error.code === 'projection_broken') return null
    throw error
  }
  throw new Fault('projection_unfinished', 'nothing is projected there')
}

interface Folding {
  readonly state: State
  readonly caches: FoldCaches
  /** Where the fold began. */
  readonly first: number
  readonly gathered: GatheredIntents
  last: LastFact | null
}

async function foldTo(
  { log, onProgress }: ProjectionCheckOptions,
  folding: Folding,
  to: number,
): Promise<void> {
  const { state, caches, gathered } = folding
  if (state.position >= to) return
  for await (const fact of log.read({ from: state.position + 1, to })) {
    const eve = eveOf(state, fact, caches.facts)
    const folded = evolve(state, fact, caches)
    const step = projectionStepOf(eve, state, fact, folded)
    if (step !== null) gather(gathered, step)
    const { name, position } = fact
    if (position === to) folding.last = { name, digest: digestOf(fact.bytes) }
    onProgress?.({ doing: 'folding the log', of: 'facts', done: position, total: to })
  }
}

function isOtherLog({ digest, fact }: ProjectionMark, { last }: Folding): boolean {
  if (digest === null || last === null) return false
  return digest !== last.digest || fact !== last.name
}

interface Comparing {
  readonly run: RunCypher
  readonly held: HeldMark
  readonly folding: Folding
  readonly head: number
}

async function compared(
  { run, held, folding, head }: Comparing,
  found: Found,
): Promise<ProjectionCheck> {
  const { state, first, gathered, last } = folding
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

function sumOf(one: Census, other: Census): Census {
  const names = Object.entries(other)
  const sums = names.map(([what, count]) => [what, count + (one[what] ?? 0)] as const)
  return { ...one, ...Object.fromEntries(sums) }
}

function without(census: Census, name: string): Census {
  return Object.fromEntries(Object.entries(census).filter(([what]) => what !== name))
}
