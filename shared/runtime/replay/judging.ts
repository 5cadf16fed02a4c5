// Judges what was derived of a recorded fact: whether it is the very same, and in time. It never
// looks at the world of another basis than the fact's own.
import { isDerivedQuestion } from '#core/learning/kinds'
import { lateness } from '#core/stage/lateness'
import type { World } from '#core/world/world'
import { callbackMsMax } from '#ports/callbacks'
import type { Start } from '../beginning.ts'
import { difference, type Differences } from '../differences.ts'
import { text } from '../recorded-stamp.ts'
import type { Derived, Due } from './derive.ts'
import { note, type Findings } from './findings.ts'
import { stand, type Standings } from './overtaken.ts'

export interface Judging {
  readonly world: World
  readonly start: Start | null
  readonly found: Differences
  readonly findings: Findings
  readonly standings: Standings
}

/** What of the world a fact is judged by, where the fold stands at its basis. */
interface StandsAt {
  readonly basisAt: number
  readonly reachesBack: boolean
  readonly derivesSo?: (derived: Derived) => void
}

export function standsAt(run: Judging, { kind, address }: Due): StandsAt {
  const reachesBack = isDerivedQuestion(kind) ? run.start !== null : mayReachBack(run, address)
  return { basisAt: run.world.appendedAt, reachesBack }
}

/** Compares what was derived with what was recorded. */
export function judge(
  run: Judging,
  due: Due,
  derived: Derived | null,
  at = standsAt(run, due),
): void {
  const { basisAt, reachesBack } = at
  judgeTime(run, due, { derived, basisAt })
  const { fact, stamp } = due
  const { basis } = stamp
  if (derived === null) {
    difference(run.found, { kind: 'not_derived', fact, basis, derived, reachesBack })
    return
  }
  if (Buffer.compare(derived.bytes, fact.bytes) !== 0) {
    const other = text(derived.bytes)
    difference(run.found, { kind: 'differs', fact, basis, derived: other, reachesBack })
    return
  }
  const draft = derived.of?.draft
  if (draft?.kind === 'grounding') run.world.recall.remember(draft.name, fact.bytes, draft.data)
  const derivesSo =
    at.derivesSo ?? stand(run.standings, run.world, { due, view: derived.of?.view ?? null })
  derivesSo(derived)
}

interface Judged {
  readonly derived: Derived | null
  readonly basisAt: number
}

function judgeTime(run: Judging, { fact, stamp }: Due, { derived, basisAt }: Judged): void {
  const { name, position, appendedAt } = fact
  const data = derived?.of?.draft.data
  const callbacks = data !== undefined && 'callbacks' in data ? data.callbacks?.length : undefined
  const callbacksMs = (callbacks ?? 0) * callbackMsMax
  const why = lateness(stamp.time, { appendedAt, basisAt, callbacksMs })
  if (why !== null) note(run.findings, { kind: 'late', position, name, why })
}

// What a decider reads beside the fold may be in an era that is not here: the opening message, the
// session, and what the message refers to.
function mayReachBack({ start, world }: Judging, address: string): boolean {
  const intent = world.intents.get(address)
  if (start === null || intent === undefined) return false
  if (intent.position <= start.position || address.split('.')[1] !== '-') return true
  const opening = world.openings.peek(intent.position, world.catalog.knownConstraints)
  return (opening?.check.message?.refers_to ?? null) !== null
}
