// A person makes a passkey by a link of a policy admin, who waits for it and signs it into the
// catalog. The link proves who it is for; the fingerprint, read out, which passkey it is.
import type { Hono } from 'hono'
import { bodyOf } from '#serving/app'
import { LinkBody, PasskeyMade } from '#schemas/console/people'
import type { ConsoleOn } from '../console.ts'
import { addOpen } from '../routed.ts'

export function addEnrolRoutes(app: Hono, on: ConsoleOn): void {
  addOpen(app, on, 'enrolBegin', async (c) => {
    const { secret } = await bodyOf(c, LinkBody)
    return c.json(on.enrolments.begin(on.links.proven(secret, 'enrol')))
  })
  addOpen(app, on, 'enrolComplete', async (c) => {
    const { secret, clientData, authenticatorData, label } = await bodyOf(c, PasskeyMade)
    const made = {
      clientData: Buffer.from(clientData, 'base64url'),
      authenticatorData: Buffer.from(authenticatorData, 'base64url'),
      label,
    }
    return c.json(on.enrolments.complete(on.links.proven(secret, 'enrol'), made))
  })
  addOpen(app, on, 'enrolState', async (c) => {
    const { secret } = await bodyOf(c, LinkBody)
    return c.json(on.enrolments.state(on.links.proven(secret, 'enrol')))
  })
}
