// Who may ask over HTTP: a token of a principal that writes the rules or has the door, from this
// machine and from no page.
import { expect, test } from 'vitest'
import { changeCatalog } from '../../support/runtime.ts'
import { answerTo, auditing } from './auditing.ts'

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

function asking(token: string | null, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  }
}

const url = 'http://127.0.0.1/mcp'

async function statusOf(answer: Promise<Response>) {
  const response = await answer
  const problem: unknown = response.status === 200 ? null : await response.json()
  return { status: response.status, problem, headers: response.headers }
}

test('without a token that counts no question is read', async () => {
  const on = await auditing()
  const none = await statusOf(on.sent(url, asking(null)))
  expect(none).toMatchObject({ status: 401, problem: { reason: 'token_missing' } })
  expect(none.headers.get('www-authenticate')).toBe('Bearer realm="warrant"')
  const unknown = `wrt_${'a'.repeat(43)}`
  const past = await on.tokenFor('root', 1)
  for (const [token, reason] of [
    [unknown, 'token_unknown'],
    [past, 'token_expired'],
  ] as const) {
    const refused = await statusOf(on.sent(url, asking(token)))
    expect(refused).toMatchObject({ status: 401, problem: { code: 'caller_refused', reason } })
  }
})

test('an agent may not read what others did, until it is given the door', async () => {
  const on = await auditing()
  const token = await on.tokenFor('honest')
  const refused = { status: 403, problem: { code: 'reader_refused', reason: 'unassigned' } }
  expect(await statusOf(on.sent(url, asking(token)))).toMatchObject(refused)
  expect(await statusOf(on.sent(url, asking(await on.tokenFor('bot'))))).toMatchObject(refused)
  const put = (via: readonly string[]) =>
    changeCatalog(on.runtime, {
      op: 'put',
      collection: 'principals',
      entry: {
        id: 'honest',
        roles: [],
        attributes: {},
        keys: [],
        suspended: false,
        ...(via.length && { via: [...via] }),
      },
    })
  await put(['audit'])
  expect(await statusOf(on.sent(url, asking(token)))).toMatchObject({ status: 200 })
  await put(['http'])
  expect(await statusOf(on.sent(url, asking(token)))).toMatchObject(refused)
  await put(['audit'])
  const client = await on.connected('auto', token)
  expect((await answerTo(client, 'list_open_intents')).isError).toBe(false)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'honest' })
  const suspended = { status: 403, problem: { reason: 'suspended' } }
  expect(await statusOf(on.sent(url, asking(token)))).toMatchObject(suspended)
})

test('who only decides for others may not read what is of others', async () => {
  const on = await auditing()
  const token = await on.tokenFor('olga')
  const refused = { status: 403, problem: { code: 'reader_refused', reason: 'unassigned' } }
  expect(await statusOf(on.sent(url, asking(token)))).toMatchObject(refused)
})

test('a page in a browser and another host get nothing, nor does another path', async () => {
  const on = await auditing()
  const token = await on.tokenFor('root')
  const page = { origin: 'https://evil.example' }
  expect((await on.sent(url, asking(token, page))).status).toBe(403)
  const host = { host: 'evil.example' }
  expect((await on.sent('http://evil.example/mcp', asking(token, host))).status).toBe(403)
  expect((await on.sent('http://127.0.0.1/', asking(token))).status).toBe(404)
  const large = { ...asking(token), body: JSON.stringify({ of: 'x'.repeat(1_100_000) }) }
  expect((await on.sent(url, large)).status).toBe(413)
})

test('a principal that asks too often learns when to try again', async () => {
  const on = await auditing({}, { rate: { perSecond: 1, burst: 2 } })
  const token = await on.tokenFor('root')
  const answers = []
  for (let nth = 0; nth < 4; nth += 1) answers.push(await on.sent(url, asking(token)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
})
