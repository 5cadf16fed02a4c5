// What an agent has earned, as the console answers it: from the state as it is folded, at once.
import { hasStanding } from '#rules/catalog/work/work-settings'
import { earnedLevel } from '#work/contracts/standings'
import { token } from '#record/names'
import type { State } from '#state/state'
import type { StandingRow } from '#schemas/console/standings'
import type { ConsoleOn } from '../console.ts'
import { earnedListed } from '#client/work/standings-shown'
import { ofCell } from '../logs.ts'

/** Of all who earned something in that log, and of the other agents that standing decides for. */
export function standingRows(on: ConsoleOn): StandingRow[] {
  const { state } = on.runtime.follower
  const open = openByWorker(state)
  return earnedListed(state).map(({ agent }) => standingRow(on, agent, open.get(agent) ?? 0))
}

export function standingRow(on: ConsoleOn, agent: string, contracts: number): StandingRow {
  const { catalog, standings } = on.runtime.follower.state
  const standing = standings.get(token(agent))
  const { value, level, probation } = earnedLevel(catalog, standing)
  const { scored = 0, suspendedBy = null } = standing ?? {}
  return {
    agent,
    value,
    level,
    probation,
    scored,
    suspendedBy: suspendedBy && {
      name: suspendedBy.name,
      position: suspendedBy.position,
      appendedAt: new Date(suspendedBy.appendedAt).toISOString(),
    },
    decides: hasStanding(catalog, agent),
    contracts,
    ...ofCell(on),
  }
}

function openByWorker({ contracts }: State): ReadonlyMap<string, number> {
  const open = new Map<string, number>()
  for (const { worker } of contracts.values()) open.set(worker, (open.get(worker) ?? 0) + 1)
  return open
}
