// A policy admin lets a person make a passkey, compares its fingerprint with what the person sees,
// and signs it into the catalog. Until then it is worth nothing.
import { setTimeout as wait } from 'node:timers/promises'
import { principalIn, type Catalog } from '#rules/catalog/catalog'
import { fingerprintOf } from '#rules/passkeys/made'
import { Fault } from '#record/fault'
import { change } from '#authoring/change'
import { findPolicyAdmin, findSigner } from '#runtime/keys/keys'
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
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { tableLines } from '#cli/terminal/table'
import { consoleRefusal } from '#rules/catalog/doors/console-rights'
import { utc } from '#present/wording'
import { linkMsMax, madeLink, type LinkData } from '#serving/people/one-time-link'
import { usage } from '#cli/terminal/failure'

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
    const passkey = await passkeyAt(origin, secret, { until, now: () => runtime.clock.now() })
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
export async function passkeyAt(
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

// Lists by what people sign in browsers, and where these keys may be.

export async function listEnrolments(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const { principals, consoles } = follower.state.catalog
    const rows = [...principals.values()].flatMap(({ id, suspended, passkeys = [] }) =>
      passkeys.map((passkey) => ({
        person: id,
        suspended,
        label: passkey.label ?? '',
        fingerprint: fingerprintOf(passkey),
        credential: passkey.id,
        backupEligible: passkey.backupEligible,
      })),
    )
    if (options.json === true) {
      await printJson({ consoles, passkeys: rows })
      return exitCodes.yes
    }
    const where = consoles.map(({ id, origins }) => `${id}: ${origins.join(', ')}`)
    await print(where.length === 0 ? ['the catalog has no console'] : where)
    if (rows.length === 0) await print(['no one has a passkey'])
    else {
      const lines = rows.map(({ person, fingerprint, label, backupEligible, suspended }) => [
        person,
        fingerprint,
        backupEligible ? 'copied' : 'one device',
        suspended ? 'suspended' : '',
        label,
      ])
      await print(tableLines(['person', 'fingerprint', 'kept', 'state', 'label'], lines))
    }
    return exitCodes.yes
  })
}

// Prints a link by which a person comes to the console once. Who makes it signs it: oneself, or a
// policy admin for anyone.

interface LinkOptions extends GlobalOptions, SignerOptions {
  readonly url: string
  /** Milliseconds. */
  readonly for?: number
}

const msDefault = 15 * 60_000

export async function printLink(person: string, options: LinkOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const { link, until } = await linkFor(runtime, options, { person, for: 'sign_in' })
    if (options.json === true) await printJson({ link, person, until: new Date(until) })
    else {
      await print([link])
      note(`good once, until ${utc(until)}: who opens it first reads as ${person}`)
    }
    return exitCodes.yes
  })
}

interface LinkMade {
  /** With its secret, in the fragment: browsers send that to no server. */
  readonly link: string
  readonly secret: string
  readonly until: number
}

/** Throws a Fault for someone who cannot use the console, or who may not make one. */
async function linkFor(
  runtime: Runtime,
  options: LinkOptions,
  of: Pick<LinkData, 'for' | 'person'>,
): Promise<LinkMade> {
  const { follower, clock } = runtime
  const { catalog, log } = follower.state
  const origin = originOf(options.url)
  const ms = options.for ?? msDefault
  if (ms > linkMsMax) throw usage('--for takes an hour at most: a link is used at once')
  const why = consoleRefusal(catalog, of.person)
  if (why !== null) throw new Fault('unknown_principal', refusals[why](of.person))
  const { id: by, privateKey } = await findSigner(signerChoice(runtime, options))
  const madeAt = clock.now()
  const until = madeAt + ms
  const secret = madeLink({ ...of, by, origin, madeAt, until, log, privateKey })
  const view = of.for === 'enrol' ? 'enrol' : 'link'
  return { link: `${origin}/#${view}=${secret}`, secret, until }
}

const refusals = {
  unknown: (id: string) => `the catalog has no principal \`${id}\``,
  suspended: (id: string) => `\`${id}\` is suspended`,
  agent: (id: string) => `\`${id}\` is someone’s agent: its owner uses the console`,
} as const

export function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw usage(`--url takes an address such as https://console.example, not \`${url}\``)
}
