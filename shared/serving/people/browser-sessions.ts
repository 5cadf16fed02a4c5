// The session of a request: found by its cookie, and only where a page of this server asks.
import type { Context } from 'hono'
import { Refusal } from '../problem.ts'
import type { OwnCookie } from './own-cookies.ts'
import { refuseOtherPages } from './own-page.ts'
import type { PersonSession, PersonSessions } from './person-sessions.ts'

export interface BrowserSessionsOf<Who> {
  readonly sessions: PersonSessions<Who>
  readonly cookie: OwnCookie
  /** Where clients address the server. */
  readonly url: () => string
  /** Where a person signs in, and where a page learns what it sends with each write. */
  readonly where: { readonly begin: string; readonly session: string }
}

/** Of a request with the cookie of a session. */
export interface SignedIn<Who> {
  /** As it stands now. Throws a Refusal 401 once it has ended. */
  session(): PersonSession<Who>
  end(): void
}

export interface BrowserSessions<Who> {
  /** Whether the request has the cookie of a session, be it one that counts or not. */
  isHere(c: Context): boolean
  /** Throws a Refusal: 401 without a session, 403 where another page asks. */
  signedIn(c: Context): SignedIn<Who>
  /** Begins one, and ends the one that the browser had. */
  begin(c: Context, who: Who): PersonSession<Who>
  /** Ends it. Throws as `signedIn` does. */
  end(c: Context): void
  /** How many have not ended, of all browsers. */
  count(): number
}

export function browserSessions<Who>(of: BrowserSessionsOf<Who>): BrowserSessions<Who> {
  const { sessions, cookie, url, where } = of
  const signedOut = (): Refusal => {
    const what = `no one is signed in here, or not any more: begin at \`${where.begin}\``
    return new Refusal(401, 'caller_refused', what, { reason: 'session_ended' })
  }
  const found = (secret: string, isUsed: boolean): PersonSession<Who> => {
    const session = sessions.find(secret, isUsed)
    if (session === null) throw signedOut()
    return session
  }
  const signedIn = (c: Context): SignedIn<Who> => {
    const secret = cookie.read(c) ?? ''
    const { csrf } = found(secret, true)
    refuseOtherPages(c, { url: url(), csrf, session: where.session })
    return { session: () => found(secret, false), end: () => sessions.end(secret) }
  }
  return {
    isHere: (c) => cookie.read(c) !== undefined,
    signedIn,
    begin(c, who) {
      // A session from before, by whichever hand, is not gone on with.
      sessions.end(cookie.read(c) ?? '')
      const secret = sessions.begin(who)
      cookie.write(c, secret, null)
      return found(secret, false)
    },
    end(c) {
      signedIn(c).end()
      cookie.remove(c)
    },
    count: () => sessions.count(),
  }
}
