// A gateway over HTTP, as agents meet it: what is answered, and what is refused and why.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { mint, narrowed } from '#messages/warrants/minted'
import { claimsOf } from '#messages/warrants/claims'
import { readData } from '#record/event'
import { changeCatalog, keys } from '../../support/runtime.ts'
import { type JsonValue, Capability } from '#schemas/catalog'
import { expectReplay, place, bind } from '../../support/scene.ts'
import {
  allowedFor,
  calls,
  holders,
  httpStand,
  mintedOver,
  present,
  problemIn,
  proof,
  rows,
  send,
  type HttpStand,
} from './http-stand.ts'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { provingOn } from '#replay/verdicts/proving'
import { gatewayOn } from '#wiring/own-gateway'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { endWithTest } from '../../support/vitest/endings.ts'
import { jsonOf } from '#record/canonical'
import { textOfUtf8 } from '#platform/bytes'

describe('a call', () => {
  test('is answered with a frame, is run once, and its token is named in the start', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    expect(await mintedOver(all, intent)).toBe(token)
    const answer = await present(all, token, { intent, mode: 'table' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      intent,
      capability: 'list',
      frame: { mode: 'table', table: rows.map(({ id, name }) => ({ id, name })) },
      handle: { id: expect.any(String) },
    })
    const start = readData('start', await all.on.log.get(nameOf(place, 'start', intent)))
    expect(start?.token).toMatch(/^sha256:/)
    expect(await problemIn(await present(all, token, { intent }))).toBe('409 warrant_used')
    expect(all.ran).toHaveLength(1)
    await expectReplay(all.on)
  })

  test('of a narrowed warrant shows no more than its last link leaves', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const constraints = { allowed_fields: ['id'], max_rows: 2 }
    const to = { key: publicKeyOf(holders.eve), now: all.on.time.now, constraints }
    const link = narrowed(token, to, holders.ada)
    const byAda = await present(all, link, { intent })
    expect(await problemIn(byAda)).toBe('401 token_refused dpop_key')
    const answer = await present(all, link, { intent, mode: 'table' }, { holder: holders.eve })
    expect(await answer.json()).toMatchObject({ frame: { table: [{ id: 1 }, { id: 2 }] } })
  })

  test('that is dry does nothing, and leaves the warrant good', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const dry = await present(all, token, { intent, dryRun: true })
    expect(await dry.json()).toMatchObject({ driver: 'local', args: { copies: 1 } })
    expect(all.ran).toEqual([])
    expect((await present(all, token, { intent })).status).toBe(200)
  })

  test('streams its parts redacted, and the answer at the end', async () => {
    const tool = (_: unknown, { onPart }: { onPart: (part: JsonValue) => void }) => {
      for (const part of ['first ', 'of ann@exam', 'ple.com and ', 'last']) onPart(part)
      for (const row of rows) onPart(row)
      return rows
    }
    const all = await httpStand({ tool })
    const intent = await allowedFor(all)
    const minted = await mintedOver(all, intent)
    const constraints = { allowed_fields: ['name'], max_rows: 2 }
    const to = { key: publicKeyOf(holders.ada), now: all.on.time.now, constraints }
    const token = narrowed(minted, to, holders.ada)
    const headers = { accept: 'text/event-stream' }
    const answer = await present(all, token, { intent, mode: 'table' }, { headers })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const text = await answer.text()
    expect(text.match(/^event: part$/gm)).toHaveLength(3)
    expect(text).toContain('"first of [REDACTED] and last"')
    expect(text).not.toContain('three')
    expect(text).not.toMatch(/ple\.com|"id":\d/)
    expect(text.trim().split('\n\n').at(-1)).toMatch(/^event: answer\ndata: \{.*"frame"/)
  })

  test('streams no part where a handle alone is asked for', async () => {
    const tool = (_: unknown, { onPart }: { onPart: (part: JsonValue) => void }) => {
      for (const row of rows) onPart(row)
      return rows
    }
    const all = await httpStand({ tool })
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const headers = { accept: 'text/event-stream' }
    const answer = await present(all, token, { intent, mode: 'handle_only' }, { headers })
    const text = await answer.text()
    expect(text).not.toContain('event: part')
    expect(text).toMatch(/^event: answer\ndata: \{.*"handle":\{"id":"res_/)
  })

  test('whose client leaves is carried out, and its outcome is recorded', async () => {
    let release = (): void => undefined
    const waiting = new Promise<void>((resolve) => (release = resolve))
    const tool = async () => {
      await waiting
      return 'done'
    }
    const all = await httpStand({ tool })
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const leaving = new AbortController()
    const left = fetch(`${all.serving.url}${calls}`, {
      method: 'POST',
      signal: leaving.signal,
      body: JSON.stringify({ intent }),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `DPoP ${token}`,
        dpop: proof(all, { path: calls, token }),
      },
    }).then((response) => response.text())
    await expect.poll(() => all.ran.length).toBe(1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    release()
    const name = nameOf(place, 'outcome', intent)
    await expect
      .poll(async () => readData('outcome', await all.on.log.get(name))?.outcome)
      .toBe('succeeded')
  })
})

describe('a handle', () => {
  test('is expanded for its owner alone, by the proof of its key', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const answer = await present(all, await mintedOver(all, intent), { intent })
    const kept = z.object({ handle: z.object({ id: z.string() }) })
    const { handle } = kept.parse(await answer.json())
    const path = `/v1/handles/${handle.id}`
    const body = { offset: 1, limit: 1 }
    const own = await send(all, { path, body, headers: { dpop: proof(all, { path }) } })
    expect(await own.json()).toMatchObject({ frame: { table: [{ id: 2 }] } })
    const dpop = proof(all, { path, holder: holders.eve })
    const other = await send(all, { path, body, headers: { dpop } })
    expect(await problemIn(other)).toBe('403 handle_refused')
    expect(await problemIn(await send(all, { path, body }))).toBe(
      '401 token_refused holder_missing',
    )
  })
})

describe('a warrant is refused', () => {
  const refusals: Readonly<
    Record<string, (all: HttpStand, intent: string, token: string) => Promise<Response>>
  > = {
    '401 token_refused holder_missing': (all, intent) =>
      send(all, { path: calls, body: { intent } }),
    '401 token_refused dpop_key': (all, intent, token) =>
      present(all, token, { intent }, { holder: holders.eve }),
    '401 token_refused dpop_target': (all, intent, token) =>
      present(all, token, { intent }, { path: '/v1/handles/x' }),
    '401 token_refused dpop_stale': (all, intent, token) =>
      present(all, token, { intent }, { now: all.on.time.now - 61_000 }),
    '401 token_refused dpop_token': (all, intent, token) =>
      send(all, {
        path: calls,
        body: { intent },
        headers: { authorization: `DPoP ${token}`, dpop: proof(all, { path: calls }) },
      }),
    '401 token_refused token_signature': (all, intent, token) => {
      const [head, body] = token.split('.')
      return present(all, `${head}.${body}.${'A'.repeat(86)}`, { intent })
    },
    '403 not_yours': async (all, _intent, token) =>
      present(all, token, { intent: await allowedFor(all, 'eve') }),
    '403 warrant_revoked': async (all, intent, token) => {
      const target = { verdict: nameOf(place, 'verdict', intent) }
      await all.on.bot.revoke({ by: 'root', privateKey: keys.root, target })
      return present(all, token, { intent })
    },
    '403 agent_suspended': async (all, intent, token) => {
      await changeCatalog(all.on.runtime, { op: 'suspend', id: 'ada' })
      return present(all, token, { intent })
    },
    '401 token_refused token_expired': (all, intent, token) => {
      all.on.time.pass(10 * 60_000)
      return present(all, token, { intent })
    },
    '401 token_refused token_key_unknown': async (all, intent, token) => {
      await changeCatalog(all.on.runtime, { op: 'suspend', id: 'gate' })
      return present(all, token, { intent })
    },
    '400 request_invalid': (all, intent, token) => present(all, token, { intent, force: true }),
    '413 request_invalid': (all, intent, token) =>
      present(all, token, { intent, mode: 'x'.repeat(70_000) }),
    '415 request_invalid': (all, intent, token) =>
      present(all, token, { intent }, { headers: { 'content-type': 'text/plain' } }),
  }

  for (const [code, sent] of Object.entries(refusals)) {
    test(code, async () => {
      const all = await httpStand()
      const intent = await allowedFor(all)
      const response = await sent(all, intent, await mintedOver(all, intent))
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await problemIn(response)).toBe(code)
      expect(all.ran).toEqual([])
    })
  }

  test('whose proof was presented before', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const one = { id: 'one' }
    expect((await present(all, token, { intent, dryRun: true }, one)).status).toBe(200)
    const again = await present(all, token, { intent }, one)
    expect(await problemIn(again)).toBe('401 dpop_used')
    expect(again.headers.get('www-authenticate')).toContain('invalid_dpop_proof')
    expect(all.ran).toEqual([])
  })

  test('of another audience, and of an issuer that claims more than the log has', async () => {
    const all = await httpStand()
    const intent = await allowedFor(all)
    const { log, runtime } = all.on
    const fact = await log.get(nameOf(place, 'verdict', intent))
    const data = readData('verdict', fact)
    if (fact === undefined || data === null) throw new Error('there is a verdict')
    const { catalog, log: id } = runtime.follower.state
    const of = { catalog, log: id ?? '', realm: 'main', issuer: 'gate' }
    const other = claimsOf({ ...fact, data }, { ...of, audience: 'warrant:other' })
    const token = other === null ? '' : (mint(other, holders.gate) ?? '')
    expect(await problemIn(await present(all, token, { intent }))).toBe(
      '401 token_refused token_audience',
    )
    const claims = claimsOf({ ...fact, data }, of)
    const wider = claims === null ? null : { ...claims, exp: claims.exp + 3_600 }
    const long = wider === null ? '' : (mint(wider, holders.gate) ?? '')
    expect(await problemIn(await present(all, long, { intent }))).toBe('409 warrant_differs')
    expect(all.ran).toEqual([])
  })
})

