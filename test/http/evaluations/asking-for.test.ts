// A gateway that has people asked for those whom it asks about, on the real server: by intents of
// its own, since an evaluation asks no one.
import { expect, test } from 'vitest'
import { DecidedAnswer, WaitingAnswer } from '#schemas/http/bodies'
import { expectReplay, names, reviewOf } from '../../support/scene.ts'
import { decisionPoint, evaluated, type Catalog } from './decision-point.ts'

const subjects = [{ type: 'user', who: { role: 'staff' } }]
const minute = 60_000
const catalog: Catalog = {
  principals: [
    { id: 'gate', via: ['http'], evaluates: { subjects, asks: true } },
    { id: 'side', via: ['http'], evaluates: { subjects, asks: true } },
    { id: 'reader', via: ['http'], evaluates: { subjects } },
    { id: 'ann', roles: ['staff'], owner: 'olga' },
  ],
  groups: [{ id: 'desk', members: ['olga', 'piet', 'quin'] }],
  confirmations: [
    {
      id: 'desk',
      tier: 'four_eyes',
      sessionless: true,
      group: 'desk',
      quorum: 1,
      decideWithinMs: minute,
      useWithinMs: minute,
    },
  ],
  capabilities: [
    {
      id: 'file.send',
      safetyClass: 'READ',
      argsSchema: { type: 'object' },
      conditions: [{ name: 'seen', effect: 'confirm', when: 'true', confirmation: 'desk' }],
    },
  ],
}

const subject = { type: 'user', id: 'ann' }
const called = { subject, action: { name: 'send' }, resource: { type: 'file', id: 'f-1' } }
const intent = { tool: 'file.send', args: called, subject }

test('what people agree to the gateway starts once, on whatever server', async () => {
  const point = await decisionPoint(catalog)
  const other = await point.another()
  const published = await point.send('/v1/intents', intent)
  const { intent: id } = WaitingAnswer.parse(await published.json())
  expect(await reviewOf(point.on.log, id)).toMatchObject({
    terms: { args: called, subject: 'ann' },
    confirmers: ['piet', 'quin'],
  })
  const path = `/v1/intents/${encodeURIComponent(id)}/start`
  expect((await point.send(path, {})).ok).toBe(false)
  await point.on.decide(id, 'piet')
  await point.on.watch.settled(point.on.log)
  const token = await point.tokenOf('side')
  expect((await point.send(path, {}, { token })).ok).toBe(false)
  expect(await names(point.on.log, 'main.1.ownstart.>')).toEqual([])
  const starts = await Promise.all([point, other, point].map((one) => one.send(path, {})))
  expect(starts.filter(({ ok }) => ok)).toHaveLength(1)
  // Evaluations are denied as before: the yes was to that call.
  expect((await evaluated(point, called)).decision).toBe(false)
  await expectReplay(point.on)
})

test('no one is asked where the catalog does not let the caller', async () => {
  const point = await decisionPoint(catalog)
  const token = await point.tokenOf('reader')
  const denied = await point.send('/v1/intents', intent, { token })
  const { reasons } = DecidedAnswer.parse(await denied.json())
  expect(reasons).toMatchObject([{ code: 'no_confirmer', params: { cause: 'not_asked' } }])
  expect(await names(point.on.log, 'main.1.review.>')).toEqual([])
})

test('what an evaluation brings as an approval is context as any other', async () => {
  const point = await decisionPoint(catalog)
  const { context } = await evaluated(point, { ...called, context: { approval: { id: 'x' } } })
  expect(Object.keys(context ?? {}).toSorted()).toEqual(['id', 'intent', 'reasons', 'request'])
})
