// The routes of people in browsers: they sign in, look at their session, and sign out.
import type { Hono } from 'hono'
import { Refusal, requestInvalid } from '#serving/problem'
import type { People } from '#serving/people/people'
import type { Identity } from '#schemas/catalog'
import { addRoute } from './routed.ts'

export interface SigningIn {
  /** Null where no issuer signs people in. */
  readonly people: People | null
  /** The principal that the catalog binds to it. Throws a Refusal 403. */
  readonly principalOf: (identity: Identity) => string
}

export function addSignIn(app: Hono, { people, principalOf }: SigningIn): void {
  const here = (): People => {
    if (people !== null) return people
    throw requestInvalid(404, 'no issuer signs people in here')
  }
  const hereNow = (): People => {
    if (people !== null) return people
    const what = 'no issuer signs people in here'
    throw new Refusal(401, 'caller_refused', what, { reason: 'session_ended' })
  }
  addRoute(app, 'signIn', (c) => here().begin(c))
  addRoute(app, 'signInCallback', (c) => here().complete(c))
  addRoute(app, 'session', (c) => {
    const { who, csrf, endsAt, idleEndsAt } = hereNow().signedIn(c).session()
    return c.json({
      principal: principalOf(who),
      csrf,
      endsAt: new Date(endsAt).toISOString(),
      idleEndsAt: new Date(idleEndsAt).toISOString(),
    })
  })
  addRoute(app, 'signOut', async (c) => c.json({ issuer: await hereNow().signOut(c) }))
}
