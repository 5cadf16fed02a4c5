// Who is at the browser: the session, signing in by a link, and signing out.
import type { Context, Hono } from 'hono'
import { bodyOf } from '#serving/app'
import type { PersonSession } from '#serving/people/person-sessions'
import { consoleRefusal } from '#rules/catalog/doors/console-rights'
import { controlPlace } from '#record/names'
import { Refusal } from '#serving/problem'
import { LinkBody, type ConsoleSession, type SignedOutThere } from '#schemas/console/people'
import type { ConsoleOn } from '../console.ts'
import { addFor, addOpen } from '../routed.ts'
import { positionsNow } from '../logs.ts'
import { consoleAt } from './console-at.ts'
import { personIdOf, personRights, type RecognisedBy } from './recognised.ts'

export function addSessionRoutes(app: Hono, on: ConsoleOn): void {
  addOpen(app, on, 'session', (c) => c.json(sessionAnswer(on, sessionOf(on, c))))
  addOpen(app, on, 'linkSignIn', async (c) => {
    const { secret } = await bodyOf(c, LinkBody)
    const { person } = on.links.proven(secret, 'sign_in')
    refuseNoPerson(on, person)
    on.links.taken(secret, 'sign_in')
    return begun(on, c, { by: 'link', person })
  })
  addFor(app, on, 'leave', async ({ c, person }) => {
    const { by } = person.session.who
    on.sessions.end(c)
    const issuer = by === 'issuer' ? await (on.issuer?.signOutUrl() ?? null) : null
    return c.json({ issuer } satisfies SignedOutThere)
  })
}

/** Begins a session for who was recognised, and answers it. */
export function begun(on: ConsoleOn, c: Context, who: RecognisedBy): Response {
  // Someone who is no one here gets none.
  personIdOf(on.runtime.follower.state.catalog, who)
  return c.json(sessionAnswer(on, on.sessions.begin(c, who)))
}

function refuseNoPerson({ runtime }: ConsoleOn, person: string): void {
  const why = consoleRefusal(runtime.follower.state.catalog, person)
  if (why === null) return
  const what = 'the catalog has no one who may use this console by that'
  throw new Refusal(403, 'caller_refused', what, { reason: `identity_${why}` })
}

/** Null where no one is signed in, or not any more. */
function sessionOf(on: ConsoleOn, c: Context): PersonSession<RecognisedBy> | null {
  if (!on.sessions.isHere(c)) return null
  try {
    const session = on.sessions.signedIn(c).session()
    personIdOf(on.runtime.follower.state.catalog, session.who)
    return session
  } catch (error) {
    if (error instanceof Refusal && error.code === 'caller_refused') return null
    throw error
  }
}

function sessionAnswer(on: ConsoleOn, session: PersonSession<RecognisedBy> | null): ConsoleSession {
  const { follower, clock } = on.runtime
  const { state } = follower
  const { realm } = state.place
  const here = consoleAt(state.catalog, on.url())
  const hasPasskeys = here !== null
  return {
    realm: on.logs.length === 1 ? realm : controlPlace(realm).realm,
    log: state.log,
    position: positionsNow(on),
    now: new Date(clock.now()).toISOString(),
    ...(state.catalog.dev && { dev: true as const }),
    rpId: here?.rpId ?? null,
    ways: [
      ...(hasPasskeys ? ['passkey' as const] : []),
      'link' as const,
      ...(on.issuer === null ? [] : ['issuer' as const]),
    ],
    person: session === null ? null : personAnswer(on, session),
  }
}

function personAnswer(
  { runtime, traces }: ConsoleOn,
  { who, csrf, endsAt, idleEndsAt }: PersonSession<RecognisedBy>,
): ConsoleSession['person'] {
  const { catalog } = runtime.follower.state
  const id = personIdOf(catalog, who)
  const { keys = [], passkeys = [] } = catalog.principals.get(id) ?? {}
  return {
    id,
    rights: [...personRights(runtime, id)],
    by: who.by,
    csrf,
    endsAt: new Date(endsAt).toISOString(),
    idleEndsAt: new Date(idleEndsAt).toISOString(),
    passkeys: passkeys.map(({ id: credential }) => ({ id: credential })),
    keys: keys.length,
    traces,
  }
}
