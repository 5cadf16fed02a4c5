// Where agents stand: all of them from the state, each in the cell that has it, and one with the
// steps that moved it.
import { cellElsewhere } from '#rules/catalog/cells'
import { hasStanding, isContractIssuer } from '#rules/catalog/work-settings'
import { earnedLevel, type EarnedStep } from '#work/contracts/standings'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { partsInRealm, token } from '#record/names'
import {
  standingAsked,
  standingsAsked,
  type StandingRow,
  type StepShown,
} from '#schemas/operations/standings'
import { answersOf, listShown, type RealmAsked } from '../answering.ts'
import { isPartyTo, openIn } from '../contracts.ts'
import { answeredNow, instant, ofLog, pageByName, type RealmLog } from '../realm.ts'
import { standingColumns, standingOnScreen } from './standing-lines.ts'

export const standingsAnswered = answersOf(standingsAsked, {
  answer({ realm, by }, given) {
    const rows = realm.logs
      .flatMap((at) => {
        const open = openByWorker(at)
        return agentsIn(at).map((agent) => standingRow(at, agent, open.get(agent) ?? 0))
      })
      .filter(({ agent }) => realm.logs.some((at) => maySee(at, agent, by)))
      .toSorted(leastFirst)
    const names = { name: ({ agent }: StandingRow) => agent, row: (row: StandingRow) => row }
    return pageByName(realm, rows, given, names)
  },
  shown: (page) => listShown(standingColumns, page),
})

export const standingAnswered = answersOf(standingAsked, {
  async answer({ realm, by }, { agent }) {
    const at = logDeciding(realm.logs, agent)
    if (at === undefined || !maySee(at, agent, by)) {
      throw new Fault('unknown_principal', `the catalog has no principal \`${agent}\``)
    }
    const { catalog } = at.state
    const { steps = [], scored = 0 } = at.state.standings.get(token(agent)) ?? {}
    const open = openIn(at, realm.now).flatMap(({ row }) => (row.worker === agent ? [row] : []))
    const isOwn = agent === by.principal || isOwned(at, agent, by)
    return {
      ...answeredNow(realm),
      standing: standingRow(at, agent, open.length),
      steps: await Promise.all(steps.map((step) => stepShown(at, step))),
      before: scored - steps.filter((step) => step.scored !== null).length,
      reinstateAfterMs: catalog.work.reinstateAfterMs ?? null,
      open: open.filter((row) => isOwn || isPartyTo(row, by)),
    }
  },
  shown: standingOnScreen,
})

/** Oneself, one’s own agents, and for issuers of contracts any. */
function maySee(at: RealmLog, agent: string, by: RealmAsked['by']): boolean {
  const { catalog } = at.state
  const { principal, readsAll } = by
  if (readsAll) return true
  if (principal === null || !catalog.principals.has(agent)) return false
  return agent === principal || isOwned(at, agent, by) || isContractIssuer(catalog, principal)
}

function isOwned({ state }: RealmLog, agent: string, { principal }: RealmAsked['by']): boolean {
  return principal !== null && state.catalog.principals.get(agent)?.owner === principal
}

function openByWorker({ state }: RealmLog): ReadonlyMap<string, number> {
  const open = new Map<string, number>()
  for (const { worker } of state.contracts.values()) open.set(worker, (open.get(worker) ?? 0) + 1)
  return open
}

/** Of all agents of this log with an owner, and of all who have earned anything in it. */
function agentsIn(at: RealmLog): readonly string[] {
  const { catalog, standings: earned } = at.state
  const ids = new Set([
    ...[...catalog.principals.keys()].filter((id) => mayEarn(at, id)),
    ...[...earned.values()].map(({ agent }) => agent),
  ])
  // All cells have the whole catalog, and the log that an agent has left keeps what it had earned.
  return [...ids].filter((id) => !catalog.principals.has(id) || isHere(at, id))
}

/** Null for who earns nothing. */
export function standingHere(at: RealmLog, agent: string): StandingRow | null {
  if (!mayEarn(at, agent) && !at.state.standings.has(token(agent))) return null
  return standingRow(at, agent, openByWorker(at).get(agent) ?? 0)
}

/** Null for whom the catalog does not go by it. */
export function levelHere(at: RealmLog, agent: string): StandingRow['level'] | null {
  const { catalog, standings: earned } = at.state
  const found = earned.get(token(agent))
  const counts = mayEarn(at, agent) || (found !== undefined && hasStanding(catalog, agent))
  return counts ? earnedLevel(catalog, found).level : null
}

/** An agent with an owner, of those whom the catalog lets earn. */
function mayEarn({ state: { catalog } }: RealmLog, agent: string): boolean {
  return catalog.principals.get(agent)?.owner !== undefined && hasStanding(catalog, agent)
}

function standingRow(at: RealmLog, agent: string, contracts: number): StandingRow {
  const { catalog } = at.state
  const earned = at.state.standings.get(token(agent))
  const { value, level, probation } = earnedLevel(catalog, earned)
  const { scored = 0, suspendedBy = null } = earned ?? {}
  return {
    agent,
    value,
    level,
    probation,
    scored,
    suspendedBy: suspendedBy && {
      name: suspendedBy.name,
      position: suspendedBy.position,
      appendedAt: instant(suspendedBy.appendedAt),
    },
    counts: hasStanding(catalog, agent),
    contracts,
    ...ofLog(at),
  }
}

function leastFirst(one: StandingRow, other: StandingRow): number {
  const rank = ({ suspendedBy }: StandingRow): number => (suspendedBy === null ? 1 : 0)
  const byValue = rank(one) - rank(other) || one.value - other.value
  return byValue || (one.agent < other.agent ? -1 : 1)
}

/** Its cell's; of who has none here the log in which it is suspended, or has earned something. */
export function logDeciding<At extends Pick<RealmLog, 'state'>>(
  logs: readonly At[],
  agent: string,
): At | undefined {
  const here = logs.find((at) => isHere(at, agent))
  if (here !== undefined) return here
  const earned = logs.flatMap((at) => {
    const found = at.state.standings.get(token(agent))
    return found === undefined ? [] : [{ at, found }]
  })
  const suspended = earned.find(({ found }) => found.suspendedBy !== null)
  return (suspended ?? earned[0])?.at
}

/** Whether this log decides about it. */
export function isHere({ state }: Pick<RealmLog, 'state'>, agent: string): boolean {
  const { catalog, place } = state
  return catalog.principals.has(agent) && cellElsewhere(catalog, place, agent) === null
}

async function stepShown({ log, state }: RealmLog, step: EarnedStep): Promise<StepShown> {
  const { name, position, appendedAt, before, after, scored } = step
  const [issuer, session, id, attempt] = partsInRealm(name, state.place.realm)?.tokens ?? []
  const isOfContract = scored !== null && id !== undefined
  return {
    name,
    position,
    appendedAt: instant(appendedAt),
    before,
    after,
    scored: scored && { ...scored },
    contract: isOfContract
      ? { address: [issuer, session, id].join('.'), attempt: Number(attempt) }
      : null,
    reinstated: scored === null ? await reinstatedBy(log, name) : null,
  }
}

async function reinstatedBy(log: RealmLog['log'], name: string): Promise<StepShown['reinstated']> {
  const fact = await log.get(name)
  const data = fact === undefined ? null : readData('reinstatement', fact)
  return data !== null && 'by' in data ? { by: data.by, reason: data.reason } : null
}
