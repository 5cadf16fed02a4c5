// Passkeys that people have just made and that no policy admin has signed into the catalog yet.
// They are worth nothing until then, so they are kept in memory alone, and for an hour.
import { randomBytes } from 'node:crypto'
import type { Catalog } from '#rules/catalog/catalog'
import { madePasskey } from '#rules/passkeys/made'
import type { Clock } from '#ports/clock'
import { Refusal } from '#serving/problem'
import type { LinkData } from '#serving/people/one-time-link'
import type { EnrolmentAnswer, PasskeyToMake } from '#schemas/console/people'
import type { Passkey } from '#schemas/people/passkey'
import { consoleAt } from './console-at.ts'

export interface Enrolments {
  /** What the browser is asked to make, for the person of the link. */
  begin(link: LinkData): PasskeyToMake
  /** Takes what it made: one passkey a link. */
  complete(link: LinkData, made: MadeInBrowser): EnrolmentAnswer
  state(link: LinkData): EnrolmentAnswer
}

export interface MadeInBrowser {
  readonly clientData: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly label: string | undefined
}

export interface EnrolmentsOf {
  readonly catalog: () => Catalog
  readonly url: () => string
  readonly clock: Clock
}

interface Enrolment {
  readonly until: number
  /** The last one that was given; it counts once. */
  challenge: Uint8Array | null
  passkey: Passkey | null
  fingerprint: string | null
}

const keptMax = 1_000
const timeoutMs = 300_000
/** EdDSA, ES256 and RS256, the first that an authenticator knows. */
const algorithms = [-8, -7, -257] as const

export function enrolmentsOf({ catalog, url, clock }: EnrolmentsOf): Enrolments {
  const open = new Map<string, Enrolment>()
  const of = ({ nonce, until }: LinkData): Enrolment => {
    const now = clock.now()
    for (const [key, one] of open) if (now >= one.until) open.delete(key)
    const found = open.get(nonce)
    if (found !== undefined) return found
    if (open.size >= keptMax) throw refused('too_many')
    const begun = { until, challenge: null, passkey: null, fingerprint: null }
    open.set(nonce, begun)
    return begun
  }
  const stateOf = ({ person }: LinkData, { passkey, fingerprint }: Enrolment): EnrolmentAnswer => {
    const { passkeys = [] } = catalog().principals.get(person) ?? {}
    const isEnrolled = passkey !== null && passkeys.some(({ id }) => id === passkey.id)
    const state = isEnrolled ? 'enrolled' : passkey === null ? 'begun' : 'waiting'
    return { person, state, fingerprint, passkey }
  }
  return {
    begin(link) {
      const here = consoleAt(catalog(), url())
      const { passkeys = [] } = catalog().principals.get(link.person) ?? {}
      if (here === null) throw refused('console_unknown')
      const enrolment = of(link)
      if (enrolment.passkey !== null) throw refused('link_used')
      enrolment.challenge = randomBytes(32)
      return {
        challenge: Buffer.from(enrolment.challenge).toString('base64url'),
        rp: { id: here.rpId, name: 'Warrant' },
        user: {
          id: Buffer.from(link.person, 'utf8').subarray(0, 64).toString('base64url'),
          name: link.person,
          displayName: link.person,
        },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: timeoutMs,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        excludeCredentials: passkeys.map(({ id }) => ({ type: 'public-key', id })),
      }
    },
    complete(link, { clientData, authenticatorData, label }) {
      const here = consoleAt(catalog(), url())
      const enrolment = of(link)
      const { challenge } = enrolment
      if (here === null) throw refused('console_unknown')
      if (enrolment.passkey !== null) throw refused('link_used')
      if (challenge === null) throw refused('challenge_mismatch')
      enrolment.challenge = null
      const made = madePasskey({ clientData, authenticatorData }, challenge, [here])
      if ('refused' in made) throw refused(made.refused)
      enrolment.passkey = { ...made.passkey, ...(label !== undefined && { label }) }
      enrolment.fingerprint = made.fingerprint
      return stateOf(link, enrolment)
    },
    state: (link) => stateOf(link, of(link)),
  }
}

function refused(reason: string): Refusal {
  return new Refusal(401, 'sign_in_refused', 'the passkey cannot be taken', { reason })
}
