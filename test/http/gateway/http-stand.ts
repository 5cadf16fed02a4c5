// A gateway on a scene that is served at a real port, agents with keys, and requests as any client
// would send them.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { publicKeyOf } from '#record/crypto/private-key'
import { dpopFor } from '#messages/warrants/minted'
import { gatewayOn } from '#wiring/own-gateway'
import { provingOn } from '#replay/verdicts/proving'
import type { AnsweringGateway } from '#gateway/answering'
import type { LocalTool } from '#gateway/tools/local'
import type { Redaction } from '#schemas/action/driver'
import type { JsonObject } from '#schemas/catalog'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import type { Serving } from '#health/serving'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { testKey } from '#testing/setup'
import { deletion, erase, reason, scene, type Scene } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

export const holders = { ada: testKey('ada'), eve: testKey('eve'), gate: testKey('gate') }

const argsSchema = {
  type: 'object',
  properties: { to: { type: 'string' }, copies: { type: 'integer', default: 1 } },
}
const local = (operation: string) => ({ kind: 'local' as const, operation })
const list = {
  id: 'list',
  safetyClass: 'READ' as const,
  argsSchema,
  driver: local('list'),
}
/** An argument stands where not every value may: in a path, a header, and a command line. */
const oneText = {
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object', properties: { to: { type: 'string' } } },
}
const get = { kind: 'http' as const, method: 'GET' as const }
const careful = [
  { ...oneText, id: 'fetched', driver: { ...get, url: 'https://api.example.org/${args:/to}' } },
  {
    ...oneText,
    id: 'labelled',
    driver: { ...get, url: 'https://api.example.org/', headers: { 'X-To': '${args:/to}' } },
  },
  {
    ...oneText,
    id: 'printed',
    driver: { kind: 'shell' as const, command: ['/bin/echo', '${args:/to}'] },
  },
]
const wipe = { ...erase, argsSchema, driver: local('list') }

export interface HttpStand {
  readonly on: Scene
  readonly gateway: AnsweringGateway
  readonly serving: Serving
  readonly clients: Readonly<Record<'ada' | 'eve', Warrant>>
  /** What the tool was called with, in order. */
  readonly ran: JsonObject[]
}

export const rows = [
  { id: 1, name: 'one', mail: 'ann@example.com' },
  { id: 2, name: 'two', mail: 'ben@example.com' },
  { id: 3, name: 'three', mail: 'cat@example.com' },
]

export async function httpStand(
  more: {
    readonly tool?: LocalTool
    readonly mints?: boolean
    readonly redact?: Redaction
  } = {},
): Promise<HttpStand> {
  const on = await scene({
    catalog: {
      principals: [
        { id: 'ada', owner: 'olga', keys: [publicKeyOf(holders.ada)], via: ['http'] },
        { id: 'eve', owner: 'olga', keys: [publicKeyOf(holders.eve)] },
        { id: 'gate', roles: ['issuer'], keys: [publicKeyOf(holders.gate)] },
      ],
      capabilities: [{ ...list, ...(more.redact && { redact: more.redact }) }, wipe, ...careful],
      limits: [
        { capability: 'list', uses: 'unlimited', windowMs: 60_000 },
        { capability: 'erase', uses: 'unlimited', windowMs: 60_000 },
      ],
    },
    graph: deletion({ name: 'never', requiresConfirmation: true }),
  })
  const ran: JsonObject[] = []
  const tool: LocalTool = (args, call) => {
    ran.push(args)
    return more.tool?.(args, call) ?? rows
  }
  const { runtime } = on
  const proving = provingOn(runtime, stages, null)
  endWithTest(async () => proving.stop())
  const gateway = await gatewayOn({ runtime, proving }, { tools: { list: tool } })
  const serving = await serveGateway({
    served: [{ runtime, proving, gateway }],
    close: () => gateway.close(),
    listen: { host: '127.0.0.1', port: 0 },
    ...(more.mints !== false && { issuerKey: holders.gate }),
  })
  endWithTest(() => serving.close(0))
  const as = (name: 'ada' | 'eve') => connect({ as: name, privateKey: holders[name], runtime })
  const clients = { ada: await as('ada'), eve: await as('eve') }
  return { on, gateway, serving, clients, ran }
}

/** Asks as ada, and gives the address of what was allowed. */
export async function allowedFor(
  { clients }: Pick<HttpStand, 'clients'>,
  agent: 'ada' | 'eve' = 'ada',
): Promise<string> {
  const args = { to: randomUUID() }
  const { intent } = await clients[agent].ask({ tool: 'list', args, justification: reason })
  return intent
}

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function send({ serving }: Pick<HttpStand, 'serving'>, sent: Sent): Promise<Response> {
  const { method = 'POST', path, body, headers = {} } = sent
  const isRaw = typeof body === 'string'
  return fetch(`${serving.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  })
}

export interface Proof {
  readonly holder?: string
  readonly token?: string | null
  readonly method?: string
  readonly path: string
  readonly id?: string
  readonly now?: number
}

/** The proof of a holder for a request; of ada if no other is named. */
export function proof(all: Pick<HttpStand, 'on' | 'serving'>, of: Proof): string {
  const { holder = holders.ada, token = null, method = 'POST', path, id = randomUUID() } = of
  const target = { method, url: `${all.serving.url}${path}` }
  return dpopFor({ token, target, now: of.now ?? all.on.time.now, id }, holder)
}

/** A token for the intent, minted by the gateway. */
export async function mintedOver(
  all: HttpStand,
  intent: string,
  holder: string = holders.ada,
): Promise<string> {
  const path = `/v1/warrants/${intent}`
  const answer = await send(all, { path, headers: { dpop: proof(all, { path, holder }) } })
  return z.object({ token: z.string() }).parse(await answer.json()).token
}

export const calls = '/v1/calls'

/** Presents the token, as who holds that key. */
export function present(
  all: HttpStand,
  token: string,
  body: unknown,
  more: Partial<Proof> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const { headers, ...of } = more
  const dpop = proof(all, { path: calls, token, ...of })
  const own = { authorization: `DPoP ${token}`, dpop, ...headers }
  return send(all, { path: calls, body, headers: own })
}

const ProblemBody = z.object({ code: z.string(), reason: z.string().optional() })

/** The status and the code of a problem. */
export async function problemIn(response: Response): Promise<string> {
  const { code, reason } = ProblemBody.parse(await response.json())
  return [response.status, code, ...(reason === undefined ? [] : [reason])].join(' ')
}
