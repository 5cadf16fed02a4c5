// The demo's log in a console: a few reviews were left open, and only the person at the browser
// answers them. The demo plays the policy admin and signs any passkey that is made by its link,
// which is for a demo alone.
import { Fault } from '#record/fault'
import { fingerprintOf } from '#rules/passkeys/made'
import { waitsOf } from '#present/story/waits-of'
import { change } from '#authoring/change'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { madeLink } from '#serving/people/one-time-link'
import { pagesOf } from '#console/pages'
import type { Serving } from '#health/serving'
import { serveConsole } from '#console/serving'
import { passkeyAt, withPasskey } from '#cli/run/console/enrol'
import { note, print } from '#cli/terminal/terminal'
import type { DemoConsole } from './piece.ts'

const listen = { host: '127.0.0.1', port: 7719 }
const anyPort = { ...listen, port: 0 }
const linkMs = 60 * 60_000
const drainMs = 1_000

/** Serves it until the signal aborts. */
export async function demoConsole(
  runtime: Runtime,
  { admin, person }: DemoConsole,
  stopping: AbortSignal,
): Promise<void> {
  const serving = await servedHere(runtime)
  try {
    const { origin, hostname: rpId } = new URL(serving.url)
    const here = { id: 'demo', rpId, origins: [origin] }
    const operations = [{ op: 'set' as const, key: 'consoles' as const, value: [here] }]
    await change(runtime, { kind: 'catalog', operations }, admin)
    const open = waitingFor(runtime, person)
    const linkFor = (purpose: 'sign_in' | 'enrol'): string => {
      const madeNow = runtime.clock.now()
      const { id: by, privateKey } = admin
      const { log } = runtime.follower.state
      const of = { for: purpose, person, by, origin, madeAt: madeNow, until: madeNow + linkMs }
      return madeLink({ ...of, log, privateKey })
    }
    const enrolling = linkFor('enrol')
    await print([
      '',
      `the console is at ${serving.url}, with ${open} reviews that wait for ${person}`,
      `  look     ${origin}/#link=${linkFor('sign_in')}`,
      `  decide   ${origin}/#enrol=${enrolling}`,
      '  the second one makes a passkey, which the demo signs into its catalog by itself',
      'Ctrl-C ends it',
    ])
    await Promise.race([
      aborted(stopping),
      enrolled(runtime, { admin, person, origin }, enrolling).then(() => aborted(stopping)),
    ])
  } finally {
    await serving.close(drainMs)
  }
}

/** Elsewhere where another console is there: what was played is not to be lost for that. */
async function servedHere(runtime: Runtime): Promise<Serving> {
  const files = await pagesOf()
  try {
    return await serveConsole({ runtimes: [runtime], listen, files })
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'listen_failed') throw error
    return serveConsole({ runtimes: [runtime], listen: anyPort, files })
  }
}

async function enrolled(
  runtime: Runtime,
  { admin, person, origin }: DemoConsole & { readonly origin: string },
  secret: string,
): Promise<void> {
  const now = (): number => runtime.clock.now()
  const passkey = await passkeyAt(origin, secret, { until: now() + linkMs, now }).catch(() => null)
  if (passkey === null) return
  await change(
    runtime,
    {
      kind: 'catalog',
      operations: (catalog) => [withPasskey(catalog, person, passkey)],
    },
    admin,
  )
  note(`signed the passkey ${fingerprintOf(passkey)} into the catalog, as no real one should be`)
}

function waitingFor({ follower, clock }: Runtime, person: string): number {
  const now = clock.now()
  const { state } = follower
  const open = [...state.intents.values()].map((intent) => waitsOf(state, intent, now))
  return open.filter(({ people }) => people.includes(person)).length
}
