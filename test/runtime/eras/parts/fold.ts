// Folding the facts of a log with and without a snapshot in the middle, and the facts that rotate
// an era, for tests that need no runtime.
import { jsonOf, type Json } from '#core/kernel/canonical'
import { writeEvent } from '#core/kernel/event'
import { nameOf } from '#core/kernel/names'
import { signData } from '#core/kernel/signature'
import { evolve } from '#core/state/fold/evolve'
import { readSnapshot } from '#core/state/eras/restore'
import { chainOf, chainStart, writeSnapshot } from '#core/state/eras/genesis'
import { newWorld, type World } from '#core/state/world'
import type { Fact, LogReader } from '#ports/log'
import { keys } from '../../../support/runtime.ts'
import { place } from '../../../support/scene.ts'

export async function factsOf(log: LogReader): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  return facts
}

export function foldAll(facts: readonly Fact[], world: World = newWorld(place)): World {
  for (const fact of facts) evolve(world, fact)
  return world
}

/** The world as text: two worlds are the same if this is. */
export function textOf(world: World): string {
  return [...writeSnapshot(world)].join('')
}

/** The same world, out of its own snapshot. */
export function restored(world: World): World {
  return readSnapshot(writeSnapshot(world), { realm: place.realm })
}

export interface Signing {
  readonly by?: string
  readonly privateKey?: string
  /** The number of its name; the next one if not said. */
  readonly number?: number
}

/** The bytes of a fact of the next era's snapshot, signed. */
export function signedStep(
  world: World,
  content: Readonly<Record<string, Json>>,
  { by = 'root', privateKey = keys.root, number = world.snapshotSequence.next }: Signing = {},
): { readonly name: string; readonly bytes: Uint8Array } {
  const next = { realm: world.place.realm, era: world.place.era + 1 }
  const name = nameOf(next, 'snapshot', number)
  const data = jsonOf({ ...content, by })
  const signature = signData({ log: world.log, name }, data, privateKey)
  return { name, bytes: step(name, world, { ...content, by, signature }) }
}

/** A chunk under the next number. */
export function chunkStep(
  world: World,
  content: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly bytes: Uint8Array } {
  const next = { realm: world.place.realm, era: world.place.era + 1 }
  const name = nameOf(next, 'snapshot', world.snapshotSequence.next)
  return { name, bytes: step(name, world, { step: 'chunk', ...content }) }
}

function step(name: string, world: World, data: unknown): Uint8Array {
  const stamp = { source: 'test/hand', time: '2026-01-01T00:00:00.000Z', basis: world.position }
  return writeEvent('snapshot', name, jsonOf(data), stamp)
}

/** What the chunks of a sealed world say. */
export function chunksOf(world: World) {
  const texts = [...writeSnapshot(world)]
  const digests = [...chainOf(texts)]
  return texts.map((text, index) => ({
    part: index + 1,
    after: digests[index - 1] ?? chainStart,
    text,
  }))
}

/** Folds one more fact where the world stands, and says why it is void. */
export function folding(
  world: World,
  entry: { readonly name: string; readonly bytes: Uint8Array },
): string | null {
  const position = world.position + 1
  return evolve(world, { ...entry, position, appendedAt: world.appendedAt }).void
}

/** Seals the era and opens the next, as a policy admin would. */
export function turn(world: World): void {
  const { era } = world.place
  const steps = [folding(world, signedStep(world, { step: 'seal', seals: era }))]
  for (const chunk of chunksOf(world)) steps.push(folding(world, chunkStep(world, chunk)))
  steps.push(folding(world, signedStep(world, endOf(world))))
  const why = steps.find((each) => each !== null)
  if (why !== undefined) throw new Error(`the era did not turn: ${why}`)
}

export function endOf({ sealed }: World): Readonly<Record<string, Json>> {
  const { digests, position } = sealed ?? { digests: [], position: 0 }
  return { step: 'end', position, parts: digests.length, digest: digests.at(-1) ?? '' }
}
