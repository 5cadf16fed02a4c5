// Calls at a gateway over HTTP, from a client on the log and from one over HTTP: carried out once,
// for who holds the agent's key.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '#serving/token-file'
import { silentLogger } from '#runtime/reporting/logger'
import type { LocalTool } from '#gateway/tools/local'
import { connect } from '#client/connect'
import { connectHttp, Refused } from '#client/over-http/connect-http'
import { serveHttp } from '#http/serving'
import { reason } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { holders, httpStand, rows, type HttpStand } from '../../http/gateway/http-stand.ts'
import { codeOf, line } from './over-http-scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const privateKey = holders.ada
const listing = { tool: 'list', args: { to: 'x' }, justification: reason }

/** A gateway at the real time, which proofs state. */
async function stand(tool?: LocalTool): Promise<HttpStand> {
  const all = await httpStand(tool === undefined ? {} : { tool })
  all.on.time.pass(-all.on.time.now + Date.now())
  return all
}

async function onLog(
  { on, serving }: HttpStand,
  more: Partial<Parameters<typeof connect>[0]> = {},
) {
  const { url } = serving
  const client = await connect({
    as: 'ada',
    privateKey,
    runtime: on.runtime,
    gateway: { url },
    ...more,
  })
  endWithTest(() => client.close())
  return client
}

async function overHttp({ on, serving }: HttpStand) {
  const folder = await temporaryFolder()
  const tokens = join(folder, 'tokens.ndjson')
  const { token } = await createToken(tokens, {
    principal: 'ada',
    now: on.time.now,
    expiresAt: null,
  })
  const { runtime } = on
  const door = await serveHttp({ runtime, tokens, listen: { host: '127.0.0.1', port: 0 } })
  endWithTest(() => door.close(0))
  const gateway = { url: serving.url }
  const at = { url: door.url, token, logger: silentLogger }
  const client = await connectHttp({ ...at, privateKey, gateway })
  endWithTest(() => client.close())
  return { client, at }
}

test('a client on the log calls at the gateway that it names', async () => {
  const all = await stand()
  const ada = await onLog(all)
  const { intent, frame, handle } = await ada.call(listing, { mode: 'table' })
  expect(frame.table).toHaveLength(rows.length)
  expect(all.ran).toEqual([{ to: 'x', copies: 1 }])
  expect(await codeOf(ada.call(intent))).toBe('warrant_used')
  expect(await ada.expand(handle?.id ?? '', { limit: 1 })).toMatchObject({ mode: 'table' })
  expect(all.ran).toHaveLength(1)
})

test('a client over HTTP asks at the one server and calls at the other', async () => {
  const all = await stand()
  const { client, at } = await overHttp(all)
  const { intent } = await client.ask(listing)
  expect(await client.dryRun(intent)).toMatchObject({ capability: 'list', driver: 'local' })
  expect(all.ran).toEqual([])
  expect((await client.call(intent, { mode: 'table' })).frame.table).toHaveLength(rows.length)
  expect(all.ran).toHaveLength(1)
  expect(await codeOf(client.call({ ...listing, tool: 'none' }))).toMatch(/Refused/)
  expect(new Refused(await client.ask({ tool: 'none' }), 'none').reasons).toHaveLength(1)
  expect(await codeOf(client.call('eve.-.x'))).toBe('not_yours')
  const gateway = { url: all.serving.url }
  expect(await codeOf(connectHttp({ ...at, gateway }))).toBe('key_missing')
})

test('a gateway of another key gives nothing', async () => {
  const all = await stand()
  const ada = await onLog(all)
  const { intent } = await ada.ask(listing)
  const eve = await onLog(all, { privateKey: holders.eve })
  expect(await codeOf(eve.call(intent))).toBe('not_yours')
  expect(all.ran).toEqual([])
})

test('parts of a result that streams come as they are made', async () => {
  const all = await stand((_, { onPart }) => {
    onPart?.({ line: 1 })
    onPart?.({ line: 2 })
    return rows
  })
  const ada = await onLog(all)
  const parts: unknown[] = []
  await ada.call(listing, { onPart: (part) => parts.push(part) })
  expect(parts).toEqual([{ line: 1 }, { line: 2 }])
})

test('a call whose answer is lost is not sent again, and no one takes it for failed', async () => {
  const all = await stand()
  const { fetch, calls } = line((call) => (call === 'POST /v1/calls' ? 'lost' : null))
  const ada = await onLog(all, { gateway: { url: all.serving.url, fetch } })
  expect(await codeOf(ada.call(listing))).toBe('outcome_unknown')
  expect(calls.filter((call) => call === 'POST /v1/calls')).toHaveLength(1)
  expect(all.ran).toHaveLength(1)
})
