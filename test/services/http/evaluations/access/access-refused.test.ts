// What is refused of access requests: each problem of the profile, what is not taken, and all of it
// where the server does not have it.
import { describe, expect, test } from 'vitest'
import { decisionPoint, evaluated } from '../decision-point.ts'
import {
  accessCatalog,
  accessPoint,
  asked,
  cancelled,
  denial,
  looked,
  mayNotAsk,
  problem,
  request,
  requested,
  sending,
  taskPath,
  type Sending,
} from './access-scene.ts'
import { names } from '../../../../support/scene.ts'

const minute = 60_000
const reviews = 'main.1.review.>'

describe('a request', () => {
  test('is bound to a denial of the caller, byte for byte', async () => {
    const point = await accessPoint()
    const of = await denial(point)
    const other = await denial(point)
    const { evaluation_id: _, ...withoutId } = of
    const { binding_token: __, ...withoutToken } = of
    const { expires_at: ___, ...withoutEnd } = of
    const forged = of.binding_token.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0'))
    const wrong: readonly object[] = [
      {},
      { expires_at: of.expires_at },
      { ...of, binding_token: forged },
      { ...of, binding_token: other.binding_token },
      { ...of, binding_token: 'x' },
      { ...withoutId, binding_token: forged },
      { ...of, evaluation_id: `${of.evaluation_id}x` },
      { ...of, evaluation_id: 'main.1.verdict.gate' },
      { ...of, evaluation_id: other.evaluation_id },
      { ...of, expires_at: new Date(Date.parse(of.expires_at) + 1).toISOString() },
      withoutEnd,
    ]
    for (const one of wrong) {
      expect([one, await problem(request(point, { body: { denial: one } }))]).toEqual([
        one,
        '400 invalid_denial_binding',
      ])
    }
    expect(await problem(request(point, {}))).toBe('400 invalid_denial_binding')
    const token = await point.tokenOf('side')
    expect(await problem(request(point, { body: { denial: of }, token }))).toBe(
      '400 invalid_denial_binding',
    )
    expect(await names(point.on.log, reviews)).toEqual([])
    // Either of the two is enough.
    expect((await requested(point, { body: { denial: withoutToken } })).http).toBe(202)
    const { evaluation_id: ____, ...byToken } = other
    expect((await requested(point, { body: { denial: byToken } })).http).toBe(202)
  })

  test('is for the very call that was evaluated, in its context', async () => {
    const point = await accessPoint()
    const context = { ip: '::1', time: '10:00' }
    const of = await denial(point, sending({ context }))
    const others: readonly Readonly<Record<string, unknown>>[] = [
      { context, subject: { type: 'user', id: 'ben' } },
      { context, subject: { type: 'user', id: 'ann', properties: { role: 'admin' } } },
      { context, resource: { type: 'file', id: 'f-2' } },
      { context, action: { name: 'send', properties: { all: true } } },
      { context, action: { name: 'read' } },
      { context: { ip: '::2' } },
      { context: { ip: null } },
      {},
    ]
    for (const other of others) {
      const body = { ...other, denial: of }
      expect([other, await problem(request(point, { body }))]).toEqual([
        other,
        '400 invalid_denial_binding',
      ])
    }
    expect(await names(point.on.log, reviews)).toEqual([])
    const later = { context: { ip: '::1', time: '10:05' }, denial: of }
    const actor = {
      ...later,
      subject: { type: 'user', id: 'ann', properties: { act: { sub: 'x' } } },
    }
    expect((await requested(point, { body: actor })).http).toBe(202)
  })

  test('comes in time, and about what people would be asked', async () => {
    const point = await accessPoint()
    const of = await denial(point)
    const closed: Sending = {
      resource: { type: 'file', id: 'f-1', properties: { state: 'closed' } },
    }
    const { context } = await evaluated(point, sending(closed))
    const refused = {
      evaluation_id: String(context?.['evaluation_id']),
      expires_at: new Date(
        Date.parse(String(context?.['evaluated_at'])) + 10 * minute,
      ).toISOString(),
    }
    expect(await problem(request(point, { body: { ...closed, denial: refused } }))).toBe(
      '400 not_requestable',
    )
    point.on.time.pass(10 * minute + 1)
    await point.on.watch.settled(point.on.log)
    expect(await problem(request(point, { body: { denial: of } }))).toBe('410 expired_denial')
    const last = await denial(point)
    await mayNotAsk(point)
    expect(await problem(request(point, { body: { denial: last } }))).toBe('400 not_requestable')
    expect(await names(point.on.log, reviews)).toEqual([])
  })

  test('is one task for one key, or for one denial, and another request is not that', async () => {
    const point = await accessPoint()
    const body = { denial: await denial(point), context: { note: 'a' } }
    const first = await requested(point, { body, key: 'k-1' })
    const repeated = await requested(await point.another(), { body, key: 'k-1' })
    expect(repeated).toMatchObject({ http: 202, task: { id: first.task.id } })
    const twice = await Promise.all(
      [0, 1].map(() => requested(point, { body: { denial: body.denial } })),
    )
    expect(new Set(twice.map(({ task }) => task.id)).size).toBe(1)
    const differing: readonly object[] = [
      { ...body, context: { note: 'b' } },
      { ...body, denial: await denial(point) },
      { ...body, requested_access: { emergency: true } },
      { ...body, resource: { type: 'file', id: 'f-2' } },
    ]
    for (const other of differing) {
      const sent = request(point, { body: { ...other }, key: 'k-1' })
      expect([other, await problem(sent)]).toEqual([other, '409 duplicate_request'])
    }
    // After its time the same is answered as before, and the keys of others are others.
    point.on.time.pass(11 * minute)
    await point.on.watch.settled(point.on.log)
    const late = await requested(point, { body, key: 'k-1' })
    expect(late).toMatchObject({ http: 201, task: { id: first.task.id, status: 'expired' } })
    expect(await names(point.on.log, reviews)).toHaveLength(2)
  })

  test('says what is not taken, and does not take it', async () => {
    const point = await accessPoint()
    const base = { denial: await denial(point) }
    const untaken: readonly object[] = [
      { ...base, items: [] },
      { ...base, callback: { endpoint: 'https://x.example' } },
      { ...base, client: { actor: { id: 'ann' } } },
      { ...base, client: { actor: { id: 'gate', act: { sub: 'x' } } } },
      { ...base, requested_access: { why: 'x'.repeat(40_000) } },
    ]
    for (const body of untaken) {
      const said = await problem(request(point, { body: { ...body } }))
      expect([Object.keys(body), said]).toEqual([
        Object.keys(body),
        '400 urn:warrant:fault:request_invalid',
      ])
    }
    expect(await names(point.on.log, reviews)).toEqual([])
  })
})

