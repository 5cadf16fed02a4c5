// What searches are asked and answered: what the certification scenario of AuthZEN 1.0 wants of
// them, pages, and what is refused.
import { describe, expect, test } from 'vitest'
import { AuthzenMetadata } from '#schemas/http/evaluations'
import { SearchAnswer } from '#schemas/http/searches'
import { decisionPoint, evaluated, searched, type Catalog } from './decision-point.ts'

const argsSchema = { type: 'object' }
const isAdmin =
  'has(args.subject.properties) && has(args.subject.properties.role) && ' +
  `args.subject.properties.role == 'admin'`
const isArchived = `args.resource.properties.status == 'archived'`

const catalog: Catalog = {
  defaults: { rolesFor: { WRITE: [], DESTRUCTIVE: [] }, justificationFor: [] },
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'member' } }] },
    },
    { id: 'alice', roles: ['member', 'author'] },
    { id: 'bob', roles: ['member'], attributes: { role: 'admin' } },
    { id: 'boss', roles: ['author'] },
  ],
  capabilities: [
    { id: 'record.read', safetyClass: 'READ', argsSchema },
    {
      id: 'record.write',
      safetyClass: 'WRITE',
      argsSchema,
      conditions: [
        {
          name: 'active',
          effect: 'require',
          when: `${isArchived} || 'author' in principal.roles`,
        },
        {
          name: 'archive',
          effect: 'deny',
          when: `${isArchived} && !(${isAdmin}) && !('role' in principal.attributes)`,
        },
      ],
    },
    {
      id: 'record.send',
      safetyClass: 'READ',
      argsSchema,
      conditions: [{ name: 'seen', effect: 'confirm', when: 'true' }],
    },
    { id: 'record.old.read', safetyClass: 'READ', argsSchema },
    { id: 'note.read', safetyClass: 'READ', argsSchema },
  ],
  resources: [
    { id: 'record:record-2', properties: { status: 'archived' } },
    { id: 'record:record-1', properties: { status: 'active' } },
    { id: 'page:1' },
  ],
}

type Properties = Readonly<Record<string, unknown>>
const user = (id: string, properties?: Properties) => ({
  type: 'user',
  id,
  ...(properties && { properties }),
})
const record = (id: string, properties?: Properties) => ({
  type: 'record',
  id,
  ...(properties && { properties }),
})
const read = { name: 'read' }
const write = { name: 'write' }
const users = { type: 'user' }
const records = { type: 'record' }
const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
const [alice, bob] = [user('alice'), user('bob')]
const [first, second] = [record('record-1'), record('record-2')]
const whoReads = { subject: users, action: read, resource: first }
const whatIsRead = { subject: alice, action: read, resource: records }
const whatMay = { subject: alice, resource: first }

