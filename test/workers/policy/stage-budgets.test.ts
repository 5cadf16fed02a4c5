// Budgets as the stages keep them: counts and sums in a sliding window, for each key alone, exact
// under several workers, and given back where something else refuses.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import type { Budget } from '#schemas/budgets/budget'
import { keyToken } from '#rules/budgets/reading'
import { stages } from '#workers/stages'
import { allow, bound, deny, none } from '#testing/expected'
import { catalogChange, decision, passing, withdrawal } from '#testing/people'
import { intent as asked } from '#testing/steps'
import { given } from '../../support/given.ts'
import { another, anyArgs, bind, codes, deletion, erase } from '../../support/scene.ts'
import { expectReplay, judged, names, place, replayed, say } from '../../support/scene.ts'
import { scene, verdict } from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'
import { twice } from '../../support/twice.ts'

const READ = 'READ' as const
const capabilities = ['pay', 'mail', 'both'].map((id) => ({
  id,
  safetyClass: READ,
  argsSchema: anyArgs,
}))
const limits = [{ safetyClass: READ, uses: 'unlimited' as const, windowMs: 1 }]
const windowMs = 1_000
const payments: Budget = {
  name: 'payments',
  of: 'args.n',
  max: 10,
  windowMs,
  capabilities: ['pay'],
}
const mails: Budget = { name: 'mails', max: 2, windowMs, per: 'args.to', capabilities: ['mail'] }
const under = (...budgets: Budget[]) => ({
  catalog: { capabilities: [...capabilities, erase], limits, budgets },
  graph: deletion({ name: 'asked', confirmationMessage: 'really?' }),
})

const pay = (n: unknown, more = {}) => asked('pay', { args: { n: json(n) }, ...more })
const mail = (to: string, more = {}) => asked('mail', { args: { to }, ...more })
const exceeded = (params: object) => deny({ code: 'budget_exceeded', params })
const set = (...value: Budget[]) => catalogChange({ op: 'set', key: 'budgets', value })

function json(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : String(value)
}

test('a sum is exact, and what exceeds it learns the budget, what is used and when it frees', () => {
  given(under(payments), pay(0.1), passing(300), pay('9.7'), pay(0.2))
    .when(pay('0.000000000000000001'))
    .then(
      deny({
        code: 'budget_exceeded',
        recover: 'wait',
        params: {
          budget: 'payments',
          limit: '10',
          used: '10',
          asked: '0.000000000000000001',
          waitMs: 700,
          windowMs,
        },
      }),
      none('budget'),
    )
})

test('what is used frees exactly one window later, and not one millisecond earlier', () => {
  const on = given(under(payments), pay(6), passing(500), pay(4))
  on.when(passing(499), pay(1)).then(exceeded({ waitMs: 1 }))
  const freed = on.when(passing(500), pay(6)).then(allow())
  freed.when(pay(1)).then(exceeded({ waitMs: 500, used: '10' }))
})

test('what is more than the whole of it can never be allowed, and recovers never', () => {
  given(under(payments))
    .when(pay(10.5))
    .then(deny({ code: 'budget_exceeded', recover: 'never', params: { cause: 'alone' } }))
    .when(pay(10))
    .then(allow())
})

test('what cannot be counted is refused, and nothing is taken for it', () => {
  const on = given(under(payments))
  for (const n of [-1, '1e400', 'NaN', '-0', '', 1e-30]) {
    on.when(pay(n)).then(deny({ code: 'budget_invalid', recover: 'fix' }), none('budget'))
  }
  on.when(asked('pay')).then(deny('budget_invalid'), none('budget'))
  on.when(pay(0)).then(allow(), none('budget'))
})

test('each key has a window of its own, and spelling it otherwise makes no other', () => {
  const on = given(under(mails), mail('x.com'), mail(' X.com.'))
  on.when(mail('x.c\u200bom')).then(exceeded({ key: 'x.com', limit: '2', counts: 'calls' }))
  on.when(mail('y.com')).then(allow())
  on.when(mail('')).then(deny('budget_invalid'))
})

