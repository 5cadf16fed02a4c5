// Binds what people, agents and their guards say, in the era that is current: nothing that an era
// before has is bound again, and what came too late for an era is bound again in the next.
import { jsonOf } from '#record/canonical'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { firstIssue, writeEvent, type Placed } from '#record/event'
import { Fault } from '#record/fault'
import { isShared, nameOf, token, type Place } from '#record/names'
import { nameInside } from '#record/roles'
import { schemaOf, type ContentOf } from '#schemas/contents'
import type { FaultCode } from '#schemas/faults/registry'
import type { EventKind, Kind } from '#schemas/kinds'
import { countsAt } from '#state/eras'
import type { State } from '#state/state'
import type { Appended, Entry, Fact } from '#ports/log'
import type { Runtime } from './runtime.ts'

export type Binding = Pick<Runtime, 'log' | 'follower' | 'timer'>

export interface SaidFact {
  readonly kind: Kind
  /** What stands behind the kind, such as the address of an intent. */
  readonly tokens: readonly string[]
  /** The bytes, with the name that they give themselves; a signature may cover it. */
  bytes(name: string): Uint8Array
}

/** Rotations that may happen while one fact is bound. */
const turnsMax = 8
/** So long may one era be sealed and the next not open. */
const turningMsMax = 30_000

/**
 * Binds it where it counts; `appended` is false where it was bound already, in whatever era. Throws
 * a Fault `era_sealed` if the log stays between two eras.
 */
export async function bindInEra(binding: Binding, said: SaidFact): Promise<Appended> {
  const { log, follower } = binding
  const { state } = follower
  for (let turn = 0; turn < turnsMax; turn += 1) {
    // Nearly always nothing has to be waited for, and the fact is bound at once.
    if (state.sealed !== null) await whenOpen(binding, state.place.era)
    const { place } = state
    const before = place.era === 1 ? undefined : await factBefore(binding, said.kind, said.tokens)
    if (before !== undefined) return { appended: false, fact: before }
    const name = nameOf(place, said.kind, ...said.tokens)
    const bound = await appendIn(log, { name, bytes: said.bytes(nameInside(name)) })
    if (bound === null) {
      await whenOpen(binding, place.era + 1)
      continue
    }
    await follower.reached(bound.fact.position)
    if (countsAt(state, bound.fact)) return bound
    if (state.place.era === place.era && state.sealed === null) {
      throw new Fault('name_spent', `\`${name}\` was bound before its era began`)
    }
  }
  throw sealedStill(state.place)
}

/** Null where the log itself takes nothing for that era any more. */
export async function appendIn(log: Binding['log'], entry: Entry): Promise<Appended | null> {
  try {
    return await log.append(entry)
  } catch (error) {
    if (error instanceof Fault && error.code === 'era_sealed') return null
    throw error
  }
}

/** The fact of that kind about the intent, in whichever era it counts. */
export async function factAbout(
  { log, follower }: Pick<Binding, 'log' | 'follower'>,
  kind: Kind,
  address: string,
): Promise<Fact | undefined> {
  const { state } = follower
  const before = await factBefore({ log, follower }, kind, [address])
  if (before !== undefined) return before
  const fact = await log.get(nameOf(state.place, kind, address))
  if (fact === undefined) return undefined
  // Whether it came too late for its era is known when it is folded.
  await follower.reached(fact.position)
  return countsAt(state, fact) ? fact : undefined
}

async function factBefore(
  { log, follower }: Pick<Binding, 'log' | 'follower'>,
  kind: Kind,
  tokens: readonly string[],
): Promise<Fact | undefined> {
  const { place, eras } = follower.state
  for (let era = 1; era < place.era; era += 1) {
    const name = nameOf({ realm: place.realm, era }, kind, ...tokens)
    // What all cells share is of no era of theirs, and is found where it is bound.
    if (isShared(name, place.realm)) return undefined
    const fact = await log.get(name)
    if (fact !== undefined && countsAt({ place, eras }, fact)) return fact
  }
  return undefined
}

/** Resolves when that era or a later one is open. */
export async function whenOpen({ follower, timer }: Binding, era: number): Promise<void> {
  const { state } = follower
  const isOpen = (): boolean => state.sealed === null && state.place.era >= era
  if (!(await follower.until(isOpen, timer, turningMsMax))) throw sealedStill(state.place)
}

function sealedStill({ era }: Place): Fault {
  const fix = 'a policy admin ends it by `warrant log rotate`'
  return new Fault('era_sealed', `era ${era} is sealed and the next is not open: ${fix}`)
}

// What a person says is bound with the signature that covers its name too. What would count for
// nothing is not bound: its name would be used for it.

export type BindsSigned = Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>

export interface SignedFact<K extends EventKind> {
  readonly kind: K
  readonly tokens: readonly string[]
  /** The principal, and what that person signs with. */
  readonly by: string
  readonly signs: SignsWith
  /** When the person gave it, which may be before it can be bound; now if not given. */
  readonly at?: number
  /** As whom its stamp has them; a confirmer if not said. */
  readonly as?: 'person'
  /** All that it says but the signature, on the state as it then is. */
  content(state: State): object
  /** Why it would count for nothing. */
  refusal(state: State, said: Placed<ContentOf<K>>): string | null
}

/** Throws a Fault of that code for what would count for nothing. */
export async function bindSigned<K extends EventKind>(
  runtime: BindsSigned,
  signing: SignedFact<K>,
  code: FaultCode,
): Promise<Appended> {
  const { kind, tokens, by, signs, as = 'confirmer' } = signing
  const { follower, clock } = runtime
  const { at = clock.now() } = signing
  const bytes = (name: string): Uint8Array => {
    const { state } = follower
    const { log, position: basis } = state
    const content = signing.content(state)
    const data = { ...content, signature: signerOf(signs)({ log, name }, jsonOf(content)) }
    const parsed = schemaOf(kind).safeParse(data)
    const refusal = parsed.success
      ? signing.refusal(state, { name, position: basis + 1, appendedAt: at, data: parsed.data })
      : firstIssue(parsed.error)
    if (refusal !== null) throw new Fault(code, `nothing is bound: ${refusal}`)
    const stamp = { source: `${as}/${token(by)}`, time: new Date(at).toISOString(), basis }
    return writeEvent(kind, name, jsonOf(data), stamp)
  }
  return bindInEra(runtime, { kind, tokens, bytes })
}
