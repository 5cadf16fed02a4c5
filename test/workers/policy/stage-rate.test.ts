// Counted uses: as many as the limit within its window, for each agent and capability alone,
// however many workers take them.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { stages } from '#workers/stages'
import { allow, deny, none } from '#testing/expected'
import { catalogChange, passing } from '#testing/people'
import { intent as asked } from '#testing/steps'
import { given } from '../../support/given.ts'
import { another, anyArgs, bind, codes, expectReplay, judged } from '../../support/scene.ts'
import { look, names, place, rateOf, reason, say, scene, verdict } from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'
import { twice } from '../../support/twice.ts'

const other = { ...look, id: 'other' }
const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const destroy = { ...write, id: 'destroy', safetyClass: 'DESTRUCTIVE' as const }
const capabilities = [look, other, write, destroy]
const limited = (uses: number, windowMs = 1_000) => ({
  catalog: { capabilities, limits: [{ capability: 'look', uses, windowMs }] },
})
const intent = { tool: 'look' }

const looks = (times: number) => Array.from({ length: times }, () => asked('look'))
const waits = (waitMs?: number) => {
  const params = waitMs === undefined ? {} : { params: { waitMs } }
  return deny({ code: 'rate_limited', recover: 'wait', ...params })
}

test('after as many uses as the limit the next learns how long to wait', () => {
  given(limited(2), asked('look'), passing(300), asked('look'))
    .when(asked('look'))
    .then(waits(700), none('rate'))
})

test('a use is free again exactly one window later, and not one millisecond earlier', () => {
  const on = given(limited(1), asked('look'))
  on.when(passing(999), asked('look')).then(waits(1))
  on.when(passing(1_000), asked('look')).then(allow())
})

test('a refused call takes no use', () => {
  given(limited(1))
    .when(asked('look', { concepts: ['moon'] }))
    .then(deny('ungrounded'))
    .when(asked('look'))
    .then(allow())
})

test('the uses of other agents and of other capabilities are counted apart', () => {
  const on = given(limited(1), asked('look'))
  on.when(asked('look')).then(waits())
  on.when(asked('look', { as: 'honest' })).then(allow())
  on.when(asked('other')).then(allow())
})

test('names of agents and capabilities that would run together are counted apart', () => {
  const pair = [
    { ...look, id: 'a.b' },
    { ...look, id: 'b' },
  ]
  const catalog = {
    capabilities: pair,
    principals: [{ id: 'x' }, { id: 'x.a' }],
    limits: [{ safetyClass: 'READ' as const, uses: 1, windowMs: 1_000 }],
  }
  const on = given({ catalog }, asked('a.b', { as: 'x' }))
  const both = on.when(asked('b', { as: 'x.a' })).then(allow())
  both.when(asked('b', { as: 'x.a' })).then(waits())
})

test.each([
  ['READ', 'look', 60, []],
  ['WRITE', 'write', 10, ['writer']],
  ['DESTRUCTIVE', 'destroy', 2, ['admin']],
  ['DESTRUCTIVE', 'destroy', 20, ['admin', 'service']],
])('without a limit of the catalog, %s has its own: %s %i', (_, tool, uses, roles) => {
  const asking = asked(tool, { as: 'agent', justification: reason })
  const catalog = { capabilities, principals: [{ id: 'agent', roles }] }
  const on = given({ catalog }, ...Array.from({ length: uses - 1 }, () => asking))
  const used = on.when(asking).then(allow())
  used.when(asking).then(waits())
  used.when(passing(60_000), asking).then(allow())
})

async function crowd(on: Scene, count: number): Promise<number> {
  const addresses = await Promise.all(Array.from({ length: count }, () => say(on.log, { intent })))
  const verdicts = await Promise.all(addresses.map((address) => verdict(on.log, address)))
  return verdicts.filter(({ outcome }) => outcome === 'allow').length
}

test('several workers on one log allow exactly the limit, of fifty at once', async () => {
  const on = await scene(limited(20))
  for (const id of ['second', 'third']) await another(on, { parts: { id } })
  expect(await crowd(on, 50)).toBe(20)
  expect(await names(on.log, 'main.1.rate.>')).toHaveLength(20)
  on.time.pass(1_000)
  expect(await crowd(on, 50)).toBe(20)
  await expectReplay(on)
})

test('hundreds at once take their uses one by one, and none is given up on', async () => {
  const on = await scene(limited(1_000))
  await another(on, { parts: { id: 'second' } })
  expect(await crowd(on, 200)).toBe(200)
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
  await expectReplay(on)
})

test('an intent whose job comes twice finds the use that it took', async () => {
  const on = await scene({ ...limited(20), wrap: twice })
  await another(on, { parts: { id: 'second' } })
  expect(await crowd(on, 10)).toBe(10)
  expect(await names(on.log, 'main.1.rate.>')).toHaveLength(10)
})

test('a worker that died after taking the use does not make the next one take another', async () => {
  const on = await scene({ ...limited(1), stages: [] })
  const address = await say(on.log, { intent })
  const ref = { address, agent: 'bot', session: null }
  const use = { agent: 'bot', capability: 'look', intent: ref, use: 1, uses: 1, windowMs: 1_000 }
  await bind(on.log, 'rate', nameOf(place, 'rate', 'bot', 'look', 1), use)
  await another(on, { stages })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.rate.>')).toHaveLength(1)
})

test('junk in the sequence of uses wastes its names and neither stops nor fills it', async () => {
  const on = await scene({ ...limited(2), stages: [] })
  for (const number of ['1', '3', '4', '9', '0', '-1', 'x', '99999999999999999999']) {
    await on.log.append({
      name: nameOf(place, 'rate', 'bot', 'look', number),
      bytes: Buffer.from('junk'),
    })
  }
  const live = await another(on, { stages })
  const verdicts = [await judged(live, { intent }), await judged(live, { intent })]
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(['allow', 'allow'])
  expect(codes(await judged(live, { intent }))).toEqual(['rate_limited'])
  expect((await rateOf(live.log, 'bot.look', 5)).use).toBe(5)
})

test('a use that someone forges for another’s intent counts against no one', async () => {
  const on = await scene(limited(1))
  const ref = { address: 'other.-.u1', agent: 'other', session: null }
  const use = { agent: 'other', capability: 'look', intent: ref, use: 1, uses: 1, windowMs: 1_000 }
  await bind(on.log, 'rate', nameOf(place, 'rate', 'bot', 'look', 1), use)
  expect((await judged(on, { intent })).outcome).toBe('allow')
})

test('a limit that the catalog widens or narrows later is judged by what happened before', () => {
  const limit = (uses: number) => {
    const value = [{ capability: 'look', uses, windowMs: 1_000 }]
    return catalogChange({ op: 'set', key: 'limits', value })
  }
  const wider = given(limited(2), ...looks(2))
    .when(limit(3), asked('look'))
    .then(allow())
  wider.when(asked('look')).then(waits())
  wider.when(limit(1), passing(999), asked('look')).then(waits(1))
  const free = wider.when(limit(1), passing(1_000), asked('look')).then(allow())
  free.when(asked('look')).then(waits())
})
