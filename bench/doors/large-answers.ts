// A gateway on a log in a file, before a server of HTTP that answers with the largest answers that
// are known to be dear: for measuring whom they hold up.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { change } from '#runtime/authoring/change'
import { findLog } from '#runtime/logs/log-url'
import { provingOn } from '#runtime/verdicts/proving'
import { openRuntime } from '#runtime/wiring/open'
import { gatewayOn } from '#runtime/wiring/own-gateway'
import { connect } from '#services/client/connect'
import { serveGateway } from '#services/gateway/serving'
import { stages } from '#services/stages'
import { signedStartOf, testKey } from '#services/testing/setup'

const many = (length: number, one: (at: number) => string): string => {
  return Array.from({ length }, (_, at) => one(at)).join(',')
}

const fields = (row: number): string => {
  return `{${many(11, (at) => `"field${at}":"${row} ${'x'.repeat(70)}"`)}}`
}

export const answers: ReadonlyMap<string, () => string> = new Map([
  ['15 MB of empty objects', () => `[${many(5_000_000, () => '{}')}]`],
  ['an object of 1.2 million keys', () => `{${many(1_200_000, (at) => `"key${at}":1`)}}`],
  ['an object of 190 000 keys', () => `{${many(190_000, (at) => `"key${at}":1`)}}`],
  ['16 000 rows of 11 fields, 15 MB', () => `[${many(16_000, fields)}]`],
  ['a text of 15 MB', () => JSON.stringify('lorem ipsum dolor '.repeat(830_000))],
])

const keys = { bot: testKey('bot'), root: testKey('root') }

/** `allowed` gives a call that was allowed and not begun. */
export async function servedAnswers(folder: string) {
  const backend = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(prepared.get(request.url ?? ''))
  })
  const prepared = new Map<string, Buffer>()
  backend.listen(0, '127.0.0.1')
  await once(backend, 'listening')
  const address = backend.address()
  assert(address !== null && typeof address === 'object', 'it listens at a port')
  const origin = `http://127.0.0.1:${address.port}`
  const { author, changes } = signedStartOf(setupFor(origin))
  const log = findLog(join(folder, 'answers.db'), {})
  const runtime = await openRuntime({ log, stages })
  for (const each of changes) await change(runtime, each, author)
  const proving = provingOn(runtime, stages, null)
  const gateway = await gatewayOn({ runtime, proving })
  const listen = { host: '127.0.0.1', port: 0 }
  const served = [{ runtime, proving, gateway }]
  const serving = await serveGateway({ served, close: () => gateway.close(), listen })
  const agent = await connect({ as: 'bot', privateKey: keys.bot, runtime })
  return {
    url: serving.url,
    async allowed(name: string): Promise<() => Promise<unknown>> {
      prepared.set('/answer', Buffer.from(answers.get(name)?.() ?? ''))
      const { intent } = await agent.ask({
        tool: 'look',
        args: {},
        justification: 'it is measured',
      })
      return () => gateway.call({ intent, presenter: 'bot' }).catch((error: unknown) => error)
    },
    async close() {
      await serving.close(0)
      proving.stop()
      await agent.close()
      await runtime.stop()
      backend.close()
    },
  }
}

function setupFor(origin: string) {
  return {
    agent: 'bot',
    session: null,
    testKeys: false,
    catalog: {
      principals: [
        { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] },
        { id: 'bot', owner: 'root', keys: [publicKeyOf(keys.bot)] },
      ],
      capabilities: [
        {
          id: 'look',
          safetyClass: 'READ' as const,
          argsSchema: { type: 'object' },
          driver: {
            kind: 'http' as const,
            method: 'GET' as const,
            url: `${origin}/answer`,
            privateHosts: ['127.0.0.1'],
          },
        },
      ],
      limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 60_000 }],
    },
  }
}
