// A server for tests of the page alone: it answers by the table of the console's routes, from
// reviews that the test makes up, and keeps what was submitted. It decides nothing.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { canonicalBytes, jsonOf, type Json } from '#record/canonical'
import { emptyCatalog } from '#rules/catalog/catalog'
import { grantBeside } from '#rules/grants/beside'
import type { OperationAnswer } from '#schemas/operations/table'
import { CardAnswer, InboxAnswer, type ContentsAnswer } from '#schemas/console/reviews'
import { ConsoleSession } from '#schemas/console/people'
import { endWithTest } from '../vitest/endings.ts'
import { inboxRow, pastRow } from './made-up-reviews.ts'
import { pageFiles } from './page-files.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface StandIn {
  readonly url: string
  readonly cards: Map<string, CardAnswer>
  /** What was submitted, in order. */
  readonly submitted: Json[]
  /** Changes what is prepared before it is sent, as a server that lies would. */
  lies: ((toSign: Prepared) => Prepared) | null
  /** What it says of all that a call would write. */
  contents: ContentsAnswer
  isSignedIn: boolean
  /** Ids of the person's passkeys, as base64url. */
  passkeys: readonly string[]
  /** What pages get to know of. */
  happens(kind: string, intent: string): void
  /** Whether it takes no connection. */
  isDown: boolean
  /** Ends all connections, and takes none. */
  cut(): void
}

interface Prepared {
  readonly of: { readonly log: string | null; readonly name: string }
  readonly data: Json
}

interface Options {
  readonly cards?: readonly CardAnswer[]
  readonly isSignedIn?: boolean
  readonly count?: number
  readonly rights?: NonNullable<ConsoleSession['person']>['rights']
}

