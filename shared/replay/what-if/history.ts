// What a change of the graph or the catalog would have done to all that was asked: each recorded
// intent as it stood when policy decided on it, derived by the graph and the catalog of now, and by
// the changed ones. What people answered counts where they would be asked the same. It only reads.
import { setImmediate as turn } from 'node:timers/promises'
import type { CallbackFault } from '#schemas/callbacks'
import type { VerdictData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'
import type { Catalog } from '#rules/catalog/catalog'
import { canonical } from '#record/canonical'
import { readData, readEvent } from '#record/event'
import { partsInRealm, type Place } from '#record/names'
import { foldCaches } from '#state/caches/fold-caches'
import { takeAll } from '#stages/budgets/budget-cases'
import type { AllBudgetUses } from '#state/slices/budgets/budgets'
import { passTime } from '#state/slices/budgets/budgets-slice'
import { evolve } from '#state/fold/evolve'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Stage } from '#stages/stage'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import { beginningOf } from '../eras/beginning.ts'
import { readerOf } from '#runtime/engine/gathering/gather'
import type { OnProgress } from '#runtime/reporting/progress'
import { differs, outcomeOf, type DerivedOutcome } from './outcome.ts'
import { comesTo, type AskedThen, type Comparing, type Coming } from './asked-then.ts'
import type { ComeTo, Known, Wanted } from './asked-then.ts'
import { answeredBy, type AnsweredOutcome } from './kept-answers.ts'

export interface HistoryOptions {
  readonly log: LogReader
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** The graph and the catalog as they are, and as the change makes them. */
  readonly before: Known
  readonly after: Known
  /** Which intents are derived; all if not given. */
  readonly wanted?: Wanted
  readonly onProgress?: OnProgress
}

/** A recorded intent, before and after the change. */
export interface PastIntent extends AskedThen {
  readonly address: string
  /** Of a flip; null where it has no verdict yet. */
  readonly recorded: {
    readonly outcome: 'allow' | 'deny'
    readonly reasons: readonly string[]
  } | null
  readonly before: DerivedOutcome
  readonly after: DerivedOutcome
  /** Whom people would have been asked; null where no one is. */
  readonly asks: {
    readonly before: readonly string[] | null
    readonly after: readonly string[] | null
  }
  /** Whether an answer of people was kept after the change. */
  readonly kept: boolean
  readonly isFlip: boolean
}

export interface HistoryReport {
  readonly tried: number
  /** Those whose openings, or whose groundings, are not here. */
  readonly unable: number
  /** Of how many a callback may answer otherwise next time. */
  readonly unsure: number
  readonly faulted: { readonly count: number; readonly first: CallbackFault } | null
  /** From the first to the last of them, in milliseconds. */
  readonly spanMs: number
  readonly facts: number
}

/** So many are derived at a time: what each reads and asks is waited for together. */
const underWayMax = 256
/** After so many facts it is notified of what callbacks have answered. */
const factsBetweenTurns = 64

interface Pending {
  readonly asked: AskedThen
  readonly found: Promise<ComeTo> | ComeTo
  review: ReviewData | null
  /** It is read only where it matters: most are neither asked about nor flip. */
  verdict: Fact | null
}

/** Calls `each` for every intent that was derived, in the order of their verdicts. */
export async function whatIfHistory(
  options: HistoryOptions,
  each: (intent: PastIntent) => void,
): Promise<HistoryReport> {
  const { log, place, rootKey, stages, callbacks, onProgress } = options
  const { state, start } = await beginningOf(log, place, rootKey)
  const caches = foldCaches()
  const reader = readerOf(log, state.position, caches)
  const count = counting(each)
  const { faulted, settling } = count
  const budgets = { before: new Map(), after: new Map() }
  const known = readAlike(options, budgets)
  const { before, after } = options
  const counts = before.catalog.budgets.length + after.catalog.budgets.length > 0
  const of = () => ({ stages, callbacks, reader, faulted, ...known(state.catalog) })
  const { position: total } = await log.head()
  const open = new Map<string, Pending>()
  for await (const fact of log.read({ from: (start?.position ?? 0) + 1 })) {
    if (settling.size > 0 && fact.position % factsBetweenTurns === 0) await turn()
    await noMoreThan(underWayMax, settling)
    const due = dueAt(fact, state, open)
    if (counts) passBoth(known(state.catalog), state)
    const begun = due === null ? null : beginOn(of(), state, { fact, intent: due, options })
    const folded = evolve(state, fact, caches)
    reader.sessions.receive(fact, folded, state)
    count.facts += 1
    onProgress?.({ doing: 'deriving', of: 'facts', done: fact.position, total })
    const address = folded.parts?.address ?? null
    if (address === null || folded.void !== null) continue
    if (begun !== null) open.set(address, begun)
    const pending = open.get(address)
    if (pending === undefined) continue
    follow(pending, fact, folded.parts?.kind)
    if (pending.verdict === null) continue
    open.delete(address)
    if (counts) await takeBudgets(pending, fact, known(state.catalog))
    count.settle(pending)
  }
  for (const pending of open.values()) count.settle(pending)
  await Promise.all(settling)
  return count.report()
}

async function noMoreThan(max: number, settling: ReadonlySet<Promise<void>>): Promise<void> {
  for (const oldest of settling) {
    if (settling.size <= max) return
    await oldest
  }
}

