// The real server as a decision point: on a catalog that a user would write, asked by a gateway
// with its token.
import { join } from 'node:path'
import type { z } from 'zod'
import { newestRules } from '#rules/catalog/rules-version'
import { createToken } from '#serving/token-file'
import type { CatalogFile } from '#schemas/catalog'
import { EvaluationAnswer, EvaluationsAnswer } from '#schemas/http/evaluations'
import { SearchAnswer } from '#schemas/http/searches'
import { serveHttp, type HttpServingOptions } from '#http/serving'
import { another, scene, type Scene } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export type Catalog = z.input<typeof CatalogFile>

export interface DecisionPoint {
  readonly on: Scene
  readonly url: string
  readonly token: string
  readonly send: (path: string, body: unknown, more?: Sent) => Promise<Response>
  /** Ends the server before the test does. */
  readonly stop: () => Promise<void>
  /** A token of another principal of the catalog. */
  readonly tokenOf: (principal: string) => Promise<string>
  /** Another server, as another process on the same log. */
  readonly another: () => Promise<DecisionPoint>
}

type Served = Partial<Pick<HttpServingOptions, 'rate'>>

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  /** Without a token where it is null. */
  readonly token?: string | null
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= act())
}

/** Asked by `gate`, which is a principal of the catalog that is given. */
export async function decisionPoint(catalog: Catalog, served: Served = {}): Promise<DecisionPoint> {
  const on = await scene({ catalog: { rules: newestRules, ...catalog } })
  const folder = await temporaryFolder()
  const tokens = join(folder, 'tokens.ndjson')
  const tokenOf = async (principal: string): Promise<string> => {
    return (await createToken(tokens, { principal, now: on.time.now, expiresAt: null })).token
  }
  return pointOn({ on, tokens, token: await tokenOf('gate'), tokenOf }, served)
}

interface Of extends Pick<DecisionPoint, 'on' | 'token' | 'tokenOf'> {
  readonly tokens: string
}

async function pointOn(of: Of, served: Served): Promise<DecisionPoint> {
  const { on, tokens, token, tokenOf } = of
  const listen = { host: '127.0.0.1', port: 0 }
  const rate = { perSecond: 1_000, burst: 1_000 }
  const serving = await serveHttp({ runtime: on.runtime, listen, tokens, rate, ...served })
  const stop = once(() => serving.close(0))
  endWithTest(stop)
  const { url } = serving
  return {
    stop,
    on,
    url,
    token,
    tokenOf,
    another: async () => pointOn({ ...of, on: await another(on) }, served),
    send: (path, body, { headers, method = 'POST', token: own = token } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          ...(own !== null && { authorization: `Bearer ${own}` }),
          'content-type': 'application/json',
          ...headers,
        },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  }
}

/** What one evaluation is answered. */
export async function evaluated(point: DecisionPoint, body: unknown): Promise<EvaluationAnswer> {
  const response = await point.send('/access/v1/evaluation', body)
  return EvaluationAnswer.parse(await response.json())
}

/** One page of what a search finds. */
export async function searched(
  point: DecisionPoint,
  of: 'subject' | 'resource' | 'action',
  body: unknown,
): Promise<SearchAnswer> {
  const response = await point.send(`/access/v1/search/${of}`, body)
  return SearchAnswer.parse(await response.json())
}

/** The decisions on several. */
export async function decisions(point: DecisionPoint, body: unknown): Promise<readonly boolean[]> {
  const response = await point.send('/access/v1/evaluations', body)
  const answer = EvaluationsAnswer.parse(await response.json())
  return 'evaluations' in answer
    ? answer.evaluations.map(({ decision }) => decision)
    : [answer.decision]
}
