// People in browsers: they sign in at an issuer, which says who they are, and have a session until
// they sign out. A session says who someone is and nothing more; it signs nothing, so what takes a
// signature of a person takes it still.
import type { Context } from 'hono'
import type { Clock } from '#ports/clock'
import type { Identity } from '#schemas/catalog'
import type { LoginIssuer } from '../issuer.ts'
import { issuerSignIn } from './issuer-sign-in.ts'
import { ownCookie } from './own-cookies.ts'
import { personSessions } from './person-sessions.ts'
import { browserSessions, type SignedIn } from './browser-sessions.ts'

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

export interface People {
  /** Whether the request has the cookie of a session, be it one that counts or not. */
  isHere(c: Context): boolean
  /** Throws a Refusal: 401 without a session, 403 where another page asks. */
  signedIn(c: Context): SignedIn<Identity>
  /** Sends the browser to the issuer. */
  begin(c: Context): Promise<Response>
  /** Takes it back from there, into a session. */
  complete(c: Context): Promise<Response>
  /** Ends the session, and answers where to sign out at the issuer; null where that cannot be. */
  signOut(c: Context): Promise<string | null>
}

const paths = { begin: '/auth/sign-in', callback: '/auth/callback', landing: '/auth/session' }

export function peopleOf(of: PeopleOf): People {
  const { issuer, url, clock } = of
  const cookie = ownCookie('warrant-session', url)
  const sessions = personSessions<Identity>(clock)
  const here = browserSessions({
    sessions,
    cookie,
    url,
    where: { ...paths, session: paths.landing },
  })
  const beginning = issuerSignIn({ ...of, paths })
  return {
    isHere: (c) => here.isHere(c),
    signedIn: (c) => here.signedIn(c),
    begin: (c) => beginning.begin(c),
    async complete(c) {
      const { identity, returnTo } = await beginning.complete(c)
      of.known(identity)
      here.begin(c, identity)
      return c.redirect(returnTo, 303)
    },
    async signOut(c) {
      here.end(c)
      return (await issuer.found().catch(() => null))?.signOutUrl ?? null
    },
  }
}
