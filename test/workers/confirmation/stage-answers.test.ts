// Answers a day: beyond them a yes alone counts for nothing, a no always counts, and what is
// answered together must be together.
import { expect, test } from 'vitest'
import type { DecisionData } from '#schemas/review'
import { readData } from '#record/event'
import { nameOf, token } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { readSnapshot } from '#state/eras/restore'
import { writeSnapshot } from '#state/eras/genesis'
import { batchFor } from '#state/slices/attention/answers'
import { newState } from '#state/state'
import type { LoggedFact } from '#state/folded'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { allow, deny, none } from '#testing/expected'
import type { Outcome } from '#testing/given'
import { catalogChange, decision, passing } from '#testing/people'
import { intent, type Step } from '#testing/steps'
import { given } from '../../support/given.ts'
import { newKey } from '../../support/runtime.ts'
import { look, place } from '../../support/scene.ts'

const day = 86_400_000
const asked = { name: 'all', when: 'true', effect: 'confirm' as const, confirmation: 'four' }
const lasting = { sessionless: true, decideWithinMs: 30 * day, useWithinMs: 30 * day }
const setup = (attention: object, members = ['piet', 'quin']) => ({
  catalog: {
    attention,
    capabilities: [{ ...look, conditions: [asked] }],
    limits: [{ capability: 'look', uses: 1_000, windowMs: 1_000 }],
    groups: [{ id: 'desk', members }],
    confirmations: [
      {
        id: 'four',
        tier: 'four_eyes' as const,
        group: 'desk',
        ...lasting,
      },
    ],
  },
})
const two = setup({ answers: [{ group: 'desk', perDay: 2 }] })

const ask = (id: string): Step => intent('look', { id, args: { id } })
const yes = (id: string, by = 'piet'): Step => decision(by, { intent: id })
const no = (id: string, by = 'piet'): Step => decision(by, { intent: id, answers: false })
const review = (id: string, number = 1) => nameOf(place, 'review', `bot.-.${token(id)}`, number)
const inBatch = (id: string, ids: readonly string[], given: object = {}): Step =>
  decision('piet', { intent: id, ...given, content: { batch: ids.map((one) => review(one)) } })
const over: readonly Step[] = [ask('a'), yes('a'), ask('b'), yes('b')]

/** What verdicts came to, in log order. */
function outcomes({ log, facts }: Outcome): readonly unknown[] {
  const names = new Set(facts.map(({ name }) => name))
  const verdicts = log.filter(({ name }) => names.has(name) && name.split('.')[2] === 'verdict')
  return verdicts.map((fact) => readData('verdict', fact)?.outcome)
}

/** Why decisions count for nothing, in log order. */
function voids(log: readonly LoggedFact[]): readonly string[] {
  const state = newState(place)
  return log.flatMap((fact) => {
    const { void: why } = evolve(state, fact)
    return why === null || fact.name.split('.')[2] !== 'decision' ? [] : [why]
  })
}

test('the last yes within the budget allows, and the next alone counts for nothing', () => {
  const from = given(two, ask('a'), yes('a'), ask('b'), ask('c'))
  from.when(yes('b')).then(allow())
  const after = from.when(yes('b'), yes('c'))
  expect(voids(after.log)).toEqual([expect.stringContaining('2 answers a day')])
  expect(after.facts.filter(({ kind }) => kind === 'verdict')).toHaveLength(1)
})

test('a no always counts, and takes one of the answers, too', () => {
  given(two, ...over, ask('c'))
    .when(no('c'))
    .then(deny('declined'))
  const from = given(two, ask('a'), no('a'), ask('b'), no('b'), ask('c'))
  from.when(yes('c')).then(none('verdict'))
})

test('another person may still answer', () => {
  given(two, ...over, ask('c'), yes('c'))
    .when(yes('c', 'quin'))
    .then(allow())
})

test('24 hours after the answer that fills the budget a yes counts again', () => {
  const from = given(two, ask('a'), yes('a'), passing(1_000), ask('b'), yes('b'), ask('c'))
  from.when(passing(day - 1_001), yes('c')).then(none('verdict'))
  from.when(passing(day - 1_000), yes('c')).then(allow())
})

test('what counts for nothing takes nothing', () => {
  const forged = decision('piet', { intent: 'b', privateKey: newKey() })
  given(two, ask('a'), yes('a'), ask('b'), forged, ask('c')).when(yes('c')).then(allow())
})

test('without a budget nothing is counted, and no one answers in batches', () => {
  const free = setup({})
  given(free, ...over, ask('c'))
    .when(yes('c'))
    .then(allow())
  const from = given(free, ask('a'), ask('b'))
  const after = from.when(inBatch('a', ['a', 'b']))
  after.then(none('verdict'))
  expect(voids(after.log)).toEqual(['nothing limits the answers of this person'])
  from.when(inBatch('a', ['a', 'b'], { answers: false })).then(none('verdict'))
})

test('over the budget a batch of two allows both', () => {
  const from = given(two, ...over, ask('c'), ask('d'))
  const both = from.when(inBatch('c', ['c', 'd']), inBatch('d', ['c', 'd']))
  expect(outcomes(both)).toEqual(['allow', 'allow'])
  const declined = inBatch('c', ['c', 'd'], { answers: false })
  expect(outcomes(from.when(declined, inBatch('d', ['c', 'd'])))).toEqual(['deny', 'allow'])
})