test('agents of one owner share what is per owner, and those of others do not', () => {
  const owned = { ...payments, per: 'owner' }
  const catalog = {
    ...under(owned).catalog,
    principals: [{ id: 'child', owner: 'bot' }, { id: 'alone' }],
  }
  const on = given({ ...under(owned), catalog }, pay(6), pay(4, { as: 'child' }))
  on.when(pay(1)).then(exceeded({ key: 'olga' }))
  on.when(pay(1, { as: 'child' })).then(exceeded({ key: 'olga' }))
  on.when(pay(1, { as: 'alone' })).then(allow())
})

test('a call that another budget refuses takes nothing of any', () => {
  const other: Budget = { ...payments, name: 'other', of: 'args.m', max: 1 }
  const both = (n: number, m: number) => asked('pay', { args: { n, m } })
  const on = given(under(payments, other), both(5, 1))
  on.when(both(5, 1)).then(exceeded({ budget: 'other' }), none('budget'))
  on.when(both(5, 0)).then(allow())
})

test('what an intent has taken is free again where its people decline', async () => {
  const budget: Budget = { ...mails, name: 'erased', per: 'agent', max: 1, capabilities: ['erase'] }
  const on = await scene({ ...under(budget), stages: [] })
  const address = await say(on.log, { intent: { tool: 'erase', args: {} } })
  const ref = { address, agent: 'bot', session: null }
  // A worker took it before it was gone; the next one has to ask people first.
  const data = {
    intent: ref,
    budget: 'erased',
    key: 'bot',
    use: 1,
    amount: '1',
    max: '1',
    windowMs,
  }
  await bind(on.log, 'budget', nameOf(place, 'budget', 'erased', 'bot', 1), data)
  const live = await another(on, { stages })
  await live.bot.withdraw(address, 'not any more')
  expect((await verdict(live.log, address)).outcome).toBe('deny')
  await live.runtime.follower.reached((await live.log.head()).position)
  expect(live.runtime.follower.state.budgets.get('erased')?.keys.size).toBe(0)
})

test('an approval is no claim on a budget: it is checked again, and taken, at release', () => {
  const budget: Budget = { ...mails, name: 'erased', per: 'agent', max: 1, capabilities: ['erase'] }
  const ask = (id: string, path: string) => asked('erase', { id, args: { path } })
  const on = given(under(budget), ask('one', 'a'), ask('two', 'b'))
  const done = on.when(decision('olga', { intent: 'two' })).then(allow(), bound('budget'))
  done.when(decision('olga', { intent: 'one' })).then(exceeded({ budget: 'erased' }))
  done.when(ask('three', 'c')).then(exceeded({ budget: 'erased' }), none('review'))
  on.when(withdrawal('two'), decision('olga', { intent: 'one' })).then(allow())
})

test('a limit that is raised or lowered is judged by what happened before', () => {
  const on = given(under(payments), pay(6))
  on.when(set({ ...payments, max: 5 }), pay(1)).then(exceeded({ used: '6', limit: '5' }))
  on.when(set({ ...payments, max: 12 }), pay(6)).then(allow())
  on.when(set({ ...payments, windowMs: 10 }), passing(10), pay(10)).then(allow())
})

test('a budget begins from zero under another name, and after it was removed', () => {
  const on = given(under(payments), pay(10))
  on.when(set({ ...payments, name: 'other' }), pay(10)).then(allow())
  on.when(set(), pay(50)).then(allow(), none('budget'))
  const again = on.when(set(), set(payments), pay(10)).then(allow())
  again.when(pay(1)).then(exceeded({ used: '10' }))
})

async function crowd(on: Scene, calls: readonly object[]): Promise<number> {
  const said = calls.map((args) => say(on.log, { intent: { tool: 'pay', args: { ...args } } }))
  const addresses = await Promise.all(said)
  const verdicts = await Promise.all(addresses.map((address) => verdict(on.log, address)))
  return verdicts.filter(({ outcome }) => outcome === 'allow').length
}

test('several workers on one log allow exactly the budget, of fifty at once', async () => {
  const on = await scene(under({ ...payments, max: '2.0' }))
  for (const id of ['second', 'third']) await another(on, { parts: { id } })
  const calls = Array.from({ length: 50 }, (_, index) => ({ n: 0.1, index }))
  expect(await crowd(on, calls)).toBe(20)
  expect(await names(on.log, 'main.1.budget.>')).toHaveLength(20)
  on.time.pass(windowMs)
  expect(await crowd(on, calls)).toBe(20)
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
  await expectReplay(on)
})

