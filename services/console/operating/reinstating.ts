// Letting an agent work again that its standing has suspended, signed by a policy admin.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { ReinstateBody, ReinstateSubmit } from '#schemas/console/operating'
import { reinstate } from '#client/people/reinstate'
import type { ConsoleOn } from '../console.ts'
import { addSigned } from '../signed-act.ts'

export function addReinstating(app: Hono, served: ConsoleOn): void {
  addSigned(app, served, {
    prepare: 'reinstatePrepare',
    submit: 'reinstateSubmit',
    body: ReinstateBody,
    submitted: ReinstateSubmit,
    on: async ({ on, c }) => logOf(on, c.req.param('agent') ?? ''),
    act({ on, c, person, body: { reason } }, sign) {
      const agent = c.req.param('agent') ?? ''
      // No one is asked to sign what would count for nothing.
      if (!isSuspended(on, agent)) {
        const what = `\`${agent}\` is not suspended by its standing`
        throw new Fault('reinstatement_refused', `nothing is to be signed: ${what}`)
      }
      return reinstate(on.runtime, { agent, by: person.id, reason, sign })
    },
  })
}

/** The log in which it is suspended. */
function logOf(on: ConsoleOn, agent: string): ConsoleOn {
  return on.logs.find((each) => isSuspended(each, agent)) ?? on
}

function isSuspended({ runtime }: ConsoleOn, agent: string): boolean {
  const { standings } = runtime.follower.state
  return (standings.get(token(agent))?.suspendedBy ?? null) !== null
}
