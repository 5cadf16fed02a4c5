// The demo's log in a console: a few calls are asked about again, and this time no one answers but
// the person at the browser. The demo plays the policy admin, and signs whatever passkey is made by
// its link: that is for a demo alone.
import { readData } from '#core/kernel/event'
import { patternsOf } from '#core/kernel/names'
import { fingerprintOf } from '#core/passkeys/made'
import { change } from '#runtime/authoring/change'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { madeLink } from '#runtime/serving/people/one-time-link'
import type { ReviewData } from '#schemas/review'
import { connect } from '#services/client/connect'
import { readBackwards } from '#services/client/reading/log/backwards'
import { pagesOf } from '#services/console/pages'
import { serveConsole } from '#services/console/serving'
import { madeAt, withPasskey } from '../console/enrol.ts'
import { note, print } from '../terminal/terminal.ts'
import type { DemoConsole } from './piece.ts'

const listen = { host: '127.0.0.1', port: 7719 }
const openMax = 5
const linkMs = 60 * 60_000
const drainMs = 1_000

/** Serves it until the signal aborts. */
export async function demoConsole(
  runtime: Runtime,
  { admin, person }: DemoConsole,
  stopping: AbortSignal,
): Promise<void> {
  const serving = await serveConsole({ runtime, listen, files: await pagesOf() })
  try {
    const { origin, hostname: rpId } = new URL(serving.url)
    const here = { id: 'demo', rpId, origins: [origin] }
    const operations = [{ op: 'set' as const, key: 'consoles' as const, value: [here] }]
    await change(runtime, { kind: 'catalog', operations }, admin)
    const open = await askedAgain(runtime)
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

async function enrolled(
  runtime: Runtime,
  { admin, person, origin }: DemoConsole & { readonly origin: string },
  secret: string,
): Promise<void> {
  const now = (): number => runtime.clock.now()
  const passkey = await madeAt(origin, secret, { until: now() + linkMs, now }).catch(() => null)
  if (passkey === null) return
  await change(
    runtime,
    {
      kind: 'catalog',
      operations: ({ principals }) => [withPasskey(principals, person, passkey)],
    },
    admin,
  )
  note(`signed the passkey ${fingerprintOf(passkey)} into the catalog, as no real one should be`)
}

/** Asks once more what people were asked last, of each capability once; how many these are. */
async function askedAgain(runtime: Runtime): Promise<number> {
  const { log, follower } = runtime
  const { position, place } = follower.state
  const names = patternsOf(place, 'review', '*', '*', '*', '*')
  const found = new Map<string, ReviewData>()
  for await (const { facts } of readBackwards(log, { before: position + 1, names })) {
    for (const fact of facts) {
      const review = readData('review', fact)
      if (review !== null && found.size < openMax) found.set(keyOf(review), review)
    }
    if (found.size >= openMax) break
  }
  for (const { intent, terms, shown } of found.values()) {
    const client = await connect({ as: intent.agent, runtime })
    const asked = {
      tool: terms.capability,
      args: terms.args,
      distinct: true,
      ...(shown.goal !== null && { goal: shown.goal }),
      ...(shown.justification !== null && { justification: shown.justification }),
    }
    const session = intent.session === null ? undefined : client.session(intent.session)
    await client.publish(
      { type: 'query', content: 'asks again', payload: { intent: asked } },
      session,
    )
  }
  return found.size
}

/** One of a conversation, and of each capability more than one. */
function keyOf({ intent, terms }: ReviewData): string {
  return JSON.stringify([intent.agent, terms.capability])
}
