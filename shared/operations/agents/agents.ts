// Who the agents and people of the catalog are, and what stops each, in the cell that decides about
// it.
import { keyIdOf } from '#record/signature'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { keylessIn } from '#rules/catalog/keyless'
import { blocksOf } from '#state/agents'
import { agentAsked, agentsAsked, type AgentRow } from '#schemas/operations/agents'
import { agentColumns, agentOnScreen } from './agent-lines.ts'
import { answersOf, listShown, type RealmAsked } from '../answering.ts'
import { answeredNow, ofLog, pageByName, type Realm } from '../realm.ts'
import { isHere, levelHere, standingHere } from './standings.ts'

export const agentsAnswered = answersOf(agentsAsked, {
  answer({ realm, by }, { search = '', stopped, ...page }) {
    const wanted = search.toLowerCase()
    const rows = rowsOf(realm, by)
      .filter(({ agent, owner }) => `${agent}\n${owner ?? ''}`.toLowerCase().includes(wanted))
      .filter((row) => stopped !== true || isStopped(row))
      .toSorted(agentsFirst)
    return pageByName(realm, rows, page, { name: ({ agent }) => agent, row: (row) => row })
  },
  shown: (page) => listShown(agentColumns, page),
})

export const agentAnswered = answersOf(agentAsked, {
  answer({ realm, by }, { agent: id }) {
    const at = realm.logs.find((log) => isHere(log, id))
    const row = rowsOf(realm, by).find(({ agent }) => agent === id)
    const principal = at?.state.catalog.principals.get(id)
    if (at === undefined || row === undefined || principal === undefined) {
      throw new Fault('unknown_principal', `the catalog has no principal \`${id}\``)
    }
    const { attributes, keys, passkeys = [], via = [] } = principal
    const { principals } = at.state.catalog
    return {
      ...answeredNow(realm),
      agent: row,
      attributes,
      owns: [...principals.values()].flatMap((one) => (one.owner === id ? [one.id] : [])),
      keys: keys.map(keyIdOf),
      passkeys: passkeys.length,
      via: [...via],
      blocks: blocksOf(at.state, id).map((block) => ({ ...block })),
      standing: standingHere(at, id),
    }
  },
  shown: agentOnScreen,
})

/** Oneself, and one’s own agents; who may read all of the log, everyone. */
function rowsOf({ logs }: Realm, { principal, readsAll }: RealmAsked['by']): readonly AgentRow[] {
  return logs.flatMap((at) => {
    const { catalog } = at.state
    const mine = [...catalog.principals.values()].filter(({ id, owner }) => {
      const isOwn = principal !== null && (id === principal || owner === principal)
      return (readsAll || isOwn) && isHere(at, id)
    })
    const keyless = new Set(keylessIn(catalog))
    const groups = [...catalog.groups.values()]
    const groupsOf = (id: string) =>
      groups.flatMap(({ id: group, members }) => {
        return members.includes(id) ? [group] : []
      })
    return mine.map(({ id, owner = null, roles, suspended, moving = false }) => {
      return {
        agent: id,
        owner,
        roles: [...roles],
        groups: groupsOf(id),
        suspended,
        blocked: blocksOf(at.state, id).some(({ session }) => session === null),
        moving,
        keyless: keyless.has(id),
        level: levelHere(at, id),
        open: at.state.agents.get(token(id))?.open ?? 0,
        ...ofLog(at),
      }
    })
  })
}

function isStopped({ suspended, blocked, moving, keyless, level }: AgentRow): boolean {
  return suspended || blocked || moving || keyless || level === 'suspended'
}

function agentsFirst(one: AgentRow, other: AgentRow): number {
  const rank = ({ owner }: AgentRow): number => (owner === null ? 1 : 0)
  return rank(one) - rank(other) || (one.agent < other.agent ? -1 : 1)
}
