// Several workers, each with a fold of its own that may be behind, on one log that binds each name
// once: however their steps fall together, no window ever holds more than the budget allows.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { readData } from '#record/event'
import { nameOf, partsOf } from '#record/names'
import { buildMessage } from '#messages/build'
import { openingOf } from '#messages/opening'
import { derivedBytes } from '#stages/derived'
import { noContext, viewOf } from '#stages/view'
import { evolve } from '#state/fold/evolve'
import type { LoggedFact } from '#state/folded'
import { newState, type State } from '#state/state'
import type { Stage } from '#stages/stage'
import { CatalogFile } from '#schemas/catalog'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { count } from '../../support/vitest/counts.ts'

const place = { realm: 'main', era: 1 }
const windowMs = 50
const maxes = { payments: 5n, calls: 3n }
const { catalog } = catalogFromFile(
  CatalogFile.parse({
    principals: [{ id: 'bot' }, { id: 'other' }],
    capabilities: [{ id: 'pay', safetyClass: 'READ', argsSchema: { type: 'object' } }],
    limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 1 }],
    budgets: [
      { name: 'payments', of: 'args.n', max: Number(maxes.payments), windowMs },
      { name: 'calls', max: Number(maxes.calls), windowMs, per: 'agent' },
    ],
  }),
)
if (catalog === undefined) throw new Error('it is a catalog')

interface Shared {
  readonly facts: LoggedFact[]
  readonly named: Map<string, LoggedFact>
  now: number
}

function append({ facts, named, now }: Shared, name: string, bytes: Uint8Array): boolean {
  if (named.has(name)) return false
  const fact = { name, bytes, position: facts.length + 1, appendedAt: now }
  facts.push(fact)
  named.set(name, fact)
  return true
}

function worker(shared: Shared): State {
  const state = newState(place)
  if (catalog !== undefined) state.catalog = catalog
  evolveUpTo(shared, state, 0)
  return state
}

function evolveUpTo({ facts }: Shared, state: State, position: number): void {
  for (const fact of facts.slice(state.position, position)) evolve(state, fact)
}

/** What the worker would bind next about the intent, by what it has folded. */
function draftIn(shared: Shared, state: State, stage: Stage, address: string) {
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

function ask(
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

/** What the allowed calls come to in the window that ends with each of them. */
function fullest(shared: Shared, budget: keyof typeof maxes): bigint {
  const allowed = new Set(
    shared.facts.flatMap((fact) => {
      const verdict = partsOf(fact.name, place)?.kind === 'verdict' && readData('verdict', fact)
      return verdict && verdict.outcome === 'allow' ? [verdict.intent.address] : []
    }),
  )
  const uses = shared.facts.flatMap((fact) => {
    const parts = partsOf(fact.name, place)
    const use = parts?.kind === 'budget' ? readData('budget', fact) : null
    if (use === null || use.budget !== budget || !allowed.has(use.intent.address)) return []
    return [{ at: fact.appendedAt, key: use.key, amount: amountWritten(use.amount) }]
  })
  let most = 0n
  for (const last of uses) {
    const inWindow = uses.filter(({ at, key }) => {
      return key === last.key && at <= last.at && at > last.at - windowMs
    })
    const sum = inWindow.reduce((all, { amount }) => all + amount, 0n)
    if (sum > most) most = sum
  }
  return BigInt(amountText(most))
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

test('no window holds more than its budget, however several workers interleave', () => {
  let [full, denied] = [0, 0]
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 120 }), (steps) => {
      const shared: Shared = { facts: [], named: new Map(), now: 1_000 }
      const workers = [worker(shared), worker(shared), worker(shared)]
      const newest = worker(shared)
      const asked: string[] = []
      const decide = (state: State, address: string): void => {
        const drafted = draftIn(shared, state, policy, address)
        if (drafted !== null) append(shared, drafted.name, drafted.bytes)
      }
      for (const one of steps) {
        if (one.is === 'pass') shared.now += one.ms
        if (one.is === 'ask') asked.push(ask(shared, newest, { ...one, index: asked.length }))
        if (one.is === 'pass' || one.is === 'ask') continue
        const state = workers[one.who]
        if (state === undefined) continue
        if (one.is === 'fold') evolveUpTo(shared, state, state.position + one.facts)
        else decide(state, asked[one.which % Math.max(1, asked.length)] ?? '')
      }
      // In the end each has its verdict.
      for (const address of asked) {
        for (let round = 0; round < 4; round += 1) {
          for (const state of workers) {
            evolveUpTo(shared, state, shared.facts.length)
            decide(state, address)
          }
        }
        expect(shared.named.has(nameOf(place, 'verdict', address))).toBe(true)
      }
      for (const budget of ['payments', 'calls'] as const) {
        const most = fullest(shared, budget)
        expect(most <= maxes[budget]).toBe(true)
        if (most === maxes[budget]) full += 1
      }
      for (const fact of shared.facts) {
        if (readData('verdict', fact)?.outcome === 'deny') denied += 1
      }
      // All folds come to the same, and hold nothing for those that were refused.
      const [first, ...others] = workers.map((state) => {
        evolveUpTo(shared, state, shared.facts.length)
        return [...state.budgets].map(([name, of]) => [name, [...of.byAgent], of.floor])
      })
      for (const other of others) expect(other).toEqual(first)
    }),
    { numRuns: count(100, 40), seed: 20_260_101 },
  )
  // It would hold as well where nothing was ever used up.
  expect(Math.min(full, denied)).toBeGreaterThan(20)
})
