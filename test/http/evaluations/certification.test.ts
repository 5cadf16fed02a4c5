// What the certification scenario of AuthZEN 1.0 asks of a decision point: its eight decisions,
// requests that must be taken, those that must be refused, and what answers carry.
import { describe, expect, test } from 'vitest'
import { AuthzenMetadata, EvaluationsAnswer } from '#schemas/http/evaluations'
import { decisionPoint, decisions, evaluated, type Catalog } from './decision-point.ts'

const argsSchema = { type: 'object' }
const property = (of: string, name: string) => {
  return [
    `has(args.${of}.properties)`,
    `has(args.${of}.properties.${name})`,
    `args.${of}.properties.${name}`,
  ].join(' && ')
}
const isAdmin = `${property('subject', 'role')} == 'admin'`
const isArchived = `${property('resource', 'status')} == 'archived'`
const isSoft = `${property('action', 'soft')} == true`

const catalog: Catalog = {
  defaults: { rolesFor: { WRITE: [], DESTRUCTIVE: [] }, justificationFor: [] },
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'member' } }] },
    },
    { id: 'alice', roles: ['member', 'author'] },
    { id: 'bob', roles: ['member'] },
  ],
  capabilities: [
    { id: 'record.read', safetyClass: 'READ', argsSchema },
    {
      id: 'record.write',
      safetyClass: 'WRITE',
      argsSchema,
      conditions: [
        { name: 'authors', effect: 'require', when: `'author' in principal.roles || (${isAdmin})` },
        { name: 'archive', effect: 'deny', when: `${isArchived} && !(${isAdmin})` },
      ],
    },
    {
      id: 'record.delete',
      safetyClass: 'DESTRUCTIVE',
      argsSchema,
      conditions: [{ name: 'softly', effect: 'require', when: isSoft }],
    },
  ],
}

type Properties = Readonly<Record<string, unknown>>
const entity = (type: string, id: string, properties?: Properties) => ({
  type,
  id,
  ...(properties && { properties }),
})
const user = (id: string, properties?: Properties) => entity('user', id, properties)
const record = (id: string, properties?: Properties) => entity('record', id, properties)
const alice = user('alice')
const bob = user('bob')
const admin = user('bob', { role: 'admin' })
const active = record('record-1')
const archived = record('record-2', { status: 'archived' })
const read = { name: 'read' }
const write = { name: 'write' }
const softly = (soft: boolean) => ({ name: 'delete', properties: { soft } })
const asked = { subject: alice, action: read, resource: active }

test('the eight decisions', async () => {
  const point = await decisionPoint(catalog)
  const cases = [
    [alice, read, active, true],
    [alice, write, active, true],
    [bob, read, active, true],
    [bob, write, active, false],
    [alice, write, archived, false],
    [admin, write, archived, true],
    [alice, softly(true), active, true],
    [alice, softly(false), active, false],
  ] as const
  const found: boolean[] = []
  for (const [subject, action, resource] of cases) {
    found.push((await evaluated(point, { subject, action, resource })).decision)
  }
  expect(found).toEqual(cases.map(([, , , decision]) => decision))
})

