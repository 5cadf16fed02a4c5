// What may stop those whom an agent acts for, as it stands at a basis: the fold moves on, and who
// they are is read from the log only afterwards.
import type { Blocks } from '#state/agents'
import type { State } from '#state/state'

export interface Stopping extends Blocks, Pick<State, 'revocations' | 'standings'> {}

type Standing = Pick<
  State,
  'agents' | 'groupBlocks' | 'sessionBlocks' | 'revocations' | 'standings'
>

export function stoppingIn({
  agents,
  groupBlocks,
  sessionBlocks,
  revocations,
  standings,
}: Standing): Stopping {
  const stopped = [...agents].filter(([, { block, liftedThrough }]) => {
    return block !== null || liftedThrough > 0
  })
  return {
    agents: new Map(stopped),
    groupBlocks: new Map(groupBlocks),
    sessionBlocks: new Map(sessionBlocks),
    revocations,
    standings,
  }
}

/** Whether the same would stop someone now. */
export function stopTheSame(state: Standing, stops: Stopping): boolean {
  const now = stoppingIn(state)
  if (now.standings !== stops.standings) return false
  if (now.revocations !== stops.revocations || now.agents.size !== stops.agents.size) return false
  for (const [agent, { block, liftedThrough }] of now.agents) {
    const then = stops.agents.get(agent)
    if (then?.block !== block || then.liftedThrough !== liftedThrough) return false
  }
  return (
    areAlike(now.groupBlocks, stops.groupBlocks) && areAlike(now.sessionBlocks, stops.sessionBlocks)
  )
}

function areAlike<T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)
}