test('a batch of which fewer than two wait is no batch', () => {
  const from = given(two, ...over, ask('c'))
  for (const ids of [
    ['c', 'a'],
    ['c', 'nothing'],
  ]) {
    const after = from.when(inBatch('c', ids))
    after.then(none('verdict'))
    expect(voids(after.log)).toEqual(['fewer than two of its batch wait for this person'])
  }
  // What another has decided meanwhile leaves the rest of a batch that was begun.
  const begun = given(two, ...over, ask('c'), ask('d'), ask('e'), no('d', 'quin'))
  const rest = begun.when(inBatch('c', ['c', 'd', 'e']), inBatch('e', ['c', 'd', 'e']))
  expect(outcomes(rest)).toEqual(['allow', 'allow'])
})

test('a batch names what it answers, and nothing twice', () => {
  const from = given(two, ...over, ask('c'), ask('d'), ask('e'))
  const why = (ids: readonly string[]) => voids(from.when(inBatch('c', ids)).log)
  expect(why(['d', 'e'])).toEqual(['it is not in the batch that it names'])
  expect(why(['c', 'd', 'c'])).toEqual(['its batch names a review twice'])
})

test('a batch is finished before the next begins, so it is no way around the budget', () => {
  const from = given(two, ...over, ask('c'), ask('d'), ask('e'), inBatch('c', ['c', 'd']))
  const next = from.when(inBatch('e', ['e', 'd']))
  next.then(none('verdict'))
  expect(voids(next.log)).toEqual([expect.stringContaining('is not finished')])
  const after = from.when(ask('f'), no('d'), inBatch('e', ['e', 'f']), inBatch('f', ['e', 'f']))
  expect(outcomes(after)).toEqual(['deny', 'allow', 'allow'])
})

test('what is left of a batch is answered in that batch', () => {
  const folded = (...steps: readonly Step[]) => {
    const state = newState(place)
    for (const fact of given(two, ...over).when(...steps).log) evolve(state, fact)
    return state
  }
  const wanted = (...ids: readonly string[]) => ({
    names: ids.map((id) => review(id)),
    confirmer: 'piet',
    at: 0,
  })
  const before = folded(ask('c'), ask('d'))
  expect(batchFor(before, wanted('c'))).toBeNull()
  expect(batchFor(before, wanted('c', 'd'))).toEqual([review('c'), review('d')])
  const begun = folded(ask('c'), ask('d'), inBatch('c', ['c', 'd']))
  expect(batchFor(begun, wanted('d'))).toEqual([review('c'), review('d')])
  expect(batchFor(begun, { ...wanted('d'), confirmer: 'olga' })).toBeNull()
})

test('one who may not answer the others of a batch has no batch', () => {
  const only = setup({ answers: [{ person: 'piet', perDay: 1 }] })
  const entry = { ...lasting, id: 'four', tier: 'four_eyes' as const, group: 'rest', quorum: 1 }
  const from = given(
    only,
    ask('a'),
    yes('a'),
    ask('b'),
    catalogChange(
      { op: 'put', collection: 'groups', entry: { id: 'rest', members: ['quin'] } },
      { op: 'put', collection: 'confirmations', entry },
    ),
    ask('c'),
  )
  const after = from.when(inBatch('b', ['b', 'c']))
  expect(voids(after.log)).toEqual(['fewer than two of its batch wait for this person'])
})

test('of several entries about a person the smallest counts', () => {
  const both = {
    answers: [
      { group: 'desk', perDay: 2 },
      { person: 'piet', perDay: 1 },
    ],
  }
  given(setup(both), ask('a'), yes('a'), ask('b')).when(yes('b')).then(none('verdict'))
  given(setup(both), ask('a'), yes('a', 'quin'), ask('b')).when(yes('b', 'quin')).then(allow())
})

test('what was answered outlives an era, and a log without budgets has no line of it', () => {
  const folded = (log: readonly LoggedFact[]) => {
    const state = newState(place)
    for (const fact of log) evolve(state, fact)
    return state
  }
  const state = folded(
    given(two, ask('a'), yes('a'), ask('c')).when(ask('d'), inBatch('c', ['c', 'd'])).log,
  )
  const chunks = [...writeSnapshot(state)]
  expect(readSnapshot(chunks, { realm: 'main' }).answers).toEqual(state.answers)
  expect(state.answers.get('piet')?.times).toHaveLength(2)
  const free = [...writeSnapshot(folded(given(setup({})).when(...over).log))].join('')
  expect(free).not.toContain('answers"')
  expect(free).not.toContain('attention')
})

test('the catalog refuses a budget of no one, and one that cells would count apart', () => {
  const refused = (attention: object, more: object = {}) =>
    catalogFromFile({ ...more, principals: [{ id: 'a' }], attention }).refused?.code
  expect(refused({ answers: [{ person: 'a', perDay: 1 }] })).toBeUndefined()
  expect(refused({ answers: [{ person: 'b', perDay: 1 }] })).toBe('unknown_member')
  expect(refused({ answers: [{ group: 'b', perDay: 1 }] })).toBe('unknown_group')
  expect(refused({ drills: [{ group: 'b' }] }, { rules: 6 })).toBe('unknown_group')
  expect(refused({ answers: [{ person: 'a', perDay: 0 }] })).toBe('catalog_invalid')
  const cells = { cells: 2 }
  expect(refused({ answers: [{ person: 'a', perDay: 1 }] }, cells)).toBe('budget_spans_cells')
  expect(refused({ answers: [{ person: 'a', perDay: 1, perCell: true }] }, cells)).toBeUndefined()
})

test('a decision in a batch reads as it was written', () => {
  const { log } = given(two, ask('a')).when(ask('b'), inBatch('a', ['a', 'b']))
  const fact = log.find(({ name }) => name.startsWith('main.1.decision.'))
  const data: DecisionData | null = readData('decision', fact)
  expect(data?.batch).toEqual([review('a'), review('b')])
})
