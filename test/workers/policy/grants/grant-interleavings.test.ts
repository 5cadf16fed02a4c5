// Several workers, each with a fold of its own that may be behind, on one log that binds each name
// once: however their steps fall together, no grant answers for more than was signed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountWritten } from '#rules/budgets/decimal'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { jsonOf } from '#record/canonical'
import { readData, writeEvent } from '#record/event'
import { nameOf, partsOf } from '#record/names'
import { signData } from '#record/crypto/private-key'
import { withGrantEnded } from '#rules/grants/book'
import { newState, type State } from '#state/state'
import { CatalogFile } from '#schemas/catalog'
import { policy } from '#workers/policy/decider'
import { testKey, testPublicKey } from '#testing/setup'
import { count } from '../../../support/vitest/counts.ts'
import {
  append,
  ask,
  draftIn,
  emptyLog,
  evolveUpTo,
  heldByAll,
  place,
  rounds,
  steps,
  taken,
  type Shared,
} from '../interleaving.ts'

/** What each grant lets through: so many calls, and so much in all. */
const grants = { gq1: { uses: 3, max: 8n }, gq2: { uses: 2, max: 9n }, gr1: { uses: 4, max: 7n } }
type GrantId = keyof typeof grants
const signers = { gq1: 'quin', gq2: 'quin', gr1: 'rosa' } as const
const ids = ['gq1', 'gq2', 'gr1'] as const

const { catalog } = catalogFromFile(
  CatalogFile.parse({
    principals: [
      { id: 'bot' },
      { id: 'other' },
      { id: 'quin', keys: [testPublicKey('quin')] },
      { id: 'rosa', keys: [testPublicKey('rosa')] },
    ],
    groups: [{ id: 'desk', members: ['quin', 'rosa'] }],
    confirmations: [{ id: 'two', tier: 'four_eyes', group: 'desk', quorum: 2, sessionless: true }],
    capabilities: [
      {
        id: 'pay',
        safetyClass: 'READ',
        argsSchema: { type: 'object' },
        confirmation: 'two',
        conditions: [{ name: 'all', effect: 'confirm', when: 'true' }],
      },
    ],
    // What refuses at random gives back what was taken.
    limits: [{ capability: 'pay', uses: 2, windowMs: 40 }],
  }),
)
if (catalog === undefined) throw new Error('it is a catalog')

function sign(shared: Shared, id: GrantId): void {
  const confirmer = signers[id]
  const name = nameOf(place, 'grant', id, confirmer)
  const content = {
    confirmer,
    review: null,
    capability: 'pay',
    safetyClass: 'READ',
    agents: ['bot', 'other'],
    when: 'true',
    questions: [{ kind: 'condition', rule: 'all', confirmation: 'two' }],
    uses: grants[id].uses,
    until: '1970-01-02T00:00:00.000Z',
    budget: { of: 'args.n', max: String(grants[id].max) },
  }
  const signature = signData({ log: null, name }, jsonOf(content), testKey(confirmer))
  const stamp = { source: 'confirmer/x', time: new Date(shared.now).toISOString(), basis: 0 }
  append(shared, name, writeEvent('grant', name, jsonOf({ ...content, signature }), stamp))
}

function worker(shared: Shared): State {
  const state = newState(place)
  if (catalog !== undefined) state.catalog = catalog
  evolveUpTo(shared, state, ids.length)
  return state
}

/** What the calls come to that were allowed and cite the grant. */
function rested(shared: Shared, id: GrantId) {
  const name = nameOf(place, 'grant', id, signers[id])
  const cited = new Map<string, number>()
  for (const fact of shared.facts) {
    if (partsOf(fact.name, place)?.kind !== 'verdict') continue
    const verdict = readData('verdict', fact)
    const used = verdict?.grants?.find((one) => one.grant === name)
    if (verdict !== null && used !== undefined) cited.set(verdict.intent.address, used.use)
  }
  let total = 0n
  for (const [address, number] of cited) {
    const use = readData('use', shared.named.get(nameOf(place, 'use', id, number)))
    expect(use?.intent.address).toBe(address)
    total += amountWritten(use?.amount ?? '') / 10n ** 18n
  }
  return { calls: cited.size, total }
}

test('no grant answers for more than was signed, however several workers interleave', () => {
  let [full, asked, alone] = [0, 0, 0]
  fc.assert(
    fc.property(steps, (drawn) => {
      const shared = emptyLog()
      for (const id of ids) sign(shared, id)
      const workers = [worker(shared), worker(shared), worker(shared)]
      const newest = worker(shared)
      expect([...newest.grants.byId.keys()]).toEqual([...ids])
      const addresses = taken(shared, { workers, newest }, drawn)
      // In the end each has its verdict, or people are asked.
      for (const address of addresses) {
        rounds(shared, workers, { address, times: 6 })
        const isAsked = shared.named.has(nameOf(place, 'review', address, 1))
        expect(isAsked || shared.named.has(nameOf(place, 'verdict', address))).toBe(true)
        if (isAsked) asked += 1
      }
      const found = ids.map((id) => ({ id, ...rested(shared, id) }))
      for (const { id, calls, total } of found) {
        expect(calls).toBeLessThanOrEqual(grants[id].uses)
        expect(total <= grants[id].max).toBe(true)
        if (calls === grants[id].uses || total === grants[id].max) full += 1
      }
      // Each allow rests on both people.
      const of = (who: string) =>
        found.filter(({ id }) => signers[id] === who).reduce((sum, { calls }) => sum + calls, 0)
      expect(of('quin')).toBe(of('rosa'))
      alone += of('rosa')
      // All folds come to the same: what is taken is what is cited, or held by what is still open.
      const [first, ...others] = heldByAll(shared, workers, ({ grantUses }) =>
        [...grantUses].map(([id, uses]) => [id, uses.taken, uses.total]),
      )
      for (const other of others) expect(other).toEqual(first)
      const [state] = workers
      for (const { id, calls } of found) {
        const held = [...(state?.intents.values() ?? [])].filter((intent) => {
          return intent.grants?.some((one) => one.grant === id)
        })
        expect(state?.grantUses.get(id)?.taken ?? 0).toBe(calls + held.length)
      }
    }),
    { numRuns: count(100, 40), seed: 20_260_101 },
  )
  // It would hold as well where nothing was ever used up.
  expect(Math.min(full, asked, alone)).toBeGreaterThan(20)
})

test('a grant that has ended answers for nothing, also for a worker that took a use before', () => {
  const shared = emptyLog()
  for (const id of ids) sign(shared, id)
  const state = worker(shared)
  const address = ask(shared, state, { agent: 'bot', index: 0, n: 1 })
  evolveUpTo(shared, state, shared.facts.length)
  const use = draftIn(shared, state, policy, address)
  expect(use?.name).toContain('.use.')
  append(shared, use?.name ?? '', use?.bytes ?? new Uint8Array())
  evolveUpTo(shared, state, shared.facts.length)
  const name = nameOf(place, 'grant', 'gr1', 'rosa')
  state.grants = withGrantEnded(state.grants, name, 'main.1.revocation.x')
  expect(draftIn(shared, state, policy, address)?.name).not.toContain('.use.')
  const asks = draftIn(shared, state, policy, address)
  append(shared, asks?.name ?? '', asks?.bytes ?? new Uint8Array())
  evolveUpTo(shared, state, shared.facts.length)
  expect(draftIn(shared, state, policy, address)?.name).toContain('.review.')
})
