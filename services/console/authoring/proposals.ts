// What learning asks people: open proposals with the held intents that wait for them, and rulings,
// signed in the browser; and what was permitted before, taken back.
import type { Hono } from 'hono'
import { conditionProblem } from '#conditions/condition'
import { openObject, typeOfArguments } from '#conditions/types'
import { bodyOf } from '#serving/app'
import { heldFor } from '#runtime/learning/releases'
import { rule } from '#runtime/learning/rule'
import {
  ConditionBody,
  RevokeBody,
  RevokeSubmit,
  RulingBody,
  RulingSubmit,
  type ConditionAnswer,
  type ProposalsAnswer,
} from '#schemas/console/authoring'
import { releasesMax } from '#schemas/learning'
import { revoke } from '#client/warrants/revoke'
import type { ConsoleOn } from '../console.ts'
import { positionsNow } from '../logs.ts'
import { addFor } from '../routed.ts'
import { addSigned, idDrawn } from '../signed-act.ts'

const listCost = 5

export function addProposals(app: Hono, on: ConsoleOn): void {
  const { runtime } = on
  addFor(app, on, 'proposals', async ({ c }) => c.json(await proposalsOf(on)), listCost)
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

/** The cells have the same questions, and each holds intents of its own for them. */
async function proposalsOf(on: ConsoleOn): Promise<ProposalsAnswer> {
  const { learning } = on.runtime.follower.state
  const open = [...learning.open.values()]
  const proposals = open.map(async (proposal) => {
    const { id, name, data, agreed, suggestions } = proposal
    const held = await Promise.all(on.logs.map(({ runtime }) => heldFor(runtime, id)))
    return {
      id,
      name,
      position: proposal.position,
      data,
      isAgreed: agreed !== null,
      suggestions: suggestions.usable.map((one) => ({ ...one })),
      releases: held
        .flat()
        .slice(0, releasesMax)
        .map((one) => ({ ...one })),
    }
  })
  return { position: positionsNow(on), proposals: await Promise.all(proposals) }
}
