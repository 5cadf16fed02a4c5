// Envoy's external authorization: a request at a proxy is a call of the capability that the catalog
// maps it to, and nothing that can be read in two ways is let through.
import { request as dial } from 'node:http'
import { expect, test } from 'vitest'
import { decisionPoint, type Catalog, type DecisionPoint } from './decision-point.ts'

const argsSchema = { type: 'object' }
const own = {
  name: 'own',
  effect: 'require' as const,
  when: "args.params.id.startsWith(principal.id + '-')",
}
const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    { id: 'ann', roles: ['staff'] },
    { id: 'boss' },
  ],
  capabilities: [
    {
      id: 'todo.list',
      safetyClass: 'READ',
      argsSchema,
      requests: [{ method: 'GET', path: '/todos' }],
    },
    {
      id: 'todo.read',
      safetyClass: 'READ',
      argsSchema,
      conditions: [own],
      requests: [{ method: 'GET', path: '/todos/{id}' }],
    },
    {
      id: 'todo.count',
      safetyClass: 'READ',
      argsSchema,
      requests: [{ method: 'GET', path: '/todos/count' }],
    },
    {
      id: 'admin.list',
      safetyClass: 'READ',
      argsSchema,
      requests: [{ method: 'GET', path: '/', host: 'admin.example.org' }],
    },
    ...['one', 'other'].map((id) => ({
      id,
      safetyClass: 'READ' as const,
      argsSchema,
      requests: [{ method: 'GET', path: '/both' }],
    })),
  ],
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The status, and the capability that the verdict is about. */
async function asked(point: DecisionPoint, path: string, more: Asked = {}): Promise<string> {
  const { method = 'GET', headers } = more
  const all = { authorization: `Bearer ${point.token}`, 'x-warrant-subject': 'ann', ...headers }
  const { status, verdict } = await new Promise<{ status: number; verdict: string }>(
    (resolve, reject) => {
      const sent = dial(`${point.url}/`, { path, method, headers: all }, (answer) => {
        const name = answer.headers['x-warrant-verdict']
        answer.resume().on('end', () => {
          resolve({ status: answer.statusCode ?? 0, verdict: String(name ?? '') })
        })
      })
      sent.on('error', reject).end()
    },
  )
  const message = await point.on.log.get(verdict.replace('.verdict.', '.vlp.'))
  if (message === undefined) return String(status)
  return `${status} ${JSON.parse(Buffer.from(message.bytes).toString()).payload.intent.tool}`
}

const at = '/v1/ext-authz'

test('what the catalog maps is judged for the subject, and everything else is denied', async () => {
  const point = await decisionPoint(catalog)
  const found = async (path: string, more?: Asked) => asked(point, `${at}${path}`, more)
  expect(await found('/todos')).toBe('200 todo.list')
  expect(await found('/todos?page=2&page=3')).toBe('200 todo.list')
  expect(await found('/todos/ann-1')).toBe('200 todo.read')
  expect(await found('/todos/ben-1')).toBe('403 todo.read')
  expect(await found('/todos/count')).toBe('200 todo.count')
  expect(await found('/', { headers: { host: 'ADMIN.example.org:8443' } })).toBe('200 admin.list')
  expect(await found('/')).toBe('403')
  // Two capabilities claim it.
  expect(await found('/both')).toBe('403')
  expect(await found('/todos', { method: 'POST' })).toBe('403')
  expect(await found('/todos', { method: 'HEAD' })).toBe('403')
  expect(await found('/nothing')).toBe('403')
  expect(await found('')).toBe('403')
})

test.each([
  '/todos/',
  '//todos',
  '/todos/../todos',
  '/todos/%2e%2e/todos',
  '/todos/ann-1%2f..%2fben-1',
  '/todos/ann-1%252f',
  '/todos/ann-1;x=1',
  '/todos/ann-1%00',
  '/todos/%E0%A4%A',
  '/todos\\ann-1',
  '/../../healthz',
  '/../ext-authz/todos',
  '/%2e%2e/%2e%2e/healthz',
])('a path that can be read in two ways is denied: %s', async (path) => {
  const point = await decisionPoint(catalog)
  // The server itself takes no target with a backslash.
  expect(await asked(point, `${at}${path}`)).toBe(path.includes('\\') ? '400' : '403')
})

test('who does not say for whom, or may not ask, is denied, and gets no reason', async () => {
  const point = await decisionPoint(catalog)
  const path = `${at}/todos`
  const none = { 'x-warrant-subject': '' }
  expect(await asked(point, path, { headers: none })).toBe('403')
  expect(await asked(point, path, { headers: { 'x-warrant-subject': 'boss' } })).toBe(
    '403 todo.list',
  )
  const other = { 'x-warrant-subject-type': 'robot' }
  expect(await asked(point, path, { headers: other })).toBe('403 todo.list')
  for (const authorization of ['', 'Bearer wrt_x', 'Basic eA==']) {
    expect(await asked(point, path, { headers: { authorization } })).toBe('403')
  }
  const answer = await point.send(path, '{}', { headers: { 'x-warrant-subject': 'boss' } })
  expect(await answer.json()).toEqual({ type: 'about:blank', title: 'Forbidden', status: 403 })
})

test('no other path is taken for one of a proxy', async () => {
  const point = await decisionPoint(catalog)
  for (const path of [
    '/v1/ext-authzed/todos',
    '/v1/../v1/ext-authz/todos',
    '/v1/EXT-AUTHZ/todos',
  ]) {
    expect(await asked(point, path)).toMatch(/^4/)
  }
})
