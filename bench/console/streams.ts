// Pages that listen as browsers do, as far as a server knows: each a stream of events with the
// cookie of someone who is signed in.
import { request as dial, type IncomingMessage } from 'node:http'
import { madeLink } from '#runtime/serving/people/one-time-link'
import { consoleApi } from '#schemas/console/routes'
import { keys } from '../../test/support/runtime.ts'
import type { ConsoleProcess } from './server.ts'

/** The secret of a link by which that person signs in. */
export function secretFor({ url, log }: ConsoleProcess, person: string): string {
  const madeAt = Date.now()
  const of = { for: 'sign_in' as const, by: 'root', person, origin: url, log, madeAt }
  return madeLink({ ...of, until: madeAt + 60_000, privateKey: keys.root })
}

async function cookieOf(on: ConsoleProcess, person: string): Promise<string> {
  const response = await fetch(`${on.url}${consoleApi}/sign-in/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: on.url },
    body: JSON.stringify({ secret: secretFor(on, person) }),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  if (!response.ok) throw new Error(`\`${person}\` was not signed in: ${response.status}`)
  return cookie.split(';', 1)[0] ?? ''
}

export interface Streams {
  /** Resolves when each has been sent what stands at that position. */
  reached(position: number): Promise<void>
  /** When the last of them was sent it, in milliseconds since 1970. */
  readonly arrivals: ReadonlyMap<number, number>
  /** Of all of them together. */
  readonly received: number
  close(): void
}

/** So many, of these people in turn. */
export async function streamsAt(
  on: ConsoleProcess,
  people: readonly string[],
  count: number,
): Promise<Streams> {
  const cookies = await Promise.all(people.map((person) => cookieOf(on, person)))
  const arrivals = new Map<number, number>()
  const lasts: number[] = []
  let received = 0
  let look = (): void => undefined
  const take = (index: number, position: number): void => {
    received += 1
    lasts[index] = position
    arrivals.set(position, Date.now())
  }
  const responses = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const response = await streamOf(on.url, cookies[index % cookies.length] ?? '')
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        const end = text.lastIndexOf('\n\n')
        if (end < 0) return
        for (const [, id = ''] of text.slice(0, end).matchAll(/^id: (\d+)\ndata/gm)) {
          take(index, Number(id))
        }
        text = text.slice(end)
        look()
      })
      return response
    }),
  )
  return {
    arrivals,
    get received() {
      return received
    },
    reached: (position) =>
      new Promise((resolve) => {
        look = () => {
          if (responses.every((_response, index) => (lasts[index] ?? 0) >= position)) resolve()
        }
        look()
      }),
    close: () => responses.forEach((response) => response.destroy()),
  }
}

function streamOf(url: string, cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = dial(`${url}${consoleApi}/events`, { headers: { cookie } }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else reject(new Error(`a stream was answered with ${response.statusCode}`))
    })
    request.on('error', reject)
    request.end()
  })
}
