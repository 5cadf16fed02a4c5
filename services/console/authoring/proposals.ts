// Rulings on what learning asks people, signed in the browser; and what was permitted before, taken
// back.
import type { Hono } from 'hono'
import { conditionProblem } from '#conditions/condition'
import { openObject, typeOfArguments } from '#conditions/types'
import { bodyOf } from '#serving/app'
import { rule } from '#runtime/learning/rule'
import {
  ConditionBody,
  RevokeBody,
  RevokeSubmit,
  RulingBody,
  RulingSubmit,
  type ConditionAnswer,
} from '#schemas/console/authoring'
import { revoke } from '#client/warrants/revoke'
import type { ConsoleOn } from '../console.ts'
import { addFor } from '../routed.ts'
import { addSigned, idDrawn } from '../signed-act.ts'

export function addProposals(app: Hono, on: ConsoleOn): void {
  const { runtime } = on
  addSigned(app, on, {
    prepare: 'rulingPrepare',
    submit: 'rulingSubmit',
    body: RulingBody,
    submitted: RulingSubmit,
    act({ c, person, body }, sign) {
      const { ruling, digest, candidate, suggestion, releases, note } = body
      return rule(runtime, {
        proposal: c.req.param('proposal') ?? '',
        confirmer: person.id,
        ruling,
        digest,
        ...(candidate !== undefined && { candidate }),
        ...(suggestion !== undefined && { suggestion }),
        ...(releases !== undefined && { releases }),
        ...(note !== undefined && { note }),
        sign,
      })
    },
  })
  addSigned(app, on, {
    prepare: 'revokePrepare',
    submit: 'revokeSubmit',
    body: RevokeBody,
    submitted: RevokeSubmit,
    act({ person, body, signed }, sign) {
      return revoke(runtime, {
        target: body.target,
        by: person.id,
        ...(body.note !== undefined && { note: body.note }),
        ...idDrawn(signed),
        sign,
      })
    },
  })
  addFor(app, on, 'conditionCheck', async ({ c }) => {
    const { when, capability } = await bodyOf(c, ConditionBody)
    const { capabilities } = runtime.follower.state.catalog
    const schema = capability === undefined ? undefined : capabilities.get(capability)?.argsSchema
    const problem = conditionProblem(
      when,
      schema === undefined ? openObject : typeOfArguments(schema),
    )
    return c.json({
      problem: problem === null ? null : { message: problem.message, offset: problem.offset },
    } satisfies ConditionAnswer)
  })
}
