// A person's answer to a review, signed by their own key wherever they are. The server holds no key
// of theirs: it binds what was signed, as it was signed, or nothing.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import { bodyOf } from '#serving/app'
import { Refusal } from '#serving/problem'
import { relayDecision } from '#client/people/relayed-decision'
import { DecisionBody } from '#schemas/http/bodies'
import type { FaultCode } from '#schemas/faults/registry'
import type { Door } from './door.ts'
import { addRoute } from './routed.ts'
import { answeredPublished } from './sessions.ts'

export function addDecisions(app: Hono, door: Door): void {
  addRoute(app, 'decide', async (c) => {
    const caller = await door.callerOf(c)
    door.admit(caller)
    const signed = await bodyOf(c, DecisionBody)
    if (signed.data.confirmer !== caller.principal) {
      const what = `the credential is of \`${caller.principal}\`, and the answer is not`
      throw new Refusal(403, 'caller_refused', what, { reason: 'not_confirmer' })
    }
    const { appended, fact } = await relayDecision(door.runtime, signed).catch(withStatus)
    const { name, position } = fact
    const { address } = signed.data.intent
    return answeredPublished(c, { appended, address, name, position })
  })
}

const statuses: Partial<Record<FaultCode, number>> = {
  no_review: 404,
  review_altered: 409,
  signing_changed: 409,
  decided: 409,
  decision_void: 422,
  // On a server whose user for this door binds no answers.
  not_permitted: 403,
}

function withStatus(error: unknown): never {
  const { [error instanceof Fault ? error.code : 'unexpected']: status } = statuses
  if (!(error instanceof Fault) || status === undefined) throw error
  throw new Refusal(status, error.code, error.message)
}
