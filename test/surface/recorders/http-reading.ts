// What the HTTP server answers of a played log: each of its own GET routes, and its event stream.
import { join } from 'node:path'
import { createToken } from '#serving/token-file'
import { serveHttp } from '#http/serving'
import { endWithTest } from '../../support/vitest/endings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { servedLog } from '../served.ts'
import { block, laidOut, plain, type Placeholders, type Subject } from '../subject.ts'

type Get = readonly [as: string | null, path: string, headers?: Readonly<Record<string, string>>]

const asked: Readonly<Record<string, readonly Get[]>> = {
  '0.2.0': [
    ['bot', '/v1/intents/bot.-.G0001'],
    ['bot', '/v1/intents/bot.-.G0018'],
    ['bot', '/v1/intents/bot.-.G0026'],
    ['bot', '/v1/intents/bot.-.G0032'],
    ['bot', '/v1/intents/bot.-.G0061?wait=0'],
    ['bot', '/v1/intents/bot.-.UNKNOWN'],
    ['bot', '/v1/intents/not%20an%20address'],
    ['honest', '/v1/intents/bot.-.G0001'],
    ['bot', '/v1/messages/bot.-.G0001'],
    ['honest', '/v1/messages/bot.-.G0001'],
    ['bot', '/v1/events', { 'last-event-id': 'x' }],
    ['bot', '/v1/caller'],
    ['bot', '/v1/contracts'],
    ['bot', '/v1/standings/bot'],
    ['bot', '/auth/session'],
    [null, '/v1/caller'],
    ['wrong', '/v1/caller'],
    ['quin', '/v1/caller'],
    [null, '/auth/sign-in'],
    [null, '/auth/callback'],
    [null, '/.well-known/authzen-configuration'],
    [null, '/.well-known/jwks.json'],
    [null, '/healthz'],
    [null, '/readyz'],
    [null, '/nowhere'],
    ['bot', '/v1/nowhere'],
    ['bot', '/v1/shortlist'],
  ],
  '0.2.0-work': [
    ['grader', '/v1/contracts'],
    ['grader', '/v1/contracts/grader.-.G0005'],
    ['bot', '/v1/contracts/grader.-.G0013'],
    ['honest', '/v1/contracts/grader.-.G0005'],
    ['grader', '/v1/standings/bot'],
    ['honest', '/v1/standings/bot'],
    ['grader', '/v1/standings/unknown'],
  ],
  '0.2.0-executions': [['bot', '/v1/intents/bot.-.G0002']],
}

const shownHeaders = [
  'content-type',
  'etag',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
]
const doors = { bot: ['http'], honest: ['http'], grader: ['http'] }

async function serverOn(log: string) {
  const { bot, honest, grader } = doors
  const via = log === '0.2.0-work' ? { bot, honest, grader } : { bot, honest }
  const { runtime, time } = await servedLog(log, via)
  const tokens = join(await temporaryFolder(), 'tokens.ndjson')
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveHttp({ runtime, listen, tokens })
  endWithTest(() => serving.close(0))
  return { url: serving.url, tokens, now: time.now }
}

/** The status, the headers that clients go by, and the body. */
export async function answerText(response: Response, places: Placeholders): Promise<string> {
  const headers = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}\n`]
  })
  return `${response.status}\n${headers.join('')}\n${laidOut(plain(await response.text(), places))}`
}

/** The frames of the verdicts since a position, up to the last that the log has. */
async function streamText(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': '380' }
  const response = await fetch(`${url}/v1/events`, { headers })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('id: 408\n')) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    if (done) break
    text += value
  }
  await reader?.cancel()
  return block('bot: GET /v1/events from 380', text)
}

async function record(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const [log, gets] of Object.entries(asked)) {
    const on = await serverOn(log)
    const made = new Map<string, string>()
    for (const [as] of gets) {
      if (as === null || as === 'wrong' || made.has(as)) continue
      made.set(
        as,
        (await createToken(on.tokens, { principal: as, now: on.now, expiresAt: null })).token,
      )
    }
    let text = ''
    for (const [as, path, more] of gets) {
      const token = as === null ? null : (made.get(as) ?? 'wrong')
      const headers = { ...(token !== null && { authorization: `Bearer ${token}` }), ...more }
      const response = await fetch(`${on.url}${path}`, { headers })
      const title = `${as ?? 'without a token'}: GET ${path}`
      text += block(title, await answerText(response, { url: on.url }))
    }
    if (log === '0.2.0') text += await streamText(on.url, made.get('bot') ?? '')
    files.set(`${log}.txt`, text)
  }
  return files
}

export const httpReading: Subject = { folder: 'ours/http-reading', record }
