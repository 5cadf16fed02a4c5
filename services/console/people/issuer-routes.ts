// The routes by which people sign in at an issuer, and come back from it into a session. A browser
// that goes there itself is shown on the page why it does not get in.
import type { Context, Hono } from 'hono'
import { Refusal, requestInvalid } from '#serving/problem'
import type { ConsoleOn } from '../console.ts'
import { addOpen } from '../routed.ts'
import type { IssuerThere } from './issuer-there.ts'
import { personIdOf } from './recognised.ts'

export function addIssuerRoutes(app: Hono, on: ConsoleOn): void {
  const here = (): IssuerThere => {
    if (on.issuer !== null) return on.issuer
    throw requestInvalid(404, 'no issuer signs people in here')
  }
  addOpen(app, on, 'issuerSignIn', (c) => orShown(c, () => here().begin(c)))
  addOpen(app, on, 'issuerCallback', (c) => orShown(c, () => completed(on, here(), c)))
}

async function completed(on: ConsoleOn, issuer: IssuerThere, c: Context): Promise<Response> {
  const { identity, returnTo } = await issuer.complete(c)
  const who = { by: 'issuer', ...identity } as const
  // Someone who is no one here gets no session.
  personIdOf(on.runtime.follower.state.catalog, who)
  on.sessions.begin(c, who)
  return c.redirect(returnTo, 303)
}

async function orShown(c: Context, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    const isBrowsing = c.req.header('sec-fetch-mode') === 'navigate'
    if (!isBrowsing || !(error instanceof Refusal)) throw error
    const why = error.code === 'caller_refused' ? (error.reason ?? error.code) : error.code
    return c.redirect(`/#/sign-in?refused=${why}`, 303)
  }
}
