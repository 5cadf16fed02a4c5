// An HTTP server on a scene at a real port, its callers with their tokens, and requests as any
// client would send them. Each answer is held to what the table of routes promises.
import { request as dial, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { createToken } from '#serving/token-file'
import { ProblemAnswer } from '#schemas/http/bodies'
import { routes, type RouteName } from '#schemas/http/routes'
import type { Serving } from '#health/serving'
import { serveHttp, type HttpServingOptions } from '#http/serving'
import { testKey } from '#testing/setup'
import { another, deletion, erase, look, scene, type Scene } from '../support/scene.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export const kimsKey = testKey('kim')

type Who = 'ada' | 'bea' | 'ann' | 'kim'

export interface HttpDoor {
  readonly on: Scene
  readonly serving: Serving
  /** The file of tokens. */
  readonly file: string
  readonly tokens: Readonly<Record<Who, string>>
}

export type Served = Partial<Omit<HttpServingOptions, 'runtime'>>

const catalog = {
  rules: 2,
  principals: [
    { id: 'ada', owner: 'olga', via: ['http'] },
    { id: 'bea', owner: 'olga', via: ['http'] },
    { id: 'eve', owner: 'olga', via: ['mcp'] },
    { id: 'ann', via: ['http'] },
    { id: 'kim', owner: 'olga', via: ['http'], keys: [publicKeyOf(kimsKey)] },
  ],
  capabilities: [
    look,
    erase,
    {
      ...look,
      id: 'mail',
      known: [{ arg: '/to', kind: 'email' as const }],
    },
  ],
  trustedEvidence: [{ sender: 'ann', for: ['*'] }],
  limits: [
    { capability: 'look', uses: 'unlimited' as const, windowMs: 60_000 },
    { capability: 'erase', uses: 'unlimited' as const, windowMs: 60_000 },
  ],
}

export async function httpDoorScene(more: Served = {}): Promise<HttpDoor> {
  const on = await scene({
    catalog,
    graph: deletion({ name: 'ask', requiresConfirmation: true }),
  })
  const folder = await temporaryFolder()
  const file = more.tokens ?? join(folder, 'tokens.ndjson')
  const tokenOf = async (principal: Who): Promise<string> => {
    return (await createToken(file, { principal, now: on.time.now, expiresAt: null })).token
  }
  const tokens = {
    ada: await tokenOf('ada'),
    bea: await tokenOf('bea'),
    ann: await tokenOf('ann'),
    kim: await tokenOf('kim'),
  }
  return { on, serving: await servedOn(on, { ...more, tokens: file }), file, tokens }
}

/** Another server on the same log and the same tokens, as another process is. */
export async function anotherDoor(door: HttpDoor): Promise<HttpDoor> {
  const on = await another(door.on)
  return { ...door, on, serving: await servedOn(on, { tokens: door.file }) }
}

async function servedOn(
  { runtime }: Scene,
  more: Served & { readonly tokens: string },
): Promise<Serving> {
  const serving = await serveHttp({ runtime, listen: { host: '127.0.0.1', port: 0 }, ...more })
  endWithTest(() => serving.close(0))
  return serving
}

export interface Request {
  readonly as?: Who | null
  readonly id?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends it to the route of that name, as ada if no other is named. */
export function call(
  { serving, tokens }: Pick<HttpDoor, 'serving' | 'tokens'>,
  name: RouteName,
  { as = 'ada', id = '', query = '', body, headers }: Request = {},
): Promise<Response> {
  const { method, path } = routes[name]
  const about = path.replace(/\{\w+\}/, encodeURIComponent(id))
  const url = `${serving.url}${about}${query}`
  return fetch(url, {
    method: method.toUpperCase(),
    headers: {
      ...(as !== null && { authorization: `Bearer ${tokens[as]}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

export type Answer = Readonly<Record<string, unknown>> & { readonly intent: string }

/** The status and the body, which the table of routes has for that status. */
export async function answer(
  door: Pick<HttpDoor, 'serving' | 'tokens'>,
  name: RouteName,
  request: Request = {},
): Promise<{ readonly status: number; readonly body: Answer; readonly headers: Headers }> {
  const response = await call(door, name, request)
  const { status, headers } = response
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (status === 304) return { status, body: { intent: '' }, headers }
  const text: unknown = await response.json()
  const entry = routes[name].answers[status]
  const schema = entry === undefined ? ProblemAnswer : entry.body
  const body = schema === null ? text : schema.parse(text)
  if (entry === undefined) {
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect([...(routes[name].problems ?? []), 401, 403, 413, 415, 421, 429, 500, 503]).toContain(
      status,
    )
  }
  return { status, body: { intent: '', ...Object(body) }, headers }
}

/** The status, the code and the reason of what is refused. */
export async function refusal(
  door: Pick<HttpDoor, 'serving' | 'tokens'>,
  name: RouteName,
  request: Request = {},
): Promise<string> {
  const { status, body } = await answer(door, name, request)
  const { code, reason } = body
  return [status, code, ...(reason === undefined ? [] : [reason])].join(' ')
}

export interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends what no `fetch` would. */
export function raw(
  { serving }: Pick<HttpDoor, 'serving'>,
  {
    path = '/healthz',
    method = 'GET',
    headers = {},
  }: {
    readonly path?: string
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = dial(`${serving.url}${path}`, { method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
    })
    sent.on('error', reject).end()
  })
}

export const lookAt = (at: number) => ({ tool: 'look', args: { at } })
export const erasing = {
  tool: 'erase',
  args: { n: 1 },
  justification: 'the customer asked for it',
}
