// A gateway on a log in a file, before a server of HTTP that answers with the largest answers that
// are known to be dear: for measuring whom they hold up.
import { join } from 'node:path'
import { listening } from '#serving/listening'
import { provingOn } from '#replay/verdicts/proving'
import { gatewayOn } from '#wiring/own-gateway'
import { connect } from '#client/connect'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { begun, local, lookingBy } from './served.ts'

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

/** `allowed` gives a call that was allowed and not begun. */
export async function servedAnswers(folder: string) {
  let prepared = ''
  const headers = { 'content-type': 'application/json' }
  const backend = await listening({
    listen: local,
    tls: null,
    fetch: () => new Response(prepared, { headers }),
  })
  const url = `${backend.url}/answer`
  const privateHosts = [local.host]
  const driver = { kind: 'http' as const, method: 'GET' as const, url, privateHosts }
  const runtime = await begun(join(folder, 'answers.db'), lookingBy('bot', { driver }))
  const proving = provingOn(runtime, stages, null)
  const gateway = await gatewayOn({ runtime, proving })
  const served = [{ runtime, proving, gateway }]
  const serving = await serveGateway({ served, close: () => gateway.close(), listen: local })
  const agent = await connect({ as: 'bot', runtime })
  return {
    url: serving.url,
    async allowed(name: string): Promise<() => Promise<unknown>> {
      prepared = answers.get(name)?.() ?? ''
      const asked = { tool: 'look', args: {}, justification: 'it is measured' }
      const { intent } = await agent.ask(asked)
      return () => gateway.call({ intent, presenter: 'bot' }).catch((error: unknown) => error)
    },
    async close() {
      await serving.close(0)
      proving.stop()
      await agent.close()
      await runtime.stop()
      backend.cut()
    },
  }
}