test('two workers that race for the last of two budgets leave nothing taken for nothing', async () => {
  const first: Budget = { name: 'first', max: 3, windowMs, capabilities: ['pay'] }
  const last: Budget = { ...first, name: 'last', max: 1 }
  const on = await scene(under(first, last))
  await another(on, { parts: { id: 'second' } })
  expect(await crowd(on, [{ n: 1 }, { n: 2 }, { n: 3 }])).toBe(1)
  await on.runtime.follower.reached((await on.log.head()).position)
  const { budgets } = on.runtime.follower.state
  expect(['first', 'last'].map((name) => budgets.get(name)?.byAgent.get('bot'))).toEqual([1, 1])
  await expectReplay(on)
})

test('an intent whose job comes twice finds what it took', async () => {
  const on = await scene({ ...under(payments), wrap: twice })
  await another(on, { parts: { id: 'second' } })
  expect(
    await crowd(
      on,
      Array.from({ length: 10 }, (_, index) => ({ n: 1, index })),
    ),
  ).toBe(10)
  expect(await names(on.log, 'main.1.budget.>')).toHaveLength(10)
})

test('junk among the uses wastes its names and neither stops nor fills the budget', async () => {
  const on = await scene({ ...under({ ...payments, max: 2 }), stages: [] })
  for (const number of ['1', '3', '4', '9', '0', 'x', '99999999999999999999']) {
    const name = nameOf(place, 'budget', 'payments', '-', number)
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  const live = await another(on, { stages })
  const ask = () => judged(live, { intent: { tool: 'pay', args: { n: 1 } } })
  expect([(await ask()).outcome, (await ask()).outcome]).toEqual(['allow', 'allow'])
  expect(codes(await ask())).toEqual(['budget_exceeded'])
  expect(await names(live.log, 'main.1.budget.payments.-.5')).toHaveLength(1)
})

test('what someone forges for no open intent, or twice, counts against no one', async () => {
  const on = await scene(under({ ...payments, max: 1 }))
  const data = { budget: 'payments', key: null, amount: '1', max: '1', windowMs }
  const intent = { address: 'bot.-.gone', agent: 'bot', session: null }
  const name = nameOf(place, 'budget', 'payments', '-', 1)
  await bind(on.log, 'budget', name, { ...data, intent, use: 1 })
  const paid = { intent: { tool: 'pay', args: { n: 1 } } }
  expect((await judged(on, paid)).outcome).toBe('allow')
})

test('a use under the name of another key, or of another budget, takes nothing of it', async () => {
  const one: Budget = { ...mails, max: 1 }
  const paid: Budget = { ...one, name: 'paid', capabilities: ['pay'] }
  const on = await scene({ ...under(one, paid), stages: [] })
  const asking = (tool: string, to: string) => ({ intent: { tool, args: { to } } })
  const address = await say(on.log, asking('mail', 'x.com'))
  const intent = { address, agent: 'bot', session: null }
  const data = { intent, budget: 'mails', key: 'x.com', use: 1, amount: '1', max: '1', windowMs }
  const forged = [
    ['mails', keyToken('y.com')],
    ['paid', keyToken('x.com')],
  ] as const
  for (const [budget, key] of forged) {
    await bind(on.log, 'budget', nameOf(place, 'budget', budget, key, 1), data)
  }
  const live = await another(on, { stages })
  const outcomes = [
    await judged(live, asking('mail', 'y.com')),
    await judged(live, asking('pay', 'x.com')),
    await verdict(live.log, address),
  ]
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['allow', 'allow', 'allow'])
  expect(await replayed(live)).toMatchObject({ differences: forged.length })
})

test('a call takes up to 64 uses, and one that would take more is refused', () => {
  const per = 'args.to'
  const named = (name: string): Budget => ({ ...mails, name, per })
  const to = Array.from({ length: 32 }, (_, index) => `d${index}`)
  const many = asked('mail', { args: { to } })
  given(under(named('one'), named('two')))
    .when(many)
    .then(allow(), bound('budget', { budget: 'two', key: 'd31' }))
  given(under(named('one'), named('two'), named('three')))
    .when(many)
    .then(deny({ code: 'budget_invalid', params: { budget: 'three', cause: 'key_many' } }))
})
