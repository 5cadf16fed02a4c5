// Several workers, each with a fold of its own that may be behind, on one log that binds each name
// once: however their steps fall together, no window ever holds more than the budget allows.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { readData } from '#record/event'
import { nameOf, partsOf } from '#record/names'
import { newState, type State } from '#state/state'
import { CatalogFile } from '#schemas/catalog'
import { count } from '../../support/vitest/counts.ts'
import {
  emptyLog,
  evolveUpTo,
  heldByAll,
  place,
  rounds,
  steps,
  taken,
  type Shared,
} from './interleaving.ts'

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

function worker(shared: Shared): State {
  const state = newState(place)
  if (catalog !== undefined) state.catalog = catalog
  evolveUpTo(shared, state, 0)
  return state
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

test('no window holds more than its budget, however several workers interleave', () => {
  let [full, denied] = [0, 0]
  fc.assert(
    fc.property(steps, (drawn) => {
      const shared = emptyLog()
      const workers = [worker(shared), worker(shared), worker(shared)]
      const newest = worker(shared)
      const asked = taken(shared, { workers, newest }, drawn)
      // In the end each has its verdict.
      for (const address of asked) {
        rounds(shared, workers, { address, times: 4 })
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
      const [first, ...others] = heldByAll(shared, workers, ({ budgets }) =>
        [...budgets].map(([name, of]) => [name, [...of.byAgent], of.floor]),
      )
      for (const other of others) expect(other).toEqual(first)
    }),
    { numRuns: count(100, 40), seed: 20_260_101 },
  )
  // It would hold as well where nothing was ever used up.
  expect(Math.min(full, denied)).toBeGreaterThan(20)
})
