// Whether a warrant may still be acted on where its start stands: what stops its agent or its
// capability by then stops it, too. A gateway asks it of the state up to the start, and so does a
// replay.
import type { RestsOn } from '#schemas/action/grant'
import { principalNamed, type Catalog } from '#rules/catalog/catalog'
import { isOutOfStanding, type EarnedStandings } from '#work/contracts/standings'
import { agentIn } from '#record/names'
import { revokedBy, type Revocations } from '../warrants/revocations.ts'

/** Why it is refused though it was allowed. */
export type StartRefusal =
  | 'agent_suspended'
  | 'capability_suspended'
  | 'warrant_expired'
  | 'warrant_revoked'

export interface StartUnder {
  /** The address of the intent. */
  readonly address: string
  /** The name of the verdict. */
  readonly verdict: string
  readonly capability: string
  /** In milliseconds. */
  readonly useBy: number
  /** Whose call it is, of its terms; absent where it is the agent’s alone. */
  readonly chain?: readonly string[] | undefined
  /** The grants that the verdict rests on. */
  readonly grants?: readonly RestsOn[] | undefined
  /** Of the verdict. */
  readonly position: number
  /** Of the verdict, in milliseconds. */
  readonly decidedAt: number
  /** Of the start, in milliseconds by the log's clock. */
  readonly startedAt: number
}

/** A start that is so much earlier than its verdict was stamped after the clock was set back. */
const resetMsMin = 5_000

/** Whether a start that stands then is too late, or of a clock that was set back since. */
export function isOutOfTime({
  useBy,
  decidedAt,
  startedAt,
}: Pick<StartUnder, 'useBy' | 'decidedAt' | 'startedAt'>): boolean {
  return startedAt > useBy || startedAt < decidedAt - resetMsMin
}

/** The first reason why the start counts for nothing; null where the call may be carried out. */
export function startRefusal(
  state: Suspending & { readonly revocations: Revocations },
  start: StartUnder,
): StartRefusal | null {
  const { address, verdict, capability, useBy, chain = [], grants, position } = start
  const { decidedAt, startedAt } = start
  if (isOutOfTime({ useBy, decidedAt, startedAt })) return 'warrant_expired'
  const revocable = { verdict, capability, address, chain, grants, decidedAt: position }
  if (revokedBy(state, revocable) !== null) return 'warrant_revoked'
  if (suspendedOf(state, { address, chain }) !== null) return 'agent_suspended'
  const isSuspended = state.catalog.capabilities.get(capability)?.suspended === true
  return isSuspended ? 'capability_suspended' : null
}

/** What knows who is suspended: by the catalog, and by standing. */
interface Suspending {
  readonly catalog: Catalog
  readonly standings: EarnedStandings
}

/** The first of those whose call it is that is suspended, the agent before all others. */
export function suspendedOf(
  known: Suspending,
  { address, chain = [] }: Pick<StartUnder, 'address' | 'chain'>,
): string | null {
  const { catalog } = known
  const agent = principalNamed(catalog, agentIn(address))
  const isStopped = agent?.suspended === true || (agent && isOutOfStanding(known, agent.id))
  if (agent !== undefined && isStopped === true) return agent.id
  // Of whom the catalog does not have any more nothing is permitted.
  const stopped = chain.find((id) => {
    return catalog.principals.get(id)?.suspended !== false || isOutOfStanding(known, id)
  })
  return stopped ?? null
}
