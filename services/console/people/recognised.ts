// Who is at the browser: how a session was begun, and whom the catalog has for that now. A session
// reads and identifies; it decides nothing.
import type { Context } from 'hono'
import {
  consoleRefusal,
  consoleRights,
  type ConsoleRight,
} from '#rules/catalog/doors/console-rights'
import { identified } from '#rules/catalog/doors/identities'
import type { Catalog } from '#rules/catalog/catalog'
import { standsInFor } from '#messages/people/people-said'
import { unreachable } from '#record/fault'
import type { Runtime } from '#runtime/engine/runtime'
import type { BrowserSessions } from '#serving/people/browser-sessions'
import type { PersonSession } from '#serving/people/person-sessions'
import { Refusal } from '#serving/problem'

/** How a person was recognised. */
export type RecognisedBy =
  | { readonly by: 'passkey'; readonly person: string; readonly credential: string }
  | { readonly by: 'link'; readonly person: string }
  | { readonly by: 'issuer'; readonly issuer: string; readonly subject: string }

export type ConsoleSessions = BrowserSessions<RecognisedBy>

/** Who is signed in, as the catalog has it at this request. */
export interface ConsolePerson {
  readonly id: string
  readonly rights: readonly ConsoleRight[]
  readonly session: PersonSession<RecognisedBy>
}

interface SignedInAt {
  readonly runtime: Pick<Runtime, 'follower' | 'clock'>
  readonly sessions: ConsoleSessions
}

/** Of the session of this request. Throws a Refusal: 401 without one, 403 where it is no one. */
export function personOf(on: SignedInAt, c: Context): ConsolePerson {
  const session = on.sessions.signedIn(c).session()
  const { catalog } = on.runtime.follower.state
  const id = personIdOf(catalog, session.who)
  return { id, rights: personRights(on.runtime, id), session }
}

/** What the catalog lets that person do now, and whom they stand in for. */
export function personRights(
  { follower, clock }: SignedInAt['runtime'],
  id: string,
): readonly ConsoleRight[] {
  const { catalog, people } = follower.state
  return consoleRights(catalog, id, standsInFor(people, id, clock.now()).length > 0)
}

/** Whom the catalog has for it, now. Throws a Refusal 403 where that is no one. */
export function personIdOf(catalog: Catalog, who: RecognisedBy): string {
  const id = principalFor(catalog, who)
  const why = id === null ? 'unknown' : consoleRefusal(catalog, id)
  if (id !== null && why === null) return id
  const what = 'the catalog has no one who may use this console by that'
  throw new Refusal(403, 'caller_refused', what, { reason: `identity_${why ?? 'unknown'}` })
}

function principalFor(catalog: Catalog, who: RecognisedBy): string | null {
  switch (who.by) {
    case 'issuer': {
      const { issuer, subject } = who
      return identified(catalog, { issuer, subject }).principal ?? null
    }
    case 'passkey': {
      // A passkey that was taken out of the catalog takes its sessions along.
      const { passkeys = [] } = catalog.principals.get(who.person) ?? {}
      return passkeys.some(({ id }) => id === who.credential) ? who.person : null
    }
    case 'link':
      return who.person
    default:
      return unreachable(who)
  }
}
