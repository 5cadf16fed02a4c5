// Prints a link by which a person comes to the console once. Who makes it signs it: oneself, or a
// policy admin for anyone.
import { consoleRefusal } from '#rules/catalog/doors/console-rights'
import { Fault } from '#record/fault'
import { utc } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner } from '#runtime/keys/keys'
import { linkMsMax, madeLink, type LinkData } from '#serving/people/one-time-link'
import { exitCodes } from '#schemas/faults/exit'
import { signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { note, print, printJson } from '#cli/terminal/terminal'

export interface LinkOptions extends GlobalOptions, SignerOptions {
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

export interface LinkMade {
  /** With its secret, in the fragment: browsers send that to no server. */
  readonly link: string
  readonly secret: string
  readonly until: number
}

/** Throws a Fault for someone who cannot use the console, or who may not make one. */
export async function linkFor(
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
