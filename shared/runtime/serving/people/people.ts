// People in browsers: they sign in at an issuer, which says who they are, and have a session until
// they sign out. A session says who someone is and nothing more; it signs nothing, so what takes a
// signature of a person takes it still.
import type { Context } from 'hono'
import { z } from 'zod'
import { isSilence } from '#adapters/oidc/asking-issuer'
import type { StartedSignIn } from '#adapters/oidc/issuer-client'
import { parseJson } from '#core/kernel/json'
import type { Clock } from '#ports/clock'
import type { Identity } from '#schemas/catalog'
import { buckets } from '../buckets.ts'
import { issuerSilent, type LoginIssuer } from '../issuer.ts'
import { isLoopback } from '../loopback.ts'
import { Refusal } from '../problem.ts'
import { ownCookie } from './own-cookies.ts'
import { pathWithin, refuseOtherPages } from './own-page.ts'
import { personSessions, type PersonSession } from './person-sessions.ts'
import { sealing } from './sealed.ts'

export interface PeopleOf {
  readonly issuer: LoginIssuer
  /** As what the issuer knows this server. */
  readonly clientId: string
  /** Where clients address the server, without a slash at the end. */
  readonly url: () => string
  readonly clock: Clock
  /** Throws a Refusal for someone who is no one here. */
  readonly known: (identity: Identity) => void
}

/** Of a request with the cookie of a session. */
export interface SignedIn {
  /** As it stands now. Throws a Refusal 401 once it has ended. */
  session(): PersonSession
  end(): void
}

export interface People {
  /** Whether the request has the cookie of a session, be it one that counts or not. */
  isHere(c: Context): boolean
  /** Throws a Refusal: 401 without a session, 403 where another page asks. */
  signedIn(c: Context): SignedIn
  /** Sends the browser to the issuer. */
  begin(c: Context): Promise<Response>
  /** Takes it back from there, into a session. */
  complete(c: Context): Promise<Response>
  /** Ends the session, and answers where to sign out at the issuer; null where that cannot be. */
  signOut(c: Context): Promise<string | null>
}

/** How long signing in may take, in seconds. */
const signInSecondsMax = 600
const returnDefault = '/auth/session'
/** How fast what browsers come back with is redeemed, of all together. */
const redeeming = { perSecond: 10, burst: 50 }
/** What an issuer says to a client of what happened, and when. */
const idTokenTypes = ['jwt']

const Begun = z.strictObject({
  started: z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  returnTo: z.string(),
  until: z.number(),
})

export function peopleOf(of: PeopleOf): People {
  const { issuer, url, clock } = of
  const sessions = personSessions(clock)
  const sessionCookie = ownCookie('warrant-session', url)
  const beginning = beginningOf(of)
  const signedIn = (c: Context): SignedIn => {
    const secret = sessionCookie.read(c) ?? ''
    const session = sessions.find(secret, true)
    if (session === null) throw signedOut()
    refuseOtherPages(c, url(), session.csrf)
    return {
      session() {
        const now = sessions.find(secret, false)
        if (now === null) throw signedOut()
        return now
      },
      end: () => sessions.end(secret),
    }
  }
  return {
    isHere: (c) => sessionCookie.read(c) !== undefined,
    signedIn,
    begin: (c) => beginning.begin(c),
    async complete(c) {
      c.header('referrer-policy', 'no-referrer')
      const { identity, returnTo } = await beginning.complete(c)
      of.known(identity)
      // A session from before, by whichever hand, is not gone on with.
      sessions.end(sessionCookie.read(c) ?? '')
      sessionCookie.write(c, sessions.begin(identity), null)
      return c.redirect(returnTo, 303)
    },
    async signOut(c) {
      signedIn(c).end()
      sessionCookie.remove(c)
      return (await issuer.found().catch(() => null))?.signOutUrl ?? null
    },
  }
}

interface Came {
  readonly identity: Identity
  readonly returnTo: string
}

function beginningOf({ issuer, clientId, url, clock }: PeopleOf) {
  const cookie = ownCookie('warrant-sign-in', url)
  const sealed = sealing()
  const bucket = buckets(redeeming, clock)
  return {
    async begin(c: Context): Promise<Response> {
      const returnTo = pathWithin(url(), c.req.query('return_to') ?? returnDefault)
      c.header('referrer-policy', 'no-referrer')
      // This machine has several names; a cookie of one is not there under another.
      const { host, hostname } = new URL(url())
      if (isLoopback(hostname) && c.req.header('host')?.toLowerCase() !== host) {
        return c.redirect(`${url()}/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`, 302)
      }
      const found = await issuer.found()
      const { url: there, started } = await found.startSignIn(`${url()}/auth/callback`)
      const until = clock.now() + signInSecondsMax * 1_000
      cookie.write(c, sealed.seal(JSON.stringify({ started, returnTo, until })), signInSecondsMax)
      return c.redirect(there, 302)
    },
    async complete(c: Context): Promise<Came> {
      const begun = begunIn(sealed.open(cookie.read(c) ?? ''))
      const states = c.req.queries('state') ?? []
      const isOne = states.length === 1 && states[0] === begun?.started.state
      if (begun === null || !isOne || clock.now() >= begun.until) {
        const what = 'this browser began no such sign-in in the last ten minutes'
        throw notSignedIn('state_differs', what)
      }
      // It is used once, whatever comes of it.
      cookie.remove(c)
      const seconds = bucket.take('all')
      if (seconds !== null) {
        const what = 'more people sign in than the server takes'
        throw new Refusal(429, 'caller_busy', what, { retryAfter: seconds })
      }
      const came = new URL(`${url()}/auth/callback${new URL(c.req.url).search}`)
      const token = await redeemed(issuer, came, begun.started)
      const subject = await issuer.verified(token, { audience: clientId, types: idTokenTypes })
      return { identity: { issuer: issuer.url, subject }, returnTo: begun.returnTo }
    },
  }
}

function begunIn(text: string | null): z.output<typeof Begun> | null {
  if (text === null) return null
  return Begun.safeParse(parseJson(text)).data ?? null
}

async function redeemed(issuer: LoginIssuer, came: URL, started: StartedSignIn): Promise<string> {
  const found = await issuer.found()
  try {
    return await found.endSignIn(came, started)
  } catch (error) {
    if (isSilence(error)) throw issuerSilent(1_000)
    throw notSignedIn('issuer_refused', 'the issuer did not vouch for anyone')
  }
}

function notSignedIn(reason: string, what: string): Refusal {
  const how = 'begin again at `/auth/sign-in`'
  return new Refusal(401, 'sign_in_refused', `${what}: ${how}`, { reason })
}

function signedOut(): Refusal {
  const what = 'no one is signed in here, or not any more: begin at `/auth/sign-in`'
  return new Refusal(401, 'caller_refused', what, { reason: 'session_ended' })
}
