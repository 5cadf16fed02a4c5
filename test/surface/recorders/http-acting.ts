// What the HTTP server answers those who act by it: to ask, to begin and to end a call, to speak in
// a session, to take back; and what it says of requests that it cannot take.
import { join } from 'node:path'
import { createToken } from '#serving/token-file'
import { serveHttp } from '#http/serving'
import { endWithTest } from '../../support/vitest/endings.ts'
import { deletion, erase, look, scene } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { withoutChance } from '../chance.ts'
import { countedIds } from '../served.ts'
import { block, type Subject } from '../subject.ts'
import { answerText } from './http-reading.ts'

const catalog = {
  principals: [
    { id: 'ada', owner: 'olga', via: ['http'] },
    { id: 'ann', via: ['http'] },
    { id: 'eve', owner: 'olga', via: ['mcp'] },
  ],
  capabilities: [
    look,
    erase,
    { ...look, id: 'mail', known: [{ arg: '/to', kind: 'email' as const }] },
  ],
  trustedEvidence: [{ sender: 'ann', for: ['*'] }],
  limits: [{ capability: 'mail', uses: 1, windowMs: 60_000 }],
}

interface Sent {
  readonly as?: 'ada' | 'ann' | 'eve' | 'wrong' | null
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const because = { justification: 'the customer asked for it' }
const intents = '/v1/intents'

/** In a path `{n}` stands for the intent of the n-th request. */
const requests: readonly Sent[] = [
  { path: intents, body: { tool: 'look', args: { at: 1 } }, headers: { 'idempotency-key': 'one' } },
  { path: intents, body: { tool: 'look', args: { at: 1 } }, headers: { 'idempotency-key': 'one' } },
  { path: intents, body: { tool: 'look', args: { at: 2 } }, headers: { 'idempotency-key': 'one' } },
  { path: `${intents}/{0}/start` },
  { path: `${intents}/{0}/start` },
  { path: `${intents}/{0}/outcome`, body: { outcome: 'succeeded', result: { rows: 3 } } },
  { path: `${intents}/{0}/outcome`, body: { outcome: 'succeeded' } },
  { path: `${intents}/{0}/outcome`, body: { outcome: 'perhaps' } },
  { path: `${intents}?wait=0`, body: { tool: 'erase', args: { n: 1 }, ...because } },
  { path: `${intents}/{8}`, method: 'GET' },
  { path: `${intents}/{8}/start` },
  { path: `${intents}/{8}/withdraw`, body: { reason: 'not needed any more' } },
  { path: `${intents}/{8}/withdraw` },
  { path: intents, body: { tool: 'unknown', args: {} } },
  { path: intents, body: { tool: 'mail', args: { to: 'eve@evil.example' }, ...because } },
  { path: `${intents}/bot.-.UNKNOWN/start` },
  { path: intents, body: { args: {} } },
  { path: intents, body: { tool: 'look', more: 1 } },
  { path: intents, body: 'no json' },
  { path: intents, body: '{"tool":"look","args":{"n":9007199254740993}}' },
  { path: intents, body: '{"tool":"look","tool":"erase"}' },
  { path: intents, body: { tool: 'look' }, headers: { 'content-type': 'text/plain' } },
  { path: `${intents}?wait=soon`, body: { tool: 'look' } },
  { path: intents, body: { tool: 'look' }, headers: { prefer: 'respond-async' } },
  { as: null, path: intents, body: { tool: 'look' } },
  { as: 'wrong', path: intents, body: { tool: 'look' } },
  { as: 'eve', path: intents, body: { tool: 'look' } },
  { as: 'ann', path: '/v1/sessions/S-1/messages', body: { to: 'ada', content: 'it is so' } },
  { as: 'ann', path: '/v1/sessions/S-1/messages', body: { content: 7 } },
  { path: '/v1/messages', body: { message: {} } },
  { path: '/v1/shortlist', body: { goal: 'look at a page' } },
  { path: '/v1/shortlist', body: {} },
  { path: '/v1/contracts', body: { worker: 'ada', contract: { taskId: 'T' } } },
  { path: '/v1/contracts/ada.-.01X/claim', body: { completion: { status: 'done' } } },
  { path: '/v1/hooks/claude-code', body: {} },
  { path: '/v1/hooks/unknown', body: {} },
  { path: '/auth/sign-out' },
  { path: intents, method: 'PUT', body: {} },
  { path: intents, method: 'GET' },
]

async function record(): Promise<ReadonlyMap<string, string>> {
  const graph = deletion({ name: 'ask', requiresConfirmation: true })
  const on = await scene({ catalog, graph, parts: { ids: countedIds() } })
  const tokens = join(await temporaryFolder(), 'tokens.ndjson')
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveHttp({ runtime: on.runtime, listen, tokens })
  endWithTest(() => serving.close(0))
  const { url } = serving
  const made = new Map([['wrong', 'wrong']])
  for (const principal of ['ada', 'ann', 'eve']) {
    const { token } = await createToken(tokens, { principal, now: on.time.now, expiresAt: null })
    made.set(principal, token)
  }
  const asked: string[] = []
  let text = ''
  for (const { as = 'ada', method = 'POST', path, body, headers } of requests) {
    const at = path.replace(/\{(\d+)\}/, (_, nth: string) => asked[Number(nth)] ?? nth)
    const written = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${url}${at}`, {
      method,
      headers: {
        ...(as !== null && { authorization: `Bearer ${made.get(as)}` }),
        ...(written !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(written !== undefined && { body: written }),
    })
    const answered = atWhicheverStage(await answerText(response, { url }))
    asked.push(/"intent": ?"([^"]*)"/.exec(answered)?.[1] ?? '')
    const more = Object.entries(headers ?? {}).map(([name, value]) => `, ${name}: ${value}`)
    const title = `${as ?? 'without a token'}: ${method} ${path}${more.join('')}`
    text += block(title, `${written ?? ''}\n--- ${answered}`)
  }
  return new Map([['requests.txt', withoutChance(text)]])
}

// Who does not wait meets it at whichever stage it is by then, and its tag says the same.
function atWhicheverStage(answered: string): string {
  if (!/"for": "(?:grounding|policy)"/.test(answered)) return answered
  return answered
    .replace(/"for": "\w+"/, '"for": "<stage>"')
    .replace(/"the \w+ stage"/, '"the <stage> stage"')
    .replace(/^etag: .*$/m, 'etag: "<tag>"')
}

export const httpActing: Subject = { folder: 'ours/http-acting', record }