describe('a task', () => {
  test('is there for its caller alone', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const token = await point.tokenOf('side')
    const get = { method: 'GET', token }
    expect(await problem(point.send(taskPath(id), null, get))).toBe('404 unknown_task')
    expect(await problem(point.send(taskPath(id, '/cancel'), {}, { token }))).toBe(
      '404 unknown_task',
    )
    for (const none of ['x', 'gate.-.x', `${id}x`]) {
      const path = taskPath(none)
      expect(await problem(point.send(path, null, { method: 'GET' }))).toBe('404 unknown_task')
    }
    const response = await point.send(taskPath(id), null, { method: 'GET', token: null })
    expect(response.status).toBe(401)
    // An evaluation of the caller's is an intent, and no task.
    const { context } = await evaluated(point, sending())
    const evaluation = taskPath(context?.intent ?? '')
    expect(await problem(point.send(evaluation, null, { method: 'GET' }))).toBe('404 unknown_task')
    expect((await looked(point, id)).task.status).toBe('pending')
  })

  test('is not taken back once it is decided, and is forgotten after a day', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    await cancelled(point, id)
    expect(await problem(point.send(taskPath(id, '/cancel'), {}))).toBe('409 invalid_task_state')
    const { task } = await looked(point, id)
    point.on.time.pass(Date.parse(task.expires_at) - point.on.time.now)
    expect((await looked(point, id)).task.status).toBe('cancelled')
    point.on.time.pass(1)
    const get = point.send(taskPath(id), null, { method: 'GET' })
    expect(await problem(get)).toBe('410 task_expired')
  })
})

test('a server without the option has nothing of it', async () => {
  const point = await decisionPoint(accessCatalog)
  const { context } = await evaluated(point, sending())
  expect(Object.keys(context ?? {}).toSorted()).toEqual(['id', 'intent', 'reasons', 'request'])
  const metadata = await point.send('/.well-known/authzen-configuration', null, { method: 'GET' })
  expect(Object.keys(Object(await metadata.json())).toSorted()).toEqual([
    'access_evaluation_endpoint',
    'access_evaluations_endpoint',
    'policy_decision_point',
    'search_action_endpoint',
    'search_resource_endpoint',
    'search_subject_endpoint',
  ])
  for (const [path, method] of [
    ['/access/v1/requests', 'POST'],
    ['/access/v1/requests/x', 'GET'],
    ['/access/v1/requests/x/cancel', 'POST'],
  ] as const) {
    expect((await point.send(path, {}, { method })).status).toBe(404)
  }
  const document = await (await point.send('/openapi.json', null, { method: 'GET' })).text()
  expect(document).not.toContain('/access/v1/requests')
  // What would be an approval elsewhere is context as any other.
  const given = await evaluated(point, sending({ context: { approval: { id: 'x' } } }))
  expect(given.context).not.toHaveProperty('next_action')

  const shown = await accessPoint()
  const found = await shown.send('/.well-known/authzen-configuration', null, { method: 'GET' })
  expect(await found.json()).toMatchObject({
    access_request_endpoint: `${shown.url}/access/v1/requests`,
    capabilities: ['urn:openid:authzen:capability:access-request'],
  })
  const all = await (await shown.send('/openapi.json', null, { method: 'GET' })).text()
  expect(all).toContain('/access/v1/requests/{id}/cancel')
})
