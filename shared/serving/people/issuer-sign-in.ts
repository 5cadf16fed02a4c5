// How a person is signed in at an issuer: the browser is sent there, and comes back with what the
// server redeems for who it is. What has begun stays with the browser, sealed.
import type { Context } from 'hono'
import { z } from 'zod'
import { isSilence } from '../oidc/asking-issuer.ts'
import type { StartedSignIn } from '../oidc/issuer-client.ts'
import { parseJson } from '#record/json'
import type { Clock } from '#ports/clock'
import type { Identity } from '#schemas/catalog'
import { buckets } from '../buckets.ts'
import { issuerSilent, type LoginIssuer } from '../issuer.ts'
import { isLoopback } from '../loopback.ts'
import { Refusal } from '../problem.ts'
import { ownCookie } from './own-cookies.ts'
import { pathWithin } from './own-page.ts'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// Text that a browser keeps for this process and can neither read nor change. So who begins to sign
// in costs the server no memory, however many do.

interface Sealing {
  seal(text: string): string
  /** Null for what this process did not seal. */
  open(sealed: string): string | null
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function sealing(): Sealing {
  const key = randomBytes(32)
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return null
      const iv = bytes.subarray(0, ivBytes)
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        const body = decipher.update(bytes.subarray(ivBytes + tagBytes))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

export interface IssuerSignInOf {
  readonly issuer: LoginIssuer
  /** As what the issuer knows this server. */
  readonly clientId: string
  /** Where clients address the server, without a slash at the end. */
  readonly url: () => string
  readonly clock: Clock
  /** The paths of this server: where it begins, where browsers come back, and where they go on. */
  readonly paths: SignInPaths
}

export interface SignInPaths {
  readonly begin: string
  readonly callback: string
  readonly landing: string
}

export interface Came {
  readonly identity: Identity
  readonly returnTo: string
}

export interface IssuerSignIn {
  /** Sends the browser to the issuer. */
  begin(c: Context): Promise<Response>
  /** Who it is, once it is back. Throws a Refusal 401 `sign_in_refused`. */
  complete(c: Context): Promise<Came>
}

/** How long signing in may take, in seconds. */
const signInSecondsMax = 600
/** How fast what browsers come back with is redeemed, of all together. */
const redeeming = { perSecond: 10, burst: 50 }
/** What an issuer says to a client of what happened, and when. */
const idTokenTypes = ['jwt']

const Begun = z.strictObject({
  started: z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  returnTo: z.string(),
  until: z.number(),
})

export function issuerSignIn(of: IssuerSignInOf): IssuerSignIn {
  const { issuer, clientId, url, clock, paths } = of
  const cookie = ownCookie('warrant-sign-in', url)
  const sealed = sealing()
  const bucket = buckets(redeeming, clock)
  return {
    async begin(c: Context): Promise<Response> {
      const returnTo = pathWithin(url(), c.req.query('return_to') ?? paths.landing)
      c.header('referrer-policy', 'no-referrer')
      // This machine has several names; a cookie of one is not there under another.
      const { host, hostname } = new URL(url())
      if (isLoopback(hostname) && c.req.header('host')?.toLowerCase() !== host) {
        const again = `${url()}${paths.begin}?return_to=${encodeURIComponent(returnTo)}`
        return c.redirect(again, 302)
      }
      const found = await issuer.found()
      const { url: there, started } = await found.startSignIn(`${url()}${paths.callback}`)
      const until = clock.now() + signInSecondsMax * 1_000
      cookie.write(c, sealed.seal(JSON.stringify({ started, returnTo, until })), signInSecondsMax)
      return c.redirect(there, 302)
    },
    async complete(c: Context): Promise<Came> {
      c.header('referrer-policy', 'no-referrer')
      const begun = begunIn(sealed.open(cookie.read(c) ?? ''))
      const states = c.req.queries('state') ?? []
      const isOne = states.length === 1 && states[0] === begun?.started.state
      if (begun === null || !isOne || clock.now() >= begun.until) {
        const what = 'this browser began no such sign-in in the last ten minutes'
        throw notSignedIn('state_differs', what, paths)
      }
      // It is used once, whatever comes of it.
      cookie.remove(c)
      const seconds = bucket.take('all')
      if (seconds !== null) {
        const what = 'more people sign in than the server takes'
        throw new Refusal(429, 'caller_busy', what, { retryAfter: seconds })
      }
      const came = new URL(`${url()}${paths.callback}${new URL(c.req.url).search}`)
      const token = await redeemed({ issuer, paths }, came, begun.started)
      const subject = await issuer.verified(token, { audience: clientId, types: idTokenTypes })
      return { identity: { issuer: issuer.url, subject }, returnTo: begun.returnTo }
    },
  }
}

function begunIn(text: string | null): z.output<typeof Begun> | null {
  if (text === null) return null
  return Begun.safeParse(parseJson(text)).data ?? null
}

async function redeemed(
  { issuer, paths }: Pick<IssuerSignInOf, 'issuer' | 'paths'>,
  came: URL,
  started: StartedSignIn,
): Promise<string> {
  const found = await issuer.found()
  try {
    return await found.endSignIn(came, started)
  } catch (error) {
    if (isSilence(error)) throw issuerSilent(1_000)
    throw notSignedIn('issuer_refused', 'the issuer did not vouch for anyone', paths)
  }
}

function notSignedIn(reason: string, what: string, { begin }: SignInPaths): Refusal {
  return new Refusal(401, 'sign_in_refused', `${what}: begin again at \`${begin}\``, { reason })
}
