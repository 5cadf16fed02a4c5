// Who is signed in: sessions of people in browsers, kept in the memory of this process. A session
// is known by a secret of its browser, of which only the digest is kept. It says how someone was
// recognised, such as by an identity; who that is here, the catalog says at each request.
import { createHash, randomBytes } from 'node:crypto'
import { canonical, jsonOf } from '#record/canonical'
import type { Clock } from '#ports/clock'

interface Ends {
  /** Milliseconds since 1970, whatever is done with it. */
  readonly endsAt: number
  /** The same, if nothing more is done with it. */
  readonly idleEndsAt: number
}

export interface PersonSession<Who> extends Ends {
  readonly who: Who
  /** What a page of this server sends with each write. */
  readonly csrf: string
}

export interface PersonSessions<Who> {
  /** Begins one, and returns the secret that its browser gets. */
  begin(who: Who): string
  /** Null where it has ended. `isUsed` puts off its idle end. */
  find(secret: string, isUsed: boolean): PersonSession<Who> | null
  end(secret: string): void
  /** How many have not ended. */
  count(): number
}

const sessionMsMax = 8 * 60 * 60_000
const idleMsMax = 30 * 60_000
/** Of more, those that were idle for longest end. */
const sessionsMax = 10_000
/** Of one person; of more, the one that was idle for longest ends. */
const ofOneMax = 8

export function personSessions<Who extends object>(clock: Clock): PersonSessions<Who> {
  // In the order in which they were last used.
  const open = new Map<string, PersonSession<Who>>()
  const hasEnded = ({ endsAt, idleEndsAt }: Ends, now: number): boolean =>
    now >= Math.min(endsAt, idleEndsAt)
  const makeRoom = (who: Who): void => {
    const now = clock.now()
    const same = textOf(who)
    const own: string[] = []
    for (const [key, session] of open) {
      if (hasEnded(session, now)) open.delete(key)
      else if (textOf(session.who) === same) own.push(key)
    }
    for (const key of own.slice(0, Math.max(0, own.length - ofOneMax + 1))) open.delete(key)
    const [idlest] = open.keys()
    if (open.size >= sessionsMax && idlest !== undefined) open.delete(idlest)
  }
  return {
    begin(who) {
      makeRoom(who)
      const secret = randomBytes(32).toString('base64url')
      const csrf = randomBytes(32).toString('base64url')
      const now = clock.now()
      const ends = { endsAt: now + sessionMsMax, idleEndsAt: now + idleMsMax }
      open.set(keyOf(secret), { who, csrf, ...ends })
      return secret
    },
    find(secret, isUsed) {
      const key = keyOf(secret)
      const session = open.get(key)
      const now = clock.now()
      if (session === undefined) return null
      if (isUsed || hasEnded(session, now)) open.delete(key)
      if (hasEnded(session, now)) return null
      if (!isUsed) return session
      const used = { ...session, idleEndsAt: now + idleMsMax }
      open.set(key, used)
      return used
    },
    end: (secret) => void open.delete(keyOf(secret)),
    count() {
      const now = clock.now()
      return [...open.values()].filter((session) => !hasEnded(session, now)).length
    },
  }
}

function textOf(who: object): string {
  return canonical(jsonOf({ ...who }))
}

// What is looked up is a digest, so how long that takes shows nothing of a secret.
function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
