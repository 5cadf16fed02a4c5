// What stands behind an answer: a verdict of the caller's that is derived again, and what is
// refused before there is one.
import { expect, test } from 'vitest'
import { openingOf } from '#messages/opening'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { expectReplay } from '../../support/scene.ts'
import { decisionPoint, evaluated, type Catalog } from './decision-point.ts'

const who = { role: 'staff' }
const argsSchema = { type: 'object' }
const catalog: Catalog = {
  principals: [
    { id: 'gate', via: ['http'], evaluates: { subjects: [{ type: 'user', who }] } },
    { id: 'ann', roles: ['staff'], owner: 'olga' },
    { id: 'boss' },
  ],
  capabilities: [
    { id: 'file.read', safetyClass: 'READ', argsSchema },
    {
      id: 'file.send',
      safetyClass: 'READ',
      argsSchema,
      conditions: [{ name: 'seen', effect: 'confirm', when: 'true' }],
    },
    { id: 'file.write', safetyClass: 'WRITE', argsSchema },
  ],
  defaults: { rolesFor: { WRITE: [] } },
}

const asking = (name: string, more: object = {}) => ({
  subject: { type: 'user', id: 'ann' },
  action: { name },
  resource: { type: 'file', id: 'f-1', properties: { size: 3 } },
  ...more,
})

test('is the verdict on a message of the caller, which permits nothing', async () => {
  const point = await decisionPoint(catalog)
  const { context } = await evaluated(point, asking('read', { context: { ip: '::1' } }))
  const { log, runtime } = point.on
  const intent = context?.intent ?? ''
  expect(context).toEqual({
    id: nameOf(runtime.place, 'verdict', intent),
    intent,
    constraints: { max_rows: 50 },
  })
  const message = await log.get(nameOf(runtime.place, 'vlp', intent))
  const by = { knownConstraints: [], rules: newestRules }
  const opening = message === undefined ? null : openingOf(message, by)
  expect(opening).toMatchObject({
    ref: { agent: 'gate', session: null },
    request: {
      tool: 'file.read',
      subject: { type: 'user', id: 'ann' },
      observe: true,
      args: asking('read', { context: { ip: '::1' } }),
    },
  })
  const start = await point.send(`/v1/intents/${encodeURIComponent(intent)}/start`, {})
  expect(start.status).toBe(403)
  await expectReplay(point.on)
})

test('says where people would be asked, and what is missing', async () => {
  const point = await decisionPoint(catalog)
  const href = `${point.url}/v1/intents`
  expect(await evaluated(point, asking('send'))).toMatchObject({
    decision: false,
    context: {
      reasons: [{ code: 'no_confirmer', text: expect.stringContaining('asks no one') }],
      request: { href, method: 'POST', tool: 'file.send' },
    },
  })
  const missing = await evaluated(point, asking('write'))
  expect(missing.context?.reasons?.map(({ code }) => code)).toEqual(['insufficient_justification'])
  const given = { context: { justification: 'the customer asked for it' } }
  expect(await evaluated(point, asking('write', given))).toMatchObject({ decision: true })
})

test.each([
  ['a subject that is not named', asking('read', { subject: { type: 'user', id: 'boss' } }), true],
  ['a capability that is unknown', asking('fly'), true],
  ['an action that could be another’s', asking('a.read'), false],
  ['a name that is too long', asking('x'.repeat(300)), false],
  ['a subject no one can be', asking('read', { subject: { type: 'user', id: 'a\u0000' } }), false],
])('refuses %s, and says why', async (_, body, isRecorded) => {
  const point = await decisionPoint(catalog)
  const { decision, context } = await evaluated(point, body)
  expect([decision, context?.reasons?.length, context?.id !== undefined]).toEqual([
    false,
    1,
    isRecorded,
  ])
})

test('no one is answered whom the door does not speak for, or who asks too much', async () => {
  const closed = await decisionPoint({ ...catalog, principals: [{ id: 'gate' }] })
  expect((await closed.send('/access/v1/evaluation', asking('read'))).status).toBe(403)
  const point = await decisionPoint(catalog)
  const evaluations = Array.from({ length: 100 }, () => ({ context: {} }))
  const statuses: number[] = []
  for (let turn = 0; turn < 11; turn += 1) {
    const { status } = await point.send('/access/v1/evaluations', {
      ...asking('read'),
      evaluations,
    })
    statuses.push(status)
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
})
