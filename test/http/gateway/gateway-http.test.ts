// A gateway over HTTP, as agents meet it: what is answered, and what is refused and why.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { mint, narrowed } from '#messages/warrants/minted'
import { claimsOf } from '#messages/warrants/claims'
import { readData } from '#record/event'
import { changeCatalog, keys } from '../../support/runtime.ts'
import type { JsonValue } from '#schemas/catalog'
import { expectReplay, place } from '../../support/scene.ts'
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
