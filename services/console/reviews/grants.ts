// Grants beside a review: shown with what they would have let through in the last 30 days,
// and signed as they were shown.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import { jsonOf } from '#record/canonical'
import { bodyOf } from '#serving/app'
import { signGrant } from '#runtime/grants/sign'
import { GrantData } from '#schemas/action/grant'
import { GrantBody, GrantSubmit, type GrantShownAnswer } from '#schemas/console/reviews'
import { showGrant } from '#client/grants/shown'
import { unsignedOf } from '#client/people/signing'
import type { AskedByPerson, ConsoleOn } from '../console.ts'
import { addFor } from '../routed.ts'
import { boundAnswer, orStale, signerFor, signingAsked } from '../signed-act.ts'
import { lookingAt } from './card.ts'

/** A preview reads what was asked in 30 days. */
const previewCost = 10

export function addGrants(app: Hono, on: ConsoleOn): void {
  addFor(
    app,
    on,
    'grantPrepare',
    async ({ on: at, c, person }) => {
      const { runtime } = at
      const intent = c.req.param('intent') ?? ''
      await lookingAt(at, { person, address: intent })
      const { until, when, uses, budget, agents, perCell, note } = await bodyOf(c, GrantBody)
      const shown = await showGrant(runtime, {
        intent,
        confirmer: person.id,
        forMs: Date.parse(until) - runtime.clock.now(),
        when,
        uses,
        ...(budget !== undefined && { budget }),
        ...(agents !== undefined && { agents }),
        ...(perCell !== undefined && { perCell }),
        ...(note !== undefined && { note }),
      })
      const { id, grant, preview, askedStill } = shown
      const found = await unsignedOf((sign) => signGrant(runtime, { id, grant }, { sign }))
      return c.json({
        id,
        grant,
        preview,
        askedStill: [...askedStill],
        toSign: signingAsked(found),
      } satisfies GrantShownAnswer)
    },
    previewCost,
  )
  addFor(app, on, 'grantSubmit', (asked) =>
    orStale({}, asked, async () => {
      const { id, signed } = await bodyOf(asked.c, GrantSubmit)
      const grant = grantOf(asked, signed.data)
      const sign = signerFor(asked, signed)
      const fact = await signGrant(asked.on.runtime, { id, grant }, { sign })
      return asked.c.json(boundAnswer(fact))
    }),
  )
}

/** What was signed as one; it is the signer's own, or it is refused. */
function grantOf({ person }: AskedByPerson, data: unknown): GrantData {
  const parsed = GrantData.omit({ signature: true }).safeParse(jsonOf(data))
  if (!parsed.success) throw new Fault('grant_void', 'what was signed is no grant')
  if (parsed.data.confirmer === person.id) return parsed.data
  throw new Fault('grant_void', `it is the grant of \`${parsed.data.confirmer}\``)
}
