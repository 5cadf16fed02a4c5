// For operators of this process: its metrics, whether it lives, whether it keeps up.
// It does not mention any intent, changes nothing, and never holds the work up.
import { Hono } from 'hono'
import type { FaultCode } from '#schemas/faults/registry'
import { Fault } from '#record/fault'
import { cellIn, type Place } from '#record/names'
import type { Head } from '#ports/log'
import { askHead, type AskHead } from './head.ts'
import type { Metrics } from './metrics.ts'
import type { Observe } from '#runtime/engine/observer'
import type { Runtime } from '#runtime/engine/runtime'
import { listening, type Listen } from '#serving/listening'

export interface Health {
  /** Where it listens; with port 0 given, whichever was free. */
  readonly url: string
  /** Looks whether the log takes what workers append. */
  readonly observe: Observe
  /** Answers for this runtime as well from now on; until then it is not ready. */
  serve(runtime: Watched): void
  /** Whether there is a connection to the servers of the log; without one it is not ready. */
  connected(isThere: boolean): void
  /** Not ready any more. */
  drain(): void
  close(): Promise<void>
}

/** More facts behind than these and it does not keep up. */
const lagFactsMax = 1_000
/** Further behind than this, a clock is refused by the log in a file that it should stamp. */
const refusedMsMin = 5_000
const limits = { connectionsMax: 64, requestMsMax: 5_000 }

/** What has to be looked at to answer. */
type Watched = Pick<Runtime, 'log' | 'timer' | 'follower' | 'clock'> &
  Partial<Pick<Runtime, 'missingModule'>> & {
    /** Where more is done with the log than to follow it: why that ended; null while it goes on. */
    readonly failure?: () => FaultCode | null
  }

function failureOf({ follower, failure }: Watched): FaultCode | null {
  return failure?.() ?? follower.failure?.code ?? null
}

interface Served {
  readonly runtime: Watched
  readonly head: AskHead
}

interface Serving {
  readonly metrics: Metrics
  /** One for each log that is followed here. */
  readonly served: Served[]
  isConnected: boolean
  isDraining: boolean
  /** The last append to a log, where it failed, by who follows that log. */
  readonly refused: Map<Watched['follower'], Refused>
  /** The answer under way, for all who ask meanwhile. */
  scrape: Promise<string> | null
}

/** An append that the log did not take, and where the log ended when that was first reported. */
interface Refused {
  readonly code: FaultCode
  readonly position: number | null
}

/** Listens at once. Throws a Fault where it cannot. */
export async function listenHealth(listen: Listen, metrics: Metrics): Promise<Health> {
  const serving: Serving = {
    metrics,
    served: [],
    isConnected: true,
    isDraining: false,
    refused: new Map(),
    scrape: null,
  }
  const app = new Hono()
  app.all('*', ({ req }) => respond(serving, req.raw))
  const fetch = (request: Request) => app.fetch(request)
  const server = await listening({ listen, tls: null, fetch, limits })
  return {
    url: server.url,
    observe: ({ follower }) => ({
      jobBegun: () => () => undefined,
      appended: (_kind, _result, error) => {
        if (isRefusal(error)) serving.refused.set(follower, { code: error.code, position: null })
        else serving.refused.delete(follower)
      },
    }),
    serve: (runtime) => {
      // What begins again follows the same log, and its old follower was stopped.
      const before = serving.served.findIndex((each) => each.runtime.log === runtime.log)
      if (before !== -1) serving.served.splice(before, 1)
      serving.served.push({ runtime, head: askHead(runtime.log, runtime.timer) })
    },
    connected: (isThere) => {
      serving.isConnected = isThere
    },
    drain: () => {
      serving.isDraining = true
    },
    async close() {
      const drained = server.drained()
      server.cut()
      await drained
    },
  }
}

// What can never succeed lies with the fact, and an era that is sealed with the log's own course.
function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && error.retry === 'soon' && error.code !== 'era_sealed'
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function respond(serving: Serving, request: Request): Promise<Response> {
  const { status, type, text } = await answerTo(serving, request)
  const headers = new Headers({ 'content-type': type })
  if (status === 405) headers.set('allow', 'GET')
  return new Response(text, { status, headers })
}

