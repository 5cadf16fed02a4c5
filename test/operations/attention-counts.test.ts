// What is counted of people’s answers: by person and by rule, only what counts, and for whose eyes.
import { expect, test } from 'vitest'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { LoggedFact } from '#state/folded'
import { countingAttention, newAttention } from '#operations/attention/counted'
import { answersMin, attentionReport } from '#operations/attention/report'
import { seenBy } from '#operations/attention/seen-by'
import type { MeantOptions } from '#operations/finding/filter'
import { decision, passing, withdrawal } from '#testing/people'
import { intent, type Step } from '#testing/steps'
import { given } from '../support/given.ts'
import { newKey } from '../support/runtime.ts'
import { look, place } from '../support/scene.ts'

const asks = (name: string) => ({
  name,
  when: `args.${name}`,
  effect: 'confirm' as const,
  confirmation: 'four',
})
const flags = { type: 'object', properties: { big: { type: 'boolean' }, odd: { type: 'boolean' } } }
const setup = {
  catalog: {
    capabilities: [
      {
        ...look,
        argsSchema: { ...flags, required: ['big', 'odd'] },
        conditions: [asks('big'), asks('odd')],
      },
    ],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      {
        id: 'four',
        tier: 'four_eyes' as const,
        group: 'desk',
        sessionless: true,
        decideWithinMs: 60_000,
      },
    ],
  },
}

const ask = (id: string, big = true, odd = false): Step =>
  intent('look', { id, args: { big, odd } })
const by = (person: 'piet' | 'quin', answers: boolean | boolean[] = true): Step =>
  decision(person, { answers })

function counted(steps: readonly Step[], options: MeantOptions = {}) {
  const { log } = given(setup).when(...steps)
  return { log, ...countedOf(log, options) }
}

function countedOf(log: readonly LoggedFact[], options: MeantOptions = {}) {
  const state = newState(place)
  const counts = newAttention()
  const count = countingAttention(counts, options)
  for (const fact of log) count.take(fact, evolve(state, fact), state)
  return { report: attentionReport(counts), catalog: state.catalog }
}

test('a rule and a person have their answers, their times and their rates', () => {
  const { report } = counted([
    ask('one'),
    passing(10_000),
    by('piet'),
    ask('two', true, true),
    passing(20_000),
    by('piet', [true, false]),
    ask('three'),
    passing(30_000),
    by('quin'),
  ])
  expect(report.all).toMatchObject({ reviews: 3, answers: 3, agreed: 2, declined: 1, expired: 0 })
  expect(report.all).toMatchObject({
    waitedMs: 60_000,
    timeToDecide: { medianMs: 20_000, p90Ms: 30_000 },
  })
  const [piet, quin] = report.people
  expect(piet).toMatchObject({ person: 'piet', asked: 3, answers: 2, agreedShare: 0.5, quick: 0 })
  expect(quin).toMatchObject({ person: 'quin', asked: 3, answers: 1, agreedShare: 1 })
  expect(report.rules).toMatchObject([
    { kind: 'condition', rule: 'big', questions: 3, refused: 0, refusedShare: 0, answers: 3 },
    { kind: 'condition', rule: 'odd', questions: 1, refused: 1, refusedShare: 1, agreedShare: 0 },
  ])
})

test('quick is less than three seconds after the question, or after one’s answer before', () => {
  const quick = (...steps: readonly Step[]): number => counted(steps).report.all.quick
  expect(quick(ask('one'), passing(2_999), by('piet'))).toBe(1)
  expect(quick(ask('one'), passing(3_000), by('piet'))).toBe(0)
  const both = [ask('one'), passing(9_000), ask('two'), passing(9_000), by('piet')]
  const other = decision('piet', { intent: 'one' })
  expect(quick(...both, passing(2_999), other)).toBe(1)
  expect(quick(...both, passing(3_000), other)).toBe(0)
})

test('what expires counts against its rule, and against those who did not answer', () => {
  const { report } = counted([ask('one'), passing(60_001)])
  expect(report.all).toMatchObject({ reviews: 1, expired: 1, answers: 0, agreedShare: null })
  expect(report.people).toMatchObject([{ unanswered: 1 }, { unanswered: 1 }])
  expect(report.rules).toMatchObject([{ expired: 1, changesNothing: false }])
  // What its agent took back has not expired.
  expect(counted([ask('one'), withdrawal()]).report.all).toMatchObject({ reviews: 1, expired: 0 })
})

test('an answer that another key signed, or that came twice, is not counted', () => {
  const forged = decision('piet', { privateKey: newKey() })
  expect(counted([ask('one'), forged]).report.all).toMatchObject({ answers: 0, waitedMs: 0 })
})

test('a rule changes nothing when it was answered often enough, and each time with yes', () => {
  const answered = (count: number, last: boolean): readonly Step[] =>
    Array.from({ length: count }, (_, index) => [
      ask(`i${index}`),
      passing(5_000),
      by('quin', index < count - 1 || last),
      passing(120_000),
    ]).flat()
  const idle = (steps: readonly Step[]) => counted(steps).report.rules[0]?.changesNothing
  expect(idle(answered(answersMin, true))).toBe(true)
  expect(idle(answered(answersMin - 1, true))).toBe(false)
  expect(idle(answered(answersMin, false))).toBe(false)
  expect(idle([...answered(answersMin, true), ask('last'), passing(60_001)])).toBe(false)
})

test('questions are counted by the day on which they came', () => {
  const { report } = counted([ask('one'), ask('two'), passing(2 * 86_400_000), ask('three')])
  expect(report.people[0]).toMatchObject({ asked: 3, perDay: { mean: 1, most: 2 } })
})

test('a review counts when it was opened within the time, by agent and tool', () => {
  const { log } = counted([ask('one'), passing(10_000), ask('two'), passing(5_000), by('piet')])
  const [first, second] = log.filter(({ name }) => name.startsWith('main.1.review.'))
  const of = (options: MeantOptions) => countedOf(log, options).report.all.reviews
  const [from = 0, to = 0] = [first?.appendedAt, second?.appendedAt]
  expect([of({}), of({ since: from }), of({ since: from + 1 }), of({ until: to - 1 })]).toEqual([
    2, 2, 1, 1,
  ])
  expect([of({ agent: ['bot'] }), of({ agent: ['x'] }), of({ tool: ['look'] })]).toEqual([2, 0, 2])
})

test('of people each sees their own, a policy admin all, and anyone else none', () => {
  const { report, catalog } = counted([ask('one'), passing(5_000), by('piet')])
  const seen = (...viewers: string[]) =>
    seenBy(report, viewers, catalog).people.map(({ person }) => person)
  expect(seen()).toEqual([])
  expect(seen('bot')).toEqual([])
  expect(seen('piet')).toEqual(['piet'])
  expect(seen('root').toSorted()).toEqual(['piet', 'quin'])
  const principals = new Map(catalog.principals)
  const root = principals.get('root')
  if (root !== undefined) principals.set('root', { ...root, suspended: true })
  expect(seenBy(report, ['root'], { principals }).people).toEqual([])
})