/** What was found so far. */
function counting(each: (intent: PastIntent) => void) {
  const faults = new Map<string, CallbackFault>()
  const settling = new Set<Promise<void>>()
  const tally = { tried: 0, unable: 0, unsure: 0 }
  let first = Infinity
  let last = -Infinity
  const note = (pending: Pending, come: ComeTo): void => {
    if (come === 'unwanted') return
    if (come === null) {
      tally.unable += 1
      return
    }
    const { appendedAt } = pending.asked
    first = Math.min(first, appendedAt)
    last = Math.max(last, appendedAt)
    const found = pastIntent(pending, come)
    tally.tried += 1
    if (isUnsure(found)) tally.unsure += 1
    each(found)
  }
  return {
    facts: 0,
    settling,
    faulted: (address: string, fault: CallbackFault): void => {
      if (!faults.has(address)) faults.set(address, fault)
    },
    settle(pending: Pending): void {
      const { found } = pending
      if (found instanceof Promise) {
        const done = found.then((come) => note(pending, come)).finally(() => settling.delete(done))
        settling.add(done)
      } else note(pending, found)
    },
    report(): HistoryReport {
      const [why] = faults.values()
      const faulted = why === undefined ? null : { count: faults.size, first: why }
      return { ...tally, facts: this.facts, spanMs: Math.max(0, last - first), faulted }
    },
  }
}

type Comparable = Pick<Comparing, 'before' | 'after'>

/**
 * Where a catalog reads messages as the one of that time does, it also has that very list: what was
 * read once is then not read again for each of them.
 */
function readAlike(
  { before, after }: Pick<HistoryOptions, 'before' | 'after'>,
  budgets: Readonly<Record<'before' | 'after', AllBudgetUses>>,
): (then: Catalog) => Comparable {
  let of: Catalog | null = null
  let found: Comparable = {
    before: { ...before, budgets: budgets.before },
    after: { ...after, budgets: budgets.after },
  }
  return (then) => {
    if (of === then) return found
    of = then
    const one = withListOf(before.catalog, then)
    const other = before.catalog === after.catalog ? one : withListOf(after.catalog, then)
    found = {
      before: { graph: before.graph, catalog: one, budgets: budgets.before },
      after: { graph: after.graph, catalog: other, budgets: budgets.after },
    }
    return found
  }
}

function withListOf(catalog: Catalog, { knownConstraints: list }: Catalog): Catalog {
  const own = catalog.knownConstraints
  if (own === list || canonical(own) !== canonical(list)) return catalog
  return { ...catalog, knownConstraints: list }
}

function passBoth({ before, after }: Comparable, { appendedAt }: State): void {
  for (const known of [before, after]) passTime({ ...known, appendedAt })
}

/** What it takes counts from its verdict on, for each side by itself. */
async function takeBudgets(pending: Pending, fact: Fact, known: Comparable): Promise<void> {
  const come = await pending.found
  if (come === null || come === 'unwanted') return
  const { address } = come
  const isAllowed = verdictOf(pending)?.outcome === 'allow'
  for (const side of ['before', 'after'] as const) {
    const outcome = outcomeOf(come[side])?.outcome
    // What people would be asked they have answered as they did.
    if (outcome !== 'allow' && (outcome === 'deny' || !isAllowed)) continue
    const { budgets } = known[side]
    takeAll(budgets, come.takes[side], { address, at: fact.appendedAt })
  }
}

/** The intent that policy decided on for the first time by this fact. */
function dueAt(
  { name }: Fact,
  state: State,
  open: ReadonlyMap<string, Pending>,
): OpenIntent | null {
  const parts = partsInRealm(name, state.place.realm)
  if (parts?.kind !== 'review' && parts?.kind !== 'verdict') return null
  const intent = parts.address === null ? undefined : state.intents.get(parts.address)
  const isFirst = intent !== undefined && intent.review === null && !open.has(intent.address)
  return isFirst ? intent : null
}

function beginOn(
  of: Comparing,
  state: State,
  at: { readonly fact: Fact; readonly intent: OpenIntent; readonly options: HistoryOptions },
): Pending | null {
  const { fact, intent, options } = at
  const begun = comesTo(of, state, { fact, intent, wanted: options.wanted })
  return begun === null ? null : { ...begun, review: null, verdict: null }
}

function follow(pending: Pending, fact: Fact, kind: string | undefined): void {
  if (kind === 'verdict') pending.verdict = fact
  if (kind !== 'review') return
  const reading = readEvent('review', fact)
  if (reading.ok) pending.review = reading.event.data
}

function pastIntent(pending: Pending, { address, before, after }: Coming): PastIntent {
  const { asked, review } = pending
  const verdict = review === null ? null : verdictOf(pending)
  const one: AnsweredOutcome = answeredBy(before, { review, verdict })
  const other: AnsweredOutcome = before === after ? one : answeredBy(after, { review, verdict })
  const isFlip = !isUnclear(one, other) && differs(one.outcome, other.outcome)
  return {
    ...asked,
    address,
    recorded: isFlip ? recordedOf(pending) : null,
    before: one.outcome,
    after: other.outcome,
    asks: { before: one.asks, after: other.asks },
    kept: other.isKept,
    isFlip,
  }
}

function verdictOf({ verdict }: Pending): VerdictData | null {
  return readData('verdict', verdict ?? undefined)
}

function recordedOf(pending: Pending): PastIntent['recorded'] {
  const verdict = verdictOf(pending)
  if (verdict === null) return null
  return { outcome: verdict.outcome, reasons: verdict.reasons.map(({ code }) => code) }
}

function isUnclear(one: AnsweredOutcome, other: AnsweredOutcome): boolean {
  return one.outcome.outcome === 'cannot_tell' || other.outcome.outcome === 'cannot_tell'
}

function isUnsure({ before, after }: PastIntent): boolean {
  return before.outcome === 'cannot_tell' || after.outcome === 'cannot_tell'
}
