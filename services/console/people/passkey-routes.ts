// Signing in with a passkey: the server gives a challenge, which counts once, and believes what the
// catalog's key verifies.
import type { Hono } from 'hono'
import { asserted } from '#rules/passkeys/assertion'
import type { Catalog } from '#rules/catalog/catalog'
import { readJson } from '#record/json'
import { bodyOf } from '#serving/app'
import { Refusal } from '#serving/problem'
import { PasskeySignIn, type PasskeyAsked } from '#schemas/console/people'
import type { PasskeySignature } from '#schemas/values'
import { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { addOpen } from '../routed.ts'
import { consoleAt } from './console-at.ts'
import { begun } from './session-routes.ts'
import { randomBytes } from 'node:crypto'
import type { Clock } from '#ports/clock'

const WithChallenge = z.looseObject({ challenge: z.string().max(256) })

export function addPasskeyRoutes(app: Hono, on: ConsoleOn, given: Challenges): void {
  addOpen(app, on, 'passkeyBegin', (c) => {
    const here = consoleAt(on.runtime.follower.state.catalog, on.url())
    if (here === null) throw notSignedIn('console_unknown')
    return c.json({
      challenge: given.give(),
      rpId: here.rpId,
      timeout: challengeMsMax,
      userVerification: 'required',
      // Whose they are is known by them alone: to list some would show who there is.
      allowCredentials: [],
    } satisfies PasskeyAsked)
  })
  addOpen(app, on, 'passkeyComplete', async (c) => {
    const { assertion } = await bodyOf(c, PasskeySignIn)
    const { catalog } = on.runtime.follower.state
    const here = consoleAt(catalog, on.url())
    if (here === null || assertion.format !== 'webauthn') throw notSignedIn('console_unknown')
    const challenge = challengeIn(assertion)
    // It is used, whatever comes of it: a second try begins again.
    if (challenge === null || !given.take(challenge)) throw notSignedIn('challenge_mismatch')
    const person = holderOf(catalog, assertion.credential)
    if (person === null) throw notSignedIn('credential_unknown')
    const { passkeys = [] } = catalog.principals.get(person) ?? {}
    const bytes = Buffer.from(challenge, 'base64url')
    const found = asserted(assertion, bytes, { passkeys, consoles: [here] })
    if ('refused' in found) throw notSignedIn(found.refused)
    return begun(on, c, { by: 'passkey', person, credential: assertion.credential })
  })
}

function challengeIn({ clientData }: PasskeySignature): string | null {
  const bytes = Buffer.from(clientData, 'base64url')
  const reading = readJson(bytes, { bytesMax: 4_096, depthMax: 8 })
  return WithChallenge.safeParse(reading.ok ? reading.value : null).data?.challenge ?? null
}

/** No two principals share one. */
function holderOf({ principals }: Pick<Catalog, 'principals'>, credential: string): string | null {
  for (const { id, passkeys = [] } of principals.values()) {
    if (passkeys.some((one) => one.id === credential)) return id
  }
  return null
}

function notSignedIn(reason: string): Refusal {
  const what = 'the passkey did not sign anyone in'
  return new Refusal(401, 'sign_in_refused', what, { reason })
}

// The challenges that this server gave out and that no one has answered: each counts once, and for
// two minutes.

export interface Challenges {
  /** A new one, as base64url. */
  give(): string
  /** Whether it was given and is still good; it is not any more then. */
  take(challenge: string): boolean
}

const challengeMsMax = 120_000
/** Of more, the oldest count no more. */
const keptMax = 4_096

export function challenges(clock: Clock): Challenges {
  const given = new Map<string, number>()
  return {
    give() {
      const now = clock.now()
      for (const [challenge, until] of given) {
        if (now < until && given.size < keptMax) break
        given.delete(challenge)
      }
      const challenge = randomBytes(32).toString('base64url')
      given.set(challenge, now + challengeMsMax)
      return challenge
    },
    take(challenge) {
      const until = given.get(challenge)
      given.delete(challenge)
      return until !== undefined && clock.now() < until
    },
  }
}
