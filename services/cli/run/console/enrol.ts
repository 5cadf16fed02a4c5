// A policy admin lets a person make a passkey, compares its fingerprint with what the person sees,
// and signs it into the catalog. Until then it is worth nothing.
import { setTimeout as wait } from 'node:timers/promises'
import { principalIn, type Catalog } from '#rules/catalog/catalog'
import { fingerprintOf } from '#rules/passkeys/made'
import { Fault } from '#record/fault'
import { change } from '#authoring/change'
import { findPolicyAdmin } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import type { CatalogOperation } from '#schemas/catalog'
import { EnrolmentAnswer } from '#schemas/console/people'
import { consoleApi, consoleRoutes } from '#schemas/console/routes'
import { exitCodes } from '#schemas/faults/exit'
import type { Passkey } from '#schemas/people/passkey'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { withRuntime } from '#cli/terminal/opening/opened'
import { note, print, printJson } from '#cli/terminal/terminal'
import { linkFor, originOf, type LinkOptions } from './link.ts'

type EnrolOptions = LinkOptions

const askEveryMs = 1_000

export async function enrolPerson(person: string, options: EnrolOptions): Promise<number> {
  return withRuntime(options, {}, async (runtime) => {
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    const origin = originOf(options.url)
    await withConsole(runtime, options, { author, origin })
    const { link, secret, until } = await linkFor(runtime, options, { person, for: 'enrol' })
    await print([link])
    note(`let ${person} open it in the browser that is to hold the passkey`)
    const passkey = await madeAt(origin, secret, { until, now: () => runtime.clock.now() })
    const fingerprint = fingerprintOf(passkey)
    const lines = [
      `passkey of ${person} for ${origin}`,
      `  fingerprint ${fingerprint}`,
      `  kept        ${passkey.backupEligible ? 'by a service that copies it' : 'on one device'}`,
      'sign it only if the person reads the same fingerprint to you',
    ]
    await demandAgreement(options, { lines, as: author.id })
    const { revision } = await change(
      runtime,
      {
        kind: 'catalog',
        operations: (catalog) => [withPasskey(catalog, person, passkey)],
      },
      author,
      { note: `passkey ${fingerprint}` },
    )
    if (options.json === true) await printJson({ person, fingerprint, revision })
    else {
      await print([`${person} signs with ${fingerprint} from catalog revision ${revision} on`])
    }
    return exitCodes.yes
  })
}

/** The first enrolment puts into the catalog where the console is. */
async function withConsole(
  runtime: Runtime,
  options: EnrolOptions,
  of: { readonly author: Awaited<ReturnType<typeof findPolicyAdmin>>; readonly origin: string },
): Promise<void> {
  const { consoles } = runtime.follower.state.catalog
  const { origin, author } = of
  if (consoles.some(({ origins }) => origins.includes(origin))) return
  const { hostname: rpId } = new URL(origin)
  const ids = new Set(consoles.map(({ id }) => id))
  const id = ['console', ...consoles.map((_, at) => `console-${at + 2}`)].find(
    (one) => !ids.has(one),
  )
  const added = { id: id ?? 'console', rpId, origins: [origin] }
  const lines = [`passkeys are signed with at ${origin} (for the host ${rpId})`]
  await demandAgreement(options, { lines, as: author.id })
  const operations: CatalogOperation[] = [
    { op: 'set', key: 'consoles', value: [...consoles, added] },
  ]
  await change(runtime, { kind: 'catalog', operations }, author)
}

export function withPasskey(catalog: Catalog, person: string, passkey: Passkey): CatalogOperation {
  const entry = principalIn(catalog, person)
  const passkeys = [...(entry.passkeys ?? []), passkey]
  return { op: 'put', collection: 'principals', entry: { ...entry, passkeys } }
}

/** The passkey, once the person has made it. */
export async function madeAt(
  origin: string,
  secret: string,
  { until, now }: { readonly until: number; readonly now: () => number },
): Promise<Passkey> {
  const interrupt = onInterrupt()
  try {
    while (now() < until && !interrupt.signal.aborted) {
      const { passkey } = await stateAt(origin, secret)
      if (passkey !== null) return passkey
      await wait(askEveryMs, undefined, { signal: interrupt.signal }).catch(() => undefined)
    }
  } finally {
    interrupt.release()
  }
  throw new Fault('not_signed', 'no passkey was made with the link')
}

async function stateAt(origin: string, secret: string): Promise<EnrolmentAnswer> {
  const url = `${origin}${consoleApi}${consoleRoutes.enrolState.path}`
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ secret }),
    })
  } catch (cause) {
    const how = 'start it with `warrant up console`, or give --url'
    throw new Fault('server_unreachable', `no console answers at ${origin}: ${how}`, { cause })
  }
  const parsed = EnrolmentAnswer.safeParse(await response.json().catch(() => null))
  if (parsed.success) return parsed.data
  throw new Fault('server_unreachable', `what answers at ${origin} is no console of this log`)
}
