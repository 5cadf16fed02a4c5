// Several workers, each with a fold of its own that may be behind, on one log that binds each name
// once: the steps that they take, drawn by a property, and what they bind.
import fc from 'fast-check'
import { readData } from '#record/event'
import { nameOf } from '#record/names'
import { buildMessage } from '#messages/build'
import { openingOf } from '#messages/opening'
import { derivedBytes } from '#stages/derived'
import { noContext, viewOf } from '#stages/view'
import { evolve } from '#state/fold/evolve'
import type { LoggedFact } from '#state/folded'
import type { State } from '#state/state'
import type { Stage } from '#stages/stage'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'

export const place = { realm: 'main', era: 1 }

export interface Shared {
  readonly facts: LoggedFact[]
  readonly named: Map<string, LoggedFact>
  now: number
}

export function append({ facts, named, now }: Shared, name: string, bytes: Uint8Array): boolean {
  if (named.has(name)) return false
  const fact = { name, bytes, position: facts.length + 1, appendedAt: now }
  facts.push(fact)
  named.set(name, fact)
  return true
}

export function emptyLog(): Shared {
  return { facts: [], named: new Map(), now: 1_000 }
}

export function evolveUpTo({ facts }: Shared, state: State, position: number): void {
  for (const fact of facts.slice(state.position, position)) evolve(state, fact)
}

/** What the worker would bind next about the intent, by what it has folded. */
export function draftIn(shared: Shared, state: State, stage: Stage, address: string) {
  const intent = state.intents.get(address)
  const opened = intent === undefined ? undefined : shared.named.get(intent.name)
  const opening = opened === undefined ? null : openingOf(opened, state.catalog)
  const view = opening === null ? null : viewOf(state, address, opening)
  if (view === null) return null
  const ground = shared.named.get(nameOf(place, 'grounding', address, 1))
  const context = { ...noContext, grounding: readData('grounding', ground) }
  const time = new Date(shared.now).toISOString()
  const draft = stage.decide({ view, context, answers: [], time })
  if (draft === null) return null
  const stamp = { source: `warrant/${stage.name}/w`, time, basis: view.basis }
  return { name: draft.name, bytes: derivedBytes(draft, view, stamp) }
}

export function ask(
  shared: Shared,
  newest: State,
  { agent, index, n }: { readonly agent: string; readonly index: number; readonly n: number },
): string {
  const address = `${agent}.-.q${index}`
  const fields = { type: 'query', sender: agent, content: 'pay', confidence: 0.5 }
  const payload = { intent: { tool: 'pay', args: { n, index } } }
  const message = buildMessage({ ...fields, payload }, { now: shared.now, id: `MSG-${index + 1}` })
  append(shared, nameOf(place, 'vlp', address), Buffer.from(JSON.stringify(message)))
  evolveUpTo(shared, newest, shared.facts.length)
  const drafted = draftIn(shared, newest, grounding, address)
  if (drafted !== null) append(shared, drafted.name, drafted.bytes)
  return address
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('ask' as const),
      n: fc.integer({ min: 1, max: 4 }),
      agent: fc.constantFrom('bot', 'other'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('fold' as const),
      who: fc.nat(2),
      facts: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({ is: fc.constant('decide' as const), who: fc.nat(2), which: fc.nat(9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 30 }) }),
  },
)

/** Some dozens of steps: someone asks, a worker folds or decides, time passes. */
export const steps = fc.array(step, { minLength: 30, maxLength: 120 })

type Steps = typeof steps extends fc.Arbitrary<infer Taken> ? Taken : never

/** Binds what the worker decides about that intent. */
function decide(shared: Shared, state: State, address: string): void {
  const drafted = draftIn(shared, state, policy, address)
  if (drafted !== null) append(shared, drafted.name, drafted.bytes)
}

/** Takes the steps, `newest` folding all that is asked; returns the addresses that were asked. */
export function taken(
  shared: Shared,
  { workers, newest }: { readonly workers: readonly State[]; readonly newest: State },
  of: Steps,
): readonly string[] {
  const asked: string[] = []
  for (const one of of) {
    if (one.is === 'pass') shared.now += one.ms
    if (one.is === 'ask') asked.push(ask(shared, newest, { ...one, index: asked.length }))
    if (one.is === 'pass' || one.is === 'ask') continue
    const state = workers[one.who]
    if (state === undefined) continue
    if (one.is === 'fold') evolveUpTo(shared, state, state.position + one.facts)
    else decide(shared, state, asked[one.which % Math.max(1, asked.length)] ?? '')
  }
  return asked
}

/** All fold all that there is and decide about the intent, so many times. */
export function rounds(
  shared: Shared,
  workers: readonly State[],
  { address, times }: { readonly address: string; readonly times: number },
): void {
  for (let round = 0; round < times; round += 1) {
    for (const state of workers) {
      evolveUpTo(shared, state, shared.facts.length)
      decide(shared, state, address)
    }
  }
}

/** What each worker holds in the end, which is the same for all. */
export function heldByAll<T>(
  shared: Shared,
  workers: readonly State[],
  held: (state: State) => T,
): readonly T[] {
  return workers.map((state) => {
    evolveUpTo(shared, state, shared.facts.length)
    return held(state)
  })
}
