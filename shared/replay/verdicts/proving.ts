// Who acts on a verdict and folds the log derives it first: from the state right before it, by the
// stages' own deciders. What is not derived there was forged, or overtaken by something that
// changes the answer, and its tool does not run. What this very process has derived is not derived
// twice where nothing that it went by has changed since: by this a replay, too, knows what was not
// overtaken.
import { Fault } from '#record/fault'
import { readEvent } from '#record/event'
import { partsInRealm, tokenAt } from '#record/names'
import { decidesTheSame } from '#stages/decided'
import type { Stage } from '#stages/stage'
import { unlessStuck } from '#stages/stuck'
import { viewOf, type View } from '#stages/view'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import type { Reader } from '#runtime/engine/gathering/gather'
import type { Runtime } from '#runtime/engine/runtime'
import { recordedWhereMissing } from '../recorded.ts'
import { stampOf } from '../recorded-stamp.ts'
import { derivedFrom } from '../derive.ts'
import type { VerdictData } from '#schemas/facts'
import { isLate, refuseLate } from './timely.ts'
import type { Verdict } from './verdict.ts'

/** Verdicts that wait for who acts on them; of more, the oldest are derived out of the log. */
const keptMax = 1_024

export interface Proving {
  /** Throws a Fault for a verdict that the stages would not have bound where it stands. */
  prove(verdict: Verdict): Promise<void>
  /** The same of one that is at hand, and whether it is; of any other nothing is read. */
  proveAtHand(verdict: Verdict): Promise<boolean>
  stop(): void
}

/** Drawn up by this process, from what it would still go by: it is derived already. */
interface DerivedHere {
  /** When its basis was appended. */
  readonly basisAt: number
}

/** What deriving a verdict again takes. */
export interface DerivingParts {
  readonly log: LogReader
  readonly reader: Reader
  readonly stages: readonly Stage[]
  /** Null where no callback may run: what was recorded of each is taken, and nothing else. */
  readonly callbacks: CallbackRunner | null
}

interface Kept {
  readonly fact: Fact
  readonly address: string
  /** Of its intent, right before it: the fold moves on. */
  readonly view: View
}

/**
 * `agent`: the token of the one whose verdicts are proved; null for those of all. `observed`: also
 * those on what was only asked, on which no one acts but the caller of a door.
 */
export function provingOn(
  runtime: Runtime,
  stages: readonly Stage[],
  agent: string | null,
  { observed = false }: { readonly observed?: boolean } = {},
): Proving {
  const { follower } = runtime
  const kept = new Map<string, Kept | DerivedHere | Promise<void>>()
  const keep = (name: string, found: Kept | DerivedHere | Promise<void>): void => {
    const [oldest] = kept.keys()
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
    kept.set(name, found)
  }
  const stop = follower.before((fact, state) => {
    if (tokenAt(fact.name, 2) !== 'verdict') return
    const { realm, era } = state.place
    const ofAgent = agent === null ? '' : `${agent}.`
    if (!fact.name.startsWith(`${realm}.${era}.verdict.${ofAgent}`)) return
    const address = partsInRealm(fact.name, realm)?.address ?? ''
    const intent = state.intents.get(address)
    if (intent === undefined) return
    const own = follower.caches.drawnUp.of(fact)
    if (own !== null && stages.some((stage) => stage === own.by) && own.holds(state)) {
      keep(fact.name, { basisAt: own.basisAt })
      return
    }
    const opening = follower.caches.messages.peek(intent.position, state.catalog)
    if (opening === undefined || (opening.request?.observe === true && !observed)) return
    const view = unlessStuck(() => viewOf(state, address, opening), null)
    if (view !== null) keep(fact.name, { fact, address, view })
  })
  let reading: Promise<unknown> = Promise.resolve()
  const begun = async (verdict: Verdict, found: Kept | DerivedHere | undefined): Promise<void> => {
    if (found === undefined) {
      // One after the other: each reads all of the log.
      const read = reading.then(() => proveInReplay(runtime, stages, verdict))
      reading = read.catch(() => undefined)
      return read
    }
    if ('basisAt' in found) {
      refuseLate(verdict, found.basisAt)
      return
    }
    const { log, reader, callbacks } = runtime
    await deriveAllowAgain({ log, reader, stages, callbacks }, { verdict, found })
  }
  const prove = (verdict: Verdict): Promise<void> => {
    const { name } = verdict
    const found = kept.get(name)
    if (found instanceof Promise) return found
    kept.delete(name)
    const proving = begun(verdict, found)
    keep(name, proving)
    // What was in the way may be gone the next time; what was found holds.
    proving.catch((error: unknown) => {
      const isFound = error instanceof Fault && error.retry === 'never'
      if (isFound || kept.get(name) !== proving) return
      kept.delete(name)
      if (found !== undefined) keep(name, found)
    })
    return proving
  }
  return {
    stop,
    prove,
    proveAtHand: async (verdict) => kept.has(verdict.name) && prove(verdict).then(() => true),
  }
}