export async function standIn(options: Options = {}): Promise<StandIn> {
  const files = await pageFiles()
  const streams = new Set<ServerResponse>()
  let position = 100
  const server = createServer((request, response) => {
    if (on.isDown) request.socket.destroy()
    else void routed(request, response)
  })
  const routed = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const file = files.get(pathname)
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type, 'content-security-policy': policy })
      response.end(file.bytes)
      return
    }
    const path = pathname.replace('/console/api', '').split('/').slice(1).map(decodeURIComponent)
    if (path[0] === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(': from here on\n\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return
    }
    const body = jsonOf(JSON.parse((await textOf(request)) || 'null'))
    const [status, answer] = answered(on, options, { path, query: searchParams, body })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  const on: StandIn = {
    url: '',
    cards: new Map((options.cards ?? []).map((card) => [card.intent, card])),
    submitted: [],
    lies: null,
    contents: { is: 'gone', text: null },
    isSignedIn: options.isSignedIn ?? true,
    passkeys: [],
    isDown: false,
    happens(kind, intent) {
      position += 1
      const data = JSON.stringify({ position, kind, name: '', intent })
      for (const stream of streams) stream.write(`id: ${position}\ndata: ${data}\n\n`)
    },
    cut() {
      on.isDown = true
      server.closeAllConnections()
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endWithTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return Object.assign(on, { url: `http://localhost:${port}/` })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

interface Request {
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: Json
}

function answered(on: StandIn, options: Options, request: Request): readonly [number, unknown] {
  const [first, intent = '', third] = request.path
  if (first === 'session') return [200, session(on, options)]
  if (!on.isSignedIn) return [401, problem('caller_refused', 401)]
  if (first === 'inbox' && intent === '') return [200, inbox(on, options, request.query)]
  if (first === 'past-reviews') return [200, past(on)]
  if (first === 'browsers') return [200, { position: 100, now: now(), browsers: [] }]
  if (first === 'absence') {
    return [200, { position: 100, now: now(), own: null, standsIn: [], fellows: ['olga'] }]
  }
  const card = on.cards.get(intent)
  if (!['inbox', 'reviews'].includes(first ?? '') || card === undefined)
    return [404, problem('not_found', 404)]
  if (third === undefined) return [200, { ...card, now: now() }]
  if (third === 'grant') return granted(on, card, request)
  if (third === 'contents') return [200, on.contents]
  if (third === 'prepare') return prepared(on, card, request.body)
  if (third === 'submit') return submitted(on, card, request.body)
  return [404, problem('not_found', 404)]
}

const now = (): string => new Date().toISOString()
const problem = (code: string, status: number): unknown => {
  return { type: `urn:warrant:${code}`, status, code, retry: 'never' }
}

const later = (): string => new Date(Date.now() + 3_600_000).toISOString()

function session({ isSignedIn, passkeys }: StandIn, { rights }: Options): ConsoleSession {
  return ConsoleSession.parse({
    realm: 'main',
    log: null,
    position: 100,
    now: now(),
    rpId: 'localhost',
    ways: ['passkey', 'link'],
    person: isSignedIn
      ? {
          id: 'ann',
          rights: rights ?? ['confirmer'],
          by: 'passkey',
          csrf: 'csrf',
          endsAt: later(),
          idleEndsAt: later(),
          passkeys: passkeys.map((id) => ({ id })),
          keys: passkeys.length,
          traces: null,
        }
      : null,
  })
}

const pageSize = 100

function inbox(on: StandIn, { count }: Options, query: URLSearchParams): InboxAnswer {
  const from = Number(query.get('after') ?? 0)
  const cards = [...on.cards.values()]
  const open = cards.filter(({ state }) => state === 'open')
  const all = count ?? open.length
  const limit = Math.min(pageSize, all - from)
  const made = Array.from({ length: Math.max(0, limit) }, (_, index) => {
    const at = from + index
    const card = open[at % open.length]
    return card === undefined ? [] : [inboxRow(card, count === undefined ? 0 : at)]
  }).flat()
  const next = from + limit < all ? String(from + limit) : null
  return InboxAnswer.parse({
    position: 100,
    now: now(),
    count: all,
    open: made,
    next,
  })
}

function past({ cards }: StandIn): OperationAnswer<'pastReviews'> {
  const rows = [...cards.values()].filter(({ state }) => state !== 'open').map(pastRow)
  return { position: 100, now: now(), rows, next: null, isWhole: true }
}

function prepared(on: StandIn, card: CardAnswer, body: Json): readonly [number, unknown] {
  const { intent, log } = card.review
  const name = `${card.name.replace('.review.', '.decision.')}.ann`
  const data = jsonOf({ ...Object(body), confirmer: 'ann', intent, review: card.name })
  const toSign = { of: { log, name }, data }
  return [200, { toSign: on.lies === null ? toSign : on.lies(toSign) }]
}

function submitted(on: StandIn, card: CardAnswer, body: Json): readonly [number, unknown] {
  if (card.state !== 'open') return [409, problem('no_review', 409)]
  on.submitted.push(body)
  on.cards.set(card.intent, CardAnswer.parse({ ...card, state: 'decided', cannot: 'answered' }))
  return [200, { name: 'main.1.decision.x', position: 101, appendedAt: now() }]
}

const Chosen = z.object({ when: z.string(), uses: z.number(), until: z.string() })

function granted(
  on: StandIn,
  card: CardAnswer,
  { path, body }: Request,
): readonly [number, unknown] {
  if (path[3] === 'submit') {
    on.submitted.push(body)
    return [200, { name: 'main.1.grant.x', position: 101, appendedAt: now() }]
  }
  const { when, uses, until } = Chosen.parse(body)
  const of = { confirmer: 'ann', when, uses, until: Date.parse(until) }
  const { grant = null } = grantBeside(emptyCatalog, card, of) ?? {}
  const asked = { of: { log: null, name: 'main.1.grant.x.ann' }, data: jsonOf(grant) }
  const toSign = on.lies === null ? asked : on.lies(asked)
  const { until: end } = z.object({ until: z.string() }).parse(toSign.data)
  const none = { asked: 0, fits: 0, declined: 0, beyond: 0, amount: null }
  const preview = { ...none, days: 30, first: [], quorum: 1, warnings: [] }
  return [200, { id: 'x', grant: { ...grant, until: end }, preview, askedStill: [], toSign }]
}

/** What a passkey must have signed for that content. */
export function challengeFor(
  of: { readonly log: string | null; readonly name: string },
  data: Json,
): string {
  const bytes = canonicalBytes({ data, log: of.log, name: of.name })
  return createHash('sha256').update(bytes).digest('base64url')
}