// A proof that was presented at one gateway is not known at another. What it gives there: nothing
// where the gateways have addresses of their own; where they share one, no second execution.

/** A second gateway on the same log, as behind a proxy where it has the address of the first. */
async function second(all: HttpStand, url?: string): Promise<Pick<HttpStand, 'serving'>> {
  const { runtime } = all.on
  const proving = provingOn(runtime, stages, null)
  const list = (args: HttpStand['ran'][0]) => {
    all.ran.push(args)
    return rows
  }
  const gateway = await gatewayOn({ runtime, proving }, { tools: { list } })
  const port = await freePort()
  const serving = await serveGateway({
    served: [{ runtime, proving, gateway }],
    close: () => gateway.close(),
    listen: { host: '127.0.0.1', port },
    issuerKey: holders.gate,
    ...(url !== undefined && { url }),
  })
  endWithTest(async () => {
    await serving.close(0)
    proving.stop()
  })
  return { serving: { ...serving, url: `http://127.0.0.1:${port}` } }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : expect.fail('it listens')
}

test('with addresses of their own, the proof for one is refused by the other', async () => {
  const all = await httpStand()
  const other = await second(all)
  const intent = await allowedFor(all)
  const token = await mintedOver(all, intent)
  const dpop = proof(all, { path: calls, token })
  const stolen = {
    path: calls,
    body: { intent },
    headers: { authorization: `DPoP ${token}`, dpop },
  }
  expect(await problemIn(await send(other, stolen))).toBe('401 token_refused dpop_target')
  expect(all.ran).toEqual([])
})

