// The console as a door: a person who is signed in asks by its routes.
import { madeLink } from '#serving/people/one-time-link'
import type { Runtime } from '#runtime/engine/runtime'
import { addressFor } from '#schemas/operations/fields'
import { operations } from '#schemas/operations/table'
import { serveConsole } from '#console/serving'
import { atBrowser, files, noOne, origin } from '../console/console-scene.ts'
import { keys } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { codeIn, type Door } from './door.ts'

export async function consoleAt(runtime: Runtime, person: string): Promise<Door> {
  const listen = { host: '127.0.0.1', port: 0 }
  const rate = { perSecond: 10_000, burst: 10_000 }
  const serving = await serveConsole({ runtimes: [runtime], listen, files, url: origin, rate })
  endWithTest(() => serving.close(0))
  const now = runtime.clock.now()
  const secret = madeLink({
    for: 'sign_in',
    person,
    by: 'root',
    origin,
    log: runtime.follower.state.log,
    madeAt: now,
    until: now + 60_000,
    privateKey: keys.root,
  })
  const signedIn = await atBrowser({ serving }, noOne).ask('linkSignIn', { body: { secret } })
  const cookie = String(signedIn.headers['set-cookie']?.[0]).split(';', 1)[0] ?? ''
  const browser = atBrowser({ serving }, { cookie, csrf: '' })
  return async (name, given) => {
    const [, query = ''] = addressFor(operations[name], given).split('?')
    const params = Object.fromEntries(Object.entries(given).map(([key, of]) => [key, String(of)]))
    const { status, text } = await browser.ask(name, { params, query: `?${query}` })
    return status === 200 ? JSON.parse(text) : codeIn(text)
  }
}
