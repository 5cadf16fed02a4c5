// Folding the facts of a log with and without a snapshot in the middle, and the facts that rotate
// an era, for tests that need no runtime.
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { nameOf } from '#record/names'
import { signData } from '#record/crypto/private-key'
import { evolve } from '#state/fold/evolve'
import { readSnapshot } from '#state/eras/restore'
import { chainOf, chainStart, writeSnapshot } from '#state/eras/genesis'
import { newState, type State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { keys } from '../../../support/runtime.ts'
import { place } from '../../../support/scene.ts'

export async function factsOf(log: LogReader): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  return facts
}

export function foldAll(facts: readonly Fact[], state: State = newState(place)): State {
  for (const fact of facts) evolve(state, fact)
  return state
}

/** The state as text: two states are the same if this is. */
export function textOf(state: State): string {
  return [...writeSnapshot(state)].join('')
}

/** The same state, out of its own snapshot. */
export function restored(state: State): State {
  return readSnapshot(writeSnapshot(state), { realm: place.realm })
}

export interface Signing {
  readonly by?: string
  readonly privateKey?: string
  /** The number of its name; the next one if not said. */
  readonly number?: number
}

/** The bytes of a fact of the next era's snapshot, signed. */
export function signedStep(
  state: State,
  content: Readonly<Record<string, Json>>,
  { by = 'root', privateKey = keys.root, number = state.snapshotSequence.next }: Signing = {},
): { readonly name: string; readonly bytes: Uint8Array } {
  const next = { realm: state.place.realm, era: state.place.era + 1 }
  const name = nameOf(next, 'snapshot', number)
  const data = jsonOf({ ...content, by })
  const signature = signData({ log: state.log, name }, data, privateKey)
  return { name, bytes: step(name, state, { ...content, by, signature }) }
}

/** A chunk under the next number. */
export function chunkStep(
  state: State,
  content: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly bytes: Uint8Array } {
  const next = { realm: state.place.realm, era: state.place.era + 1 }
  const name = nameOf(next, 'snapshot', state.snapshotSequence.next)
  return { name, bytes: step(name, state, { step: 'chunk', ...content }) }
}

function step(name: string, state: State, data: unknown): Uint8Array {
  const stamp = { source: 'test/hand', time: '2026-01-01T00:00:00.000Z', basis: state.position }
  return writeEvent('snapshot', name, jsonOf(data), stamp)
}

/** What the chunks of a sealed state say. */
export function chunksOf(state: State) {
  const texts = [...writeSnapshot(state)]
  const digests = [...chainOf(texts)]
  return texts.map((text, index) => ({
    part: index + 1,
    after: digests[index - 1] ?? chainStart,
    text,
  }))
}

/** Folds one more fact where the state stands, and says why it is void. */
export function folding(
  state: State,
  entry: { readonly name: string; readonly bytes: Uint8Array },
): string | null {
  const position = state.position + 1
  return evolve(state, { ...entry, position, appendedAt: state.appendedAt }).void
}

/** Seals the era and opens the next, as a policy admin would. */
export function turn(state: State): void {
  const { era } = state.place
  const steps = [folding(state, signedStep(state, { step: 'seal', seals: era }))]
  for (const chunk of chunksOf(state)) steps.push(folding(state, chunkStep(state, chunk)))
  steps.push(folding(state, signedStep(state, endOf(state))))
  const why = steps.find((each) => each !== null)
  if (why !== undefined) throw new Error(`the era did not turn: ${why}`)
}

export function endOf({ sealed }: State): Readonly<Record<string, Json>> {
  const { digests, position } = sealed ?? { digests: [], position: 0 }
  return { step: 'end', position, parts: digests.length, digest: digests.at(-1) ?? '' }
}
