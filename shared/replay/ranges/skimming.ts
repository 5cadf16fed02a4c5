// What the state comes to at a later position, found out quickly: what was asked, grounded and
// decided with nothing else about it leaves nothing behind, and is passed over. It is a guess, and
// never a proof: what is derived from it counts only once the replay of all before came to the very
// same state.
import { includesText } from '#platform/bytes'
import { agentIn, partsOf, type NameParts } from '#record/names'
import { kinds } from '#schemas/kinds'
import { agentStateOf, withAgent } from '#state/agents'
import { evolve, passOver } from '#state/fold/evolve'
import { isAheadOfLog, noteIdentifier, timeIn } from '#state/identifier-times'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import { addressOfRate } from '../recorded-stamp.ts'

/** An intent of which nothing was met yet but its message, its grounding and its verdict. */
interface Plain {
  readonly address: string
  /** What its identifier states. */
  readonly time: number | null
  /** Whether something else was met: then all of it is folded. */
  isFolded: boolean
  isGrounded: boolean
  isDecided: boolean
}

interface Waiting {
  readonly fact: Fact
  /** Null for what is always folded. */
  readonly of: Plain | null
  readonly does: 'opens' | 'closes' | null
}

/** What is open for longer is folded. */
const waitingMax = 16_384

export interface Skim {
  /** Facts must come in order. */
  take(fact: Fact): void
  /** Brings the state to the last of them. */
  end(): void
}

export function skimming(state: State): Skim {
  let waiting: Waiting[] = []
  let first = 0
  const open = new Map<string, Plain>()
  let last: Fact | null = null
  const foldNext = (): void => {
    const next = waiting[first]
    first += 1
    if (next === undefined) return
    last = next.fact
    // What is not decided by now is folded, with all that is to come of it.
    if (next.of?.isDecided === false) next.of.isFolded = true
    if (next.of === null || next.of.isFolded) evolve(state, next.fact)
    else if (next.does !== null) passOverPlain(state, next.fact, next.of, next.does)
  }
  const foldAll = (): void => {
    while (first < waiting.length) foldNext()
    // What was passed over last has moved the log on, too.
    if (last !== null) passOver(state, last)
    waiting = []
    first = 0
    last = null
    open.clear()
  }
  return {
    take(fact) {
      const parts = state.sealed === null ? partsOf(fact.name, state.place) : null
      if (parts === null || standsAlone(fact, parts)) {
        foldAll()
        evolve(state, fact)
        return
      }
      waiting.push(plainPart(open, fact, parts) ?? { fact, of: null, does: null })
      if (waiting.length - first > waitingMax) foldNext()
      if (first < waitingMax) return
      waiting = waiting.slice(first)
      first = 0
    },
    end: foldAll,
  }
}

// An era is sealed with what is open then, and a fault may set aside what is.
function standsAlone(fact: Fact, { kind }: NameParts): boolean {
  if (kinds[kind].about === 'era') return true
  return kind === 'fault' && includesText(fact.bytes, '"decision_stuck"')
}

/** Null for what must be folded. */
function plainPart(open: Map<string, Plain>, fact: Fact, parts: NameParts): Waiting | null {
  const { kind } = parts
  const address = parts.address ?? addressIn(fact, parts)
  const of = address === null ? undefined : open.get(address)
  if (address === null || (of === undefined && kind !== 'vlp')) return null
  if (of === undefined) {
    const time = timeIn(address)
    if (time !== null && isAheadOfLog(time, fact.appendedAt)) return null
    const opened = { address, time, isFolded: false, isGrounded: false, isDecided: false }
    open.set(address, opened)
    return { fact, of: opened, does: 'opens' }
  }
  if (kind === 'grounding' && !of.isGrounded) {
    of.isGrounded = true
    return { fact, of, does: null }
  }
  if (kind !== 'verdict') {
    of.isFolded = true
    return null
  }
  of.isDecided = true
  open.delete(address)
  return { fact, of, does: 'closes' }
}

/** Of what names no intent and takes something for one; an agent's own uses leave it as it is. */
function addressIn(fact: Fact, { kind, tokens }: NameParts): string | null {
  if (kinds[kind].about !== 'use') return null
  const address = addressOfRate(fact)
  const isOwn = (kind === 'rate' || kind === 'asked') && address.startsWith(`${tokens[0]}.`)
  return isOwn ? null : address
}

function passOverPlain(
  state: State,
  { appendedAt }: Fact,
  { address, time }: Plain,
  does: 'opens' | 'closes',
): void {
  state.appendedAt = appendedAt
  if (does === 'opens') noteIdentifier(state, time)
  // Of an agent that has too many open, what comes next counts for less.
  const of = agentStateOf(state, address)
  const open = does === 'opens' ? of.open + 1 : Math.max(0, of.open - 1)
  withAgent(state, agentIn(address), { ...of, open })
}