async function answerTo(serving: Serving, { method, url }: Request): Promise<Answer> {
  if (method !== 'GET') return json(405, { error: 'only GET is answered' })
  try {
    switch (new URL(url).pathname) {
      case '/metrics':
        return { status: 200, type: serving.metrics.type, text: await scraped(serving) }
      case '/healthz':
        return healthOf(serving)
      case '/readyz':
        return await readinessOf(serving)
      default:
        return json(404, { error: 'there are /metrics, /healthz and /readyz' })
    }
  } catch {
    return json(500, { error: 'the state could not be read' })
  }
}

function scraped(serving: Serving): Promise<string> {
  serving.scrape ??= serving.metrics.text().finally(() => {
    serving.scrape = null
  })
  return serving.scrape
}

function healthOf({ served }: Serving): Answer {
  const problems = served.flatMap(({ runtime }) => {
    const detail = failureOf(runtime)
    const of = cellOfPlace(runtime.follower.state)
    return detail === null ? [] : [{ check: 'follower', detail, ...of }]
  })
  return problems.length === 0
    ? json(200, { healthy: true })
    : json(503, { healthy: false, problems })
}

interface Problem {
  readonly check: string
  readonly detail: string
  /** Of a realm of several cells: in which of them. */
  readonly cell?: number
}

interface Looked {
  readonly found: { readonly position: number; readonly lag: number | null; readonly cell?: number }
  readonly clock: { readonly clockMs?: number }
  readonly problems: readonly Problem[]
}

function cellOfPlace({ place }: { readonly place: Place }): { readonly cell?: number } {
  const cell = cellIn(place.realm)
  return cell === null ? {} : { cell: cell.index }
}

async function readinessOf(serving: Serving): Promise<Answer> {
  const { served, isConnected, isDraining } = serving
  const not = (check: string, detail: string) =>
    json(503, { ready: false, problems: [{ check, detail }] })
  if (isDraining) return not('running', 'it is draining')
  if (!isConnected) return not('connection', 'it has no connection to the servers of the log')
  if (served.length === 0) return not('running', 'it is folding the log')
  const looked = await Promise.all(served.map((each) => lookAt(serving, each)))
  const problems = looked.flatMap((each) => each.problems)
  const ready = problems.length === 0
  const [first] = looked
  const isOne = looked.length === 1 && first?.found.cell === undefined
  const cells = isOne ? { ...first?.found } : { cells: looked.map(({ found }) => found) }
  const found = { ready, ...cells, ...first?.clock }
  return ready ? json(200, found) : json(503, { ...found, problems })
}

async function lookAt(serving: Serving, { runtime, head }: Served): Promise<Looked> {
  const failure = failureOf(runtime)
  const { state } = runtime.follower
  const of = cellOfPlace(state)
  const problems: Problem[] = []
  const not = (check: string, detail: string) => problems.push({ check, detail, ...of })
  if (failure !== null) not('follower', failure)
  const last = await head()
  const lag = last === null ? null : Math.max(0, last.position - state.position)
  const behindMs = last === null ? 0 : behindOf(last, runtime.clock.now())
  if (lag === null) not('log', 'it does not answer within a second')
  else if (lag > lagFactsMax) not('lag', `${lag} facts are not folded yet`)
  const refused = last === null ? null : refusedSince(serving, runtime.follower, last)
  if (refused !== null) not('log', `it takes nothing since an append failed: ${refused}`)
  if (behindMs > refusedMsMin) not('clock', `it is ${behindMs} ms behind the log, which refuses it`)
  const missing = (await runtime.missingModule?.()) ?? null
  if (missing !== null) not('callbacks', missing.message)
  const clock = last?.now === undefined ? {} : { clockMs: last.now - runtime.clock.now() }
  return { found: { ...of, position: state.position, lag }, clock, problems }
}

/** Why the log took nothing since an append failed; null where it did, from anyone. */
function refusedSince(
  { refused: all }: Serving,
  follower: Watched['follower'],
  { position }: Head,
): FaultCode | null {
  const refused = all.get(follower)
  if (refused === undefined) return null
  const hasMoved = refused.position !== null && position > refused.position
  if (hasMoved) all.delete(follower)
  else all.set(follower, { ...refused, position })
  return hasMoved ? null : refused.code
}

/** How far this clock is behind a log that it stamps; where servers stamp, none matters. */
function behindOf({ appendedAt, now }: Head, own: number): number {
  return now === undefined ? appendedAt - own : 0
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', text: `${JSON.stringify(value)}\n` }
}