test('takes what it does not know, with a context and more properties', async () => {
  const point = await decisionPoint(catalog)
  const more = [
    { ...asked, context: { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' } },
    { ...asked, foo: 'bar', futureField: { nested: true } },
    {
      subject: user('alice', { department: 'Sales', role: 'manager' }),
      action: { name: 'read', properties: { method: 'GET' } },
      resource: record('record-1', { status: 'active', owner: 'bob' }),
    },
    asked,
    asked,
  ]
  for (const one of more) expect(await evaluated(point, one)).toMatchObject({ decision: true })
})

describe('a request that cannot be read', () => {
  test.each([
    ['no subject', { action: read, resource: active }],
    ['no action', { subject: alice, resource: active }],
    ['no resource', { subject: alice, action: read }],
    ['a subject without a type', { ...asked, subject: { id: 'alice' } }],
    ['a subject without an id', { ...asked, subject: { type: 'user' } }],
    ['an action without a name', { ...asked, action: {} }],
    ['a resource without a type', { ...asked, resource: { id: 'record-1' } }],
    ['a resource without an id', { ...asked, resource: { type: 'record' } }],
    ['a subject that is a text', { ...asked, subject: 'alice' }],
    ['a name that is a number', { ...asked, action: { name: 123 } }],
    ['no JSON', '{'],
    ['nothing', ''],
  ])('is refused with 400: %s', async (_, body) => {
    const point = await decisionPoint(catalog)
    for (const path of ['evaluation', 'evaluations']) {
      const { status } = await point.send(`/access/v1/${path}`, body, {
        headers: { 'x-request-id': 'r-1' },
      })
      expect([path, status]).toEqual([path, 400])
    }
  })

  test('is one of another type, too', async () => {
    const point = await decisionPoint(catalog)
    const headers = { 'content-type': 'text/plain' }
    const { status } = await point.send('/access/v1/evaluation', asked, { headers })
    expect(status).toBe(400)
  })
})

test('repeats what the caller calls its request, where it refuses too', async () => {
  const point = await decisionPoint(catalog)
  const headers = { 'x-request-id': 'bfe9eb29-ab87-4ca3' }
  for (const body of [asked, '{']) {
    const answer = await point.send('/access/v1/evaluation', body, { headers })
    expect(answer.headers.get('x-request-id')).toBe('bfe9eb29-ab87-4ca3')
  }
  const stranger = await point.send('/access/v1/evaluation', asked, { headers, token: null })
  expect([stranger.status, stranger.headers.get('x-request-id')]).toEqual([
    401,
    'bfe9eb29-ab87-4ca3',
  ])
})

describe('several', () => {
  const several = { subject: alice, action: write }
  const two = [{ resource: active }, { resource: archived }]

  test('are answered in their order, with what the request has for all', async () => {
    const point = await decisionPoint(catalog)
    expect(await decisions(point, { ...several, evaluations: two })).toEqual([true, false])
    const actions = [{ action: read }, { action: write }]
    const ofBob = { subject: bob, resource: active, evaluations: actions }
    expect(await decisions(point, ofBob)).toEqual([true, false])
    const subjects = [{ subject: alice }, { subject: admin }]
    const written = { action: write, resource: archived, evaluations: subjects }
    expect(await decisions(point, written)).toEqual([false, true])
    const whole = { ...asked, action: write, evaluations: [{}, { resource: archived }] }
    expect(await decisions(point, whole)).toEqual([true, false])
    // None at all is a request for one.
    expect(await decisions(point, { ...asked, evaluations: [] })).toEqual([true])
    expect(await decisions(point, asked)).toEqual([true])
  })

  test('are each answered, where one of them cannot be read', async () => {
    const point = await decisionPoint(catalog)
    const evaluations = [{ resource: active }, {}, 'x', { resource: 7 }]
    const options = { evaluations_semantic: 'execute_all' }
    const body = { subject: alice, action: read, options, evaluations }
    expect(await decisions(point, body)).toEqual([true, false, false, false])
    const found = EvaluationsAnswer.parse(
      await (await point.send('/access/v1/evaluations', body)).json(),
    )
    expect(found).toMatchObject({
      evaluations: [{}, { context: { reasons: [{ code: 'request_invalid' }] } }, {}, {}],
    })
  })

  test('end with the first that decides, where the request wants that', async () => {
    const point = await decisionPoint(catalog)
    const evaluations = [{ resource: active }, { resource: archived }, { resource: active }]
    const of = (evaluations_semantic: string) => ({
      ...several,
      options: { evaluations_semantic },
      evaluations,
    })
    expect(await decisions(point, of('deny_on_first_deny'))).toEqual([true, false])
    expect(await decisions(point, of('permit_on_first_permit'))).toEqual([true])
    const { status } = await point.send('/access/v1/evaluations', of('whatever'))
    expect(status).toBe(400)
    const many = { ...asked, evaluations: Array.from({ length: 101 }, () => ({})) }
    expect((await point.send('/access/v1/evaluations', many)).status).toBe(400)
  })
})

test('is found by its metadata, which may be kept', async () => {
  const point = await decisionPoint(catalog)
  const at = '/.well-known/authzen-configuration'
  const answer = await point.send(at, null, { method: 'GET', token: null })
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.headers.get('cache-control')).toBe('max-age=3600')
  const metadata = AuthzenMetadata.parse(await answer.json())
  expect(metadata.policy_decision_point).toBe(point.url)
  const found = await fetch(metadata.access_evaluation_endpoint, {
    method: 'POST',
    headers: { authorization: `Bearer ${point.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  })
  expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'no-store'])
})
