// Standings of all agents and of one with the steps that moved it, and letting a suspended one work
// again, signed by a policy admin.
import type { Hono } from 'hono'
import { cellElsewhere } from '#rules/catalog/cells'
import { hasStanding } from '#rules/catalog/work/work-settings'
import type { EarnedStep } from '#work/contracts/standings'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { partsInRealm, token } from '#record/names'
import {
  ReinstateBody,
  ReinstateSubmit,
  type StandingAnswer,
  type StandingRow,
  type StepShown,
} from '#schemas/console/standings'
import { reinstate } from '#client/people/reinstate'
import type { ConsoleOn } from '../console.ts'
import { positionsNow } from '../logs.ts'
import { addFor } from '../routed.ts'
import { addSigned } from '../signed-act.ts'
import { contractRow } from './contract-rows.ts'
import { standingRow, standingRows } from './standing-rows.ts'

const listCost = 5

export function addStandings(app: Hono, served: ConsoleOn): void {
  addFor(
    app,
    served,
    'standings',
    ({ c, on }) => {
      const now = new Date(on.runtime.clock.now()).toISOString()
      const standings = on.logs.flatMap(standingRows).toSorted(leastFirst)
      return c.json({ position: positionsNow(on), now, standings })
    },
    listCost,
  )
  addFor(
    app,
    served,
    'standing',
    async ({ c, on }) => {
      const agent = c.req.param('agent') ?? ''
      return c.json(await standingOf(logOf(on, agent), agent))
    },
    listCost,
  )
  addSigned(app, served, {
    prepare: 'reinstatePrepare',
    submit: 'reinstateSubmit',
    body: ReinstateBody,
    submitted: ReinstateSubmit,
    on: async ({ on, c }) => logOf(on, c.req.param('agent') ?? ''),
    act({ on, c, person, body: { reason } }, sign) {
      const agent = c.req.param('agent') ?? ''
      const { standings } = on.runtime.follower.state
      // No one is asked to sign what would count for nothing.
      if ((standings.get(token(agent))?.suspendedBy ?? null) === null) {
        const what = `\`${agent}\` is not suspended by its standing`
        throw new Fault('reinstatement_refused', `nothing is to be signed: ${what}`)
      }
      return reinstate(on.runtime, { agent, by: person.id, reason, sign })
    },
  })
}

function leastFirst(one: StandingRow, other: StandingRow): number {
  const rank = ({ suspendedBy }: StandingRow): number => (suspendedBy === null ? 1 : 0)
  const byValue = rank(one) - rank(other) || one.value - other.value
  return byValue || (one.agent < other.agent ? -1 : 1)
}

/** The log in which it is suspended, else that in which it earned something, else its cell's. */
function logOf({ logs }: ConsoleOn, agent: string): ConsoleOn {
  const earned = logs.flatMap((on) => {
    const standing = on.runtime.follower.state.standings.get(token(agent))
    return standing === undefined ? [] : [{ on, standing }]
  })
  const suspended = earned.find(({ standing }) => standing.suspendedBy !== null)
  const found = (suspended ?? earned[0])?.on ?? logs.find((on) => isOfIt(on, agent))
  if (found !== undefined) return found
  throw new Fault('unknown_principal', 'the log has no standing of anyone by that name')
}

function isOfIt({ runtime }: ConsoleOn, agent: string): boolean {
  const { catalog, place } = runtime.follower.state
  if (!catalog.principals.has(agent) || !hasStanding(catalog, agent)) return false
  return cellElsewhere(catalog, place, agent) === null
}

async function standingOf(on: ConsoleOn, agent: string): Promise<StandingAnswer> {
  const { follower, clock } = on.runtime
  const { state } = follower
  const standing = state.standings.get(token(agent))
  const open = [...state.contracts.values()].filter(({ worker }) => worker === agent)
  const steps = standing?.steps ?? []
  const { reinstateAfterMs = null } = state.catalog.work
  const scored = steps.filter((step) => step.scored !== null).length
  return {
    position: state.position,
    now: new Date(clock.now()).toISOString(),
    standing: standingRow(on, agent, open.length),
    steps: await Promise.all(steps.map((step) => stepShown(on, step))),
    before: (standing?.scored ?? 0) - scored,
    reinstateAfterMs,
    open: open.map((contract) => contractRow(on, contract)),
  }
}

async function stepShown({ runtime }: ConsoleOn, step: EarnedStep): Promise<StepShown> {
  const { name, position, appendedAt, before, after, scored } = step
  const { place } = runtime.follower.state
  const [issuer, session, id, attempt] = partsInRealm(name, place.realm)?.tokens ?? []
  const isOfContract = scored !== null && id !== undefined
  return {
    name,
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    before,
    after,
    scored: scored && { ...scored },
    contract: isOfContract
      ? { address: [issuer, session, id].join('.'), attempt: Number(attempt) }
      : null,
    reinstated: scored === null ? await reinstatedBy(runtime, name) : null,
  }
}

async function reinstatedBy(
  { log }: ConsoleOn['runtime'],
  name: string,
): Promise<StepShown['reinstated']> {
  const fact = await log.get(name)
  const data = fact === undefined ? null : readData('reinstatement', fact)
  return data !== null && 'by' in data ? { by: data.by, reason: data.reason } : null
}
