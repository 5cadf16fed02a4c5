// An HTTP server of this process on a log in a file, with a token for one of its callers; and a
// bare server of the same library, which answers as much and does nothing.
import { join } from 'node:path'
import { Hono } from 'hono'
import { publicKeyOf } from '#record/crypto/private-key'
import { change } from '#authoring/change'
import type { Runtime } from '#runtime/engine/runtime'
import { findLog } from '#runtime/logs/log-url'
import { listening } from '#serving/listening'
import { createToken } from '#serving/token-file'
import { openRuntime } from '#wiring/open'
import { serveHttp } from '#http/serving'
import { stages } from '#workers/stages'
import { signedStartOf, testKey, type Setup } from '#testing/setup'

export const local = { host: '127.0.0.1', port: 0 }
/** A server that refuses no one for asking often. */
const rate = { perSecond: 1_000_000, burst: 1_000_000 }

export interface Served {
  readonly runtime: Runtime
  readonly url: string
  readonly token: string
  readonly close: () => Promise<void>
}

type Capability = NonNullable<NonNullable<Setup['catalog']>['capabilities']>[number]

/** That agent may use that capability without a limit. */
export function lookingBy(agent: string, more: Partial<Capability> = {}) {
  const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: { type: 'object' }, ...more }
  return {
    agent,
    session: null,
    testKeys: false,
    catalog: {
      principals: [
        { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(testKey('root'))] },
        { id: agent, owner: 'root', via: ['http'] },
      ],
      capabilities: [look],
      limits: [{ capability: look.id, uses: 'unlimited' as const, windowMs: 60_000 }],
    },
  }
}

type Hooks = Parameters<typeof serveHttp>[0]['hooks']

/** A runtime on a new log that begins with that catalog and graph. */
export async function begun(path: string, setup: Setup): Promise<Runtime> {
  const runtime = await openRuntime({ log: findLog(path, {}), stages })
  const { author, changes } = signedStartOf(setup)
  for (const each of changes) await change(runtime, each, author)
  return runtime
}

export async function served(
  folder: string,
  setup: Setup & { readonly agent: string },
  hooks?: Hooks,
): Promise<Served> {
  const runtime = await begun(join(folder, 'served.db'), setup)
  const tokens = join(folder, 'tokens.ndjson')
  const made = { principal: setup.agent, now: Date.now(), expiresAt: null }
  const { token } = await createToken(tokens, made)
  const asked = hooks === undefined ? {} : { hooks }
  const serving = await serveHttp({ runtime, listen: local, tokens, rate, ...asked })
  const close = async (): Promise<void> => {
    await serving.close(0)
    await runtime.stop()
  }
  return { runtime, url: serving.url, token, close }
}

/** Reads the request as JSON, and answers with it and about so many characters more. */
export async function bareServer(path: string, characters: number) {
  const app = new Hono()
  const text = 'x'.repeat(characters)
  app.post(path, async (c) => c.json({ decision: true, text, asked: await c.req.json() }))
  const server = await listening({
    listen: local,
    tls: null,
    fetch: (request) => app.fetch(request),
  })
  return { url: server.url, cut: () => server.cut() }
}

/** What is answered, which must be well. */
export async function posted(url: string, token: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
  return text
}
