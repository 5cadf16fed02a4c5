// Serves the fixture server over HTTP behind the proxy, for a conformance suite of another program.
// It prints its address and runs until it is killed; with `FIXTURE_ERA=2025` the server behind
// speaks that version alone.
import { once } from 'node:events'
import { join } from 'node:path'
import { toolSecrets } from '#gateway/tools/secrets'
import { ToolServer } from '#schemas/action/driver'
import { environment } from '#wiring/environment'
import { listening } from '#serving/listening'
import { behindAt } from '#mcp/behind'
import { openDoor } from '#mcp/door'
import type { Front } from '#mcp/protocol'
import { overHttp } from '#mcp/serving'
import { stages } from '#workers/stages'
import { testRuntime } from '../support/runtime.ts'

const program = join(import.meta.dirname, 'fixture-server.mjs')
const era = environment()['FIXTURE_ERA']
const env = era === undefined ? {} : { FIXTURE_ERA: era }
const server = ToolServer.parse({ id: 'fixture', command: [process.execPath, program], env })
const secrets = toolSecrets({ variables: {}, folder: null })
const behind = behindAt({ server, isInCatalog: true, secrets })
const tools = await behind.tools(AbortSignal.timeout(60_000))

/** Its tools, each approved as it is. */
async function proxied(): Promise<Front> {
  const capabilities = tools.map(({ name }) => ({
    id: name,
    description: name,
    safetyClass: 'READ' as const,
    argsSchema: { type: 'object', additionalProperties: true },
    driver: { kind: 'mcp' as const, server: 'fixture', tool: name },
  }))
  const { runtime, bot } = await testRuntime({ catalog: { capabilities, servers: [server] } })
  const of = { runtime, client: bot, agent: 'bot', stages, behind, session: null, waitMs: 0 }
  return (await openDoor({ ...of, importing: '' })).front
}

const http = overHttp(await proxied(), () => {})
const listen = { host: '127.0.0.1', port: 0 }
const { url } = await listening({ listen, tls: null, fetch: (request) => http.fetch(request) })
process.stdout.write(`${url}/mcp\n`)
await once(process, 'SIGTERM')
process.exit(0)