test('with one address, a call that is presented again runs nothing again', async () => {
  const all = await httpStand()
  const other = await second(all, all.serving.url)
  const intent = await allowedFor(all)
  const token = await mintedOver(all, intent)
  const dpop = proof(all, { path: calls, token })
  const headers = { authorization: `DPoP ${token}`, dpop }
  const sent = { path: calls, body: { intent }, headers }
  const answers = await Promise.all([send(all, sent), send(other, sent)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect(all.ran).toHaveLength(1)
  expect(await problemIn(await send(all, sent))).toBe('401 dpop_used')
})

test('with one address, a proof for a token gives the same token, which takes the key', async () => {
  const all = await httpStand()
  const other = await second(all, all.serving.url)
  const intent = await allowedFor(all)
  const path = `/v1/warrants/${intent}`
  const sent = { path, headers: { dpop: proof(all, { path }) } }
  const [one, two] = [await send(all, sent), await send(other, sent)]
  const { token } = z.looseObject({ token: z.string() }).parse(await one.json())
  expect(await two.json()).toMatchObject({ token })
  // A proof of another key does not do.
  const stolen = await present(all, token, { intent }, { holder: holders.eve })
  expect(await problemIn(stolen)).toBe('401 token_refused dpop_key')
  expect(all.ran).toEqual([])
})

// What a capability has taken out of its results, as an agent gets them over HTTP; and that the log
// has no more than before.

const row = { id: 1, mail: 'ann@example.com', note: 'password=hunter22' }
const mark = '[REDACTED]'

test.each([
  [undefined, { id: 1, mail: mark, note: `password=${mark}` }],
  ['all' as const, { id: 1, mail: mark, note: `password=${mark}` }],
  ['secrets' as const, { id: 1, mail: 'ann@example.com', note: `password=${mark}` }],
  ['none' as const, row],
])(
  'with `redact: %s` an agent gets what that leaves, and the log has no more',
  async (redact, left) => {
    const all = await httpStand({ tool: () => [row], ...(redact && { redact }) })
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const answer = await present(all, token, { intent, mode: 'table' })
    expect(await answer.json()).toMatchObject({ frame: { table: [left] } })
    const facts: string[] = []
    for await (const fact of all.on.log.read({})) facts.push(textOfUtf8(fact.bytes))
    expect(facts.join('\n')).toContain(intent)
    expect(facts.join('\n')).not.toMatch(/ann@example\.com|hunter22/)
  },
)

/** What an agent gets of that row by a call of its own. */
async function gotten(all: HttpStand): Promise<unknown> {
  const intent = await allowedFor(all)
  const token = await mintedOver(all, intent)
  return (await present(all, token, { intent, mode: 'table' })).json()
}

const open = { frame: { table: [row] } }
const closed = { frame: { table: [{ id: 1, mail: mark, note: `password=${mark}` }] } }

test.each([
  ['the owner of its agents', { by: 'olga', privateKey: keys.olga }],
  ['an agent', { by: 'ada', privateKey: holders.ada }],
  ['an agent in the name of a policy admin', { by: 'root', privateKey: holders.ada }],
  ['the gateway', { by: 'gate', privateKey: holders.gate }],
  ['no one', { by: 'root', privateKey: undefined }],
])('signed by %s, what `redact` says counts for nothing', async (_who, { by, privateKey }) => {
  const all = await httpStand({ tool: () => [row] })
  const { log, runtime } = all.on
  const { catalog, catalogRevision } = runtime.follower.state
  const entry = { ...catalog.capabilities.get('list'), redact: 'none' }
  const operations = [{ op: 'put', collection: 'capabilities', entry }]
  const revision = catalogRevision + 1
  const set = { by, operations: jsonOf(operations), revision }
  await bind(log, 'catalog', nameOf(place, 'catalog', revision), set, privateKey)
  expect(await gotten(all)).toMatchObject(closed)
  // A policy admin signs the same, and it counts.
  await runtime.follower.reached((await log.head()).position)
  await changeCatalog(runtime, {
    op: 'put',
    collection: 'capabilities',
    entry: Capability.parse(entry),
  })
  expect(await gotten(all)).toMatchObject(open)
})