/** Throws a Fault for a verdict that the stages would not have bound from that view. */
export async function deriveAllowAgain(
  { log, reader, stages, callbacks }: DerivingParts,
  { verdict, found }: { readonly verdict: Verdict; readonly found: Kept },
): Promise<void> {
  const { fact, address, view } = found
  await refuseLateIn(log, view, verdict)
  const stamp = stampOf(fact)
  const event = readEvent('verdict', fact)
  if (stamp === null || !event.ok) throw notDerived(verdict)
  const { data } = event.event
  const asked = callbacks === null ? null : recordedWhereMissing(callbacks, data.callbacks)
  const deriving = { reader, stages, callbacks: asked, counted: { readBack: 0 } }
  const due = { kind: 'verdict', fact, stamp, address } as const
  const derived = await derivedFrom(deriving, due, view)
  const draft = derived?.of?.draft ?? null
  const isSame = decidesTheSame({ kind: 'verdict', name: fact.name, data }, draft)
  if (!isSame || draft?.kind !== 'verdict' || isLonger(data, draft.data)) {
    throw notDerived(verdict)
  }
}

// It was bound before this process followed: then all of the log is read once for it. That is
// seldom, so what reads it is loaded only then.
async function proveInReplay(
  { log, callbacks, follower }: Runtime,
  stages: readonly Stage[],
  verdict: Verdict,
): Promise<void> {
  const { place, rootKey } = follower.state
  const address = verdict.intent
  const { replay } = await import('../replay.ts')
  const asked = { log, place: { ...place, era: 1 }, rootKey, stages, callbacks, address }
  const { differences, unchecked, derived, findings, voids } = await replay(asked)
  const { late, overtaken } = findings.counts
  const isVoid = voids.some(({ name }) => name === verdict.name)
  const isSound = differences + unchecked + late + overtaken === 0 && derived > 1 && !isVoid
  if (!isSound) throw notDerived(verdict)
}

/** Whether it may be redeemed for longer than what was derived. */
function isLonger(given: VerdictData, derived: VerdictData): boolean {
  if (given.terms === null || derived.terms === null) return false
  return !(Date.parse(given.terms.useBy) <= Date.parse(derived.terms.useBy))
}

// What stands right before the verdict is no earlier than its basis, and nearly always as good.
async function refuseLateIn(log: LogReader, view: View, verdict: Verdict): Promise<void> {
  if (!isLate(verdict, view.now)) return
  const { basis } = verdict.origin
  let basisAt: number | null = null
  for await (const fact of log.read({ from: basis, to: basis })) basisAt = fact.appendedAt
  refuseLate(verdict, basisAt)
}

function notDerived({ intent }: Verdict): Fault {
  const what = `the stages would not have bound the verdict on \`${intent}\` where it stands`
  const fix = `ask again; \`warrant replay --intent ${intent}\` shows why`
  return new Fault('verdict_not_derived', `${what}: ${fix}`)
}