describe('a search', () => {
  test.each([
    ['subject', whoReads, [alice, bob]],
    ['subject', { ...whoReads, context }, [alice, bob]],
    ['subject', { ...whoReads, subject: alice }, [alice, bob]],
    ['subject', { ...whoReads, subject: { ...users, id: 7 }, foo: 'bar' }, [alice, bob]],
    ['subject', { ...whoReads, action: write }, [alice]],
    ['subject', { ...whoReads, action: write, resource: second }, [bob]],
    ['resource', whatIsRead, [first, second]],
    ['resource', { ...whatIsRead, context }, [first, second]],
    ['resource', { ...whatIsRead, resource: first }, [first, second]],
    ['resource', { ...whatIsRead, action: write }, [first]],
    [
      'resource',
      { ...whatIsRead, subject: user('bob', { role: 'admin' }), action: write },
      [second],
    ],
    ['action', whatMay, [read, write]],
    ['action', { ...whatMay, context }, [read, write]],
    ['action', { ...whatMay, action: write }, [read, write]],
    [
      'action',
      { subject: bob, resource: record('record-2', { status: 'archived' }) },
      [read, write],
    ],
    // What the caller says of a record that is listed changes nothing; of another it counts.
    ['action', { subject: bob, resource: record('record-1', { status: 'archived' }) }, [read]],
    ['action', { subject: bob, resource: record('x', { status: 'archived' }) }, [read, write]],
  ] as const)('finds by %s: %j', async (of, body, found) => {
    const point = await decisionPoint(catalog)
    const { results, page, context: said } = await searched(point, of, body)
    expect(results).toEqual(found)
    expect(page).toEqual({ next_token: '', count: found.length })
    expect(said).toEqual({ id: expect.any(String), intent: expect.stringMatching(/^gate\.-\./) })
  })

  test.each([
    ['a subject that is unknown', 'action', { ...whatMay, subject: user('x') }, 'subject_refused'],
    [
      'one that may not be asked about',
      'action',
      { ...whatMay, subject: user('boss') },
      'subject_refused',
    ],
    [
      'an action that is unknown',
      'subject',
      { ...whoReads, action: { name: 'fly' } },
      'unknown_capability',
    ],
    [
      'a type of subjects',
      'subject',
      { ...whoReads, subject: { type: 'ship' } },
      'nothing_to_search',
    ],
    [
      'a type of resources that is not listed',
      'resource',
      { ...whatIsRead, resource: { type: 'ship' } },
      'unknown_capability',
    ],
    [
      'a type of which nothing is listed',
      'resource',
      { ...whatIsRead, resource: { type: 'note' } },
      'nothing_to_search',
    ],
    [
      'a type without actions',
      'action',
      { ...whatMay, resource: { type: 'ship', id: '1' } },
      'nothing_to_search',
    ],
    [
      'a name that is too long',
      'action',
      { ...whatMay, resource: { type: 'x'.repeat(300), id: '1' } },
      'request_invalid',
    ],
    [
      'a subject no one can be',
      'resource',
      { ...whatIsRead, subject: user('a\u0000') },
      'request_invalid',
    ],
    [
      'an action that could be another’s',
      'resource',
      { ...whatIsRead, action: { name: 'old.read' } },
      'request_invalid',
    ],
  ] as const)('finds nothing for %s, and says why', async (_, of, body, code) => {
    const point = await decisionPoint(catalog)
    const answer = await searched(point, of, body)
    expect(answer).toMatchObject({ results: [], page: { next_token: '', count: 0 } })
    expect(answer.context.reasons?.map((one) => one.code)).toEqual([code])
  })

  test.each([
    ['subject', { subject: users, resource: first }],
    ['subject', { subject: users, action: read, resource: records }],
    ['subject', { action: read, resource: first }],
    ['resource', { action: read, resource: records }],
    ['resource', { subject: users, action: read, resource: records }],
    ['action', { subject: alice }],
    ['action', { subject: users, resource: first }],
    ['action', { subject: alice, resource: records }],
    ['action', { ...whatMay, page: { limit: -1 } }],
    ['action', { ...whatMay, page: { limit: 'all' } }],
    ['action', { ...whatMay, page: { token: 'x' } }],
    ['action', '{'],
  ])('is refused with 400 where %s lacks something: %j', async (of, body) => {
    const point = await decisionPoint(catalog)
    const headers = { 'x-request-id': 'r-1' }
    const answer = await point.send(`/access/v1/search/${of}`, body, { headers })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([400, 'r-1'])
  })

  test('does not find what people would be asked about, nor what the caller may not ask', async () => {
    const point = await decisionPoint(catalog)
    const { results } = await searched(point, 'subject', { ...whoReads, action: { name: 'send' } })
    expect(results).toEqual([])
    const all = await searched(point, 'subject', whoReads)
    expect(JSON.stringify(all)).not.toContain('boss')
  })

  test('is answered at the addresses of the metadata, to who has a token', async () => {
    const point = await decisionPoint(catalog)
    const at = '/.well-known/authzen-configuration'
    const metadata = AuthzenMetadata.parse(
      await (await point.send(at, null, { method: 'GET', token: null })).json(),
    )
    for (const [url, body] of [
      [metadata.search_subject_endpoint, whoReads],
      [metadata.search_resource_endpoint, whatIsRead],
      [metadata.search_action_endpoint, whatMay],
    ] as const) {
      const path = url.slice(point.url.length)
      const answer = await point.send(path, body)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(SearchAnswer.parse(await answer.json()).results).toHaveLength(2)
      expect((await point.send(path, body, { token: null })).status).toBe(401)
    }
  })

  test('counts as ten requests', async () => {
    const point = await decisionPoint(catalog, { rate: { perSecond: 1_000, burst: 25 } })
    const statuses = [whatMay, whatMay, whatMay].map((body) => {
      return point.send('/access/v1/search/action', body).then(({ status }) => status)
    })
    const refused = (await Promise.all(statuses)).filter((status) => status === 429)
    expect(refused).toHaveLength(1)
  })
})

test('an evaluation reads what the catalog lists, too', async () => {
  const point = await decisionPoint(catalog)
  const asked = { subject: bob, action: write }
  for (const [resource, decision] of [
    [first, false],
    [record('record-1', { status: 'archived' }), false],
    [second, true],
    [record('record-2', { status: 'active' }), true],
  ] as const) {
    expect(await evaluated(point, { ...asked, resource })).toMatchObject({ decision })
  }
})
