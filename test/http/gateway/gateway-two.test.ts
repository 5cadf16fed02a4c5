// A proof that was presented at one gateway is not known at another. What it gives there: nothing
// where the gateways have addresses of their own; where they share one, no second execution.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { provingOn } from '#replay/verdicts/proving'
import { gatewayOn } from '#wiring/own-gateway'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { endWithTest } from '../../support/vitest/endings.ts'
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
