// Who acts on a verdict and folds the log derives it first: from the state right before it, by the
// stages' own deciders. What is not derived there was forged, or overtaken by something that
// changes the answer, and its tool does not run. What this very process has derived from that state
// is not derived twice.
import { Fault } from '#core/kernel/fault'
import { readEvent } from '#core/kernel/event'
import { partsInRealm } from '#core/kernel/names'
import { decidesTheSame } from '#core/stages/decided'
import type { Stage } from '#core/stages/stage'
import type { OpenIntent } from '#core/state/intent'
import type { State } from '#core/state/state'
import type { Fact, LogReader } from '#ports/log'
import type { Reader } from '../engine/gathering/gather.ts'
import type { Runtime } from '../engine/runtime.ts'
import { replay } from '../replay/replay.ts'
import { recordedWhereMissing } from '../replay/recorded.ts'
import { stampOf } from '../replay/recorded-stamp.ts'
import { derivedAgain } from '../replay/derive.ts'
import type { VerdictData } from '#schemas/facts'
import { isLate, refuseLate } from './timely.ts'
import type { Verdict } from './verdict.ts'

/** Verdicts that wait for who acts on them; of more, the oldest are derived out of the log. */
const keptMax = 1_024

export interface Proving {
  /** Throws a Fault for a verdict that the stages would not have bound where it stands. */
  prove(verdict: Verdict): Promise<void>
  stop(): void
}

/** Drawn up by this process, with nothing between its basis and itself: it is derived already. */
interface DerivedHere {
  /** When its basis was appended. */
  readonly basisAt: number
}

interface Kept {
  readonly fact: Fact
  readonly address: string
  /** The state right before it, as far as one intent’s verdict follows from it. */
  readonly state: State
  readonly reader: Reader
}

/** `agent`: the token of the one whose verdicts are proved; null for those of all. */
export function provingOn(
  runtime: Runtime,
  stages: readonly Stage[],
  agent: string | null,
): Proving {
  const { follower, log, callbacks } = runtime
  const kept = new Map<string, Kept | DerivedHere | 'proved'>()
  const stop = follower.before((fact, state) => {
    const { realm, era } = state.place
    const ofAgent = agent === null ? '' : `${agent}.`
    if (!fact.name.startsWith(`${realm}.${era}.verdict.${ofAgent}`)) return
    const address = partsInRealm(fact.name, realm)?.address ?? ''
    const intent = state.intents.get(address)
    if (intent === undefined) return
    const [oldest] = kept.keys()
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
    const own = follower.caches.drawnUp.of(fact)
    const isDerived = own?.basis === state.position && stages.some((stage) => stage === own.by)
    const standing = isDerived
      ? { basisAt: state.appendedAt }
      : { fact, address, ...standingAt(runtime, intent) }
    kept.set(fact.name, standing)
  })
  return {
    stop,
    async prove(verdict) {
      const found = kept.get(verdict.name)
      if (found === 'proved') return
      if (found === undefined) {
        await proveInReplay(runtime, stages, verdict)
        kept.set(verdict.name, 'proved')
        return
      }
      if ('basisAt' in found) {
        refuseLate(verdict, found.basisAt)
        kept.set(verdict.name, 'proved')
        return
      }
      const { fact, address, state, reader } = found
      await refuseLateIn(log, state, verdict)
      const stamp = stampOf(fact)
      const reading = readEvent('verdict', fact)
      if (stamp === null || !reading.ok) throw notDerived(verdict)
      const { data } = reading.event
      const asked = recordedWhereMissing(callbacks, data.callbacks)
      const deriving = { state, reader, stages, callbacks: asked, counted: { readBack: 0 } }
      const derived = await derivedAgain(deriving, { kind: 'verdict', fact, stamp, address })
      const draft = derived?.of?.draft ?? null
      const isSame = decidesTheSame({ kind: 'verdict', name: fact.name, data }, draft)
      if (!isSame || draft?.kind !== 'verdict' || isLonger(data, draft.data)) {
        throw notDerived(verdict)
      }
      kept.set(verdict.name, 'proved')
    },
  }
}

// It was bound before this process followed: then all of the log is read once for it.
async function proveInReplay(
  { log, callbacks, follower }: Runtime,
  stages: readonly Stage[],
  verdict: Verdict,
): Promise<void> {
  const { place, rootKey } = follower.state
  const address = verdict.intent
  const asked = { log, place: { ...place, era: 1 }, rootKey, stages, callbacks, address }
  const { differences, unchecked, derived, findings, voids } = await replay(asked)
  const { late, overtaken } = findings.counts
  const isVoid = voids.some(({ name }) => name === verdict.name)
  const isSound = differences + unchecked + late + overtaken === 0 && derived > 1 && !isVoid
  if (!isSound) throw notDerived(verdict)
}

// The fold moves on: what is replaced is copied, and of what changes in place only what this one
// intent needs. Its uses are not: one that was counted stands in the intent.
function standingAt(
  { follower, reader }: Runtime,
  intent: OpenIntent,
): Pick<Kept, 'state' | 'reader'> {
  const { state, caches } = follower
  const opening = caches.messages.peek(intent.position, state.catalog)
  const kept = caches.messages
  const messages: typeof kept = {
    ...kept,
    // Other messages of its session are asked for, too, and are what they are.
    peek: (position, by) => (position === intent.position ? opening : kept.peek(position, by)),
  }
  return {
    state: { ...state, intents: new Map([[intent.address, intent]]) },
    reader: { ...reader, caches: { ...caches, messages } },
  }
}

/** Whether it may be redeemed for longer than what was derived. */
function isLonger(given: VerdictData, derived: VerdictData): boolean {
  if (given.terms === null || derived.terms === null) return false
  return !(Date.parse(given.terms.useBy) <= Date.parse(derived.terms.useBy))
}

// What stands right before the verdict is no earlier than its basis, and nearly always as good.
async function refuseLateIn(log: LogReader, state: State, verdict: Verdict): Promise<void> {
  if (!isLate(verdict, state.appendedAt)) return
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
