// One cell of a realm of two: an agent of its own, one of the other, and questions of both.
import { cellOf } from '#rules/catalog/cells'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { nameOf } from '#record/names'
import { keyOf, proposalId } from '#messages/learning/template'
import { digestOfProposed } from '#state/slices/learning/proposals'
import type { TestSetup } from '../../support/runtime.ts'
import { played, type Play } from '../play.ts'
import { setup } from './cast.ts'

const fleets = ['red', 'blue', 'green', 'white']
const agentsOfFleets = fleets.map((fleet) => ({
  id: `agent-${fleet}`,
  owner: 'olga',
  attributes: { fleet },
}))

export const cellSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    cells: 2,
    principals: [...setup.catalog.principals, ...agentsOfFleets],
  },
  parts: { place: { realm: 'main-c0', era: 1 }, id: 'main-c0/test' },
} satisfies TestSetup

/** One of those that have a fleet. */
export function agentOfCell({ runtime }: Play, index: number): string {
  const { catalog } = runtime.follower.state
  const found = agentsOfFleets.find(({ id }) => cellOf(catalog, id) === index)
  if (found === undefined) throw new Error(`cell ${index} has an agent`)
  return found.id
}

export async function cell(play: Play): Promise<void> {
  const agentOf = (index: number): string => agentOfCell(play, index)
  const look = { tool: 'look', args: { path: 'a' } }
  await played(play, { as: agentOf(0), intent: look })
  await played(play, { as: agentOf(1), intent: look })
  await played(play, {
    as: agentOf(0),
    intent: { ...look, concepts: ['moon'], onGap: 'learn' },
  })
  await askedElsewhere(play, agentOf(1))
}

// What the worker of the other cell bound, from its own log.
async function askedElsewhere({ log, runtime }: Play, agent: string): Promise<void> {
  const { place } = runtime.follower.state
  const template = { kind: 'EXISTENCE' as const, primitive: 'sun', levels: [0, 1] }
  const proposed = { template, query: { concepts: ['sun'] } }
  const name = nameOf(place, 'proposal', proposalId(keyOf(template), 1))
  const address = `${agent}.-.there`
  const data = {
    intent: { address, agent, session: null },
    from: { name: `main-c1.1.grounding.${address}.1`, position: 9_000 },
    round: 1,
    ...proposed,
    met: [{ agent, owners: ['olga'] }],
    digest: digestOfProposed(proposed),
    graphRevision: 1,
  }
  const time = new Date(runtime.clock.now()).toISOString()
  const stamp = { source: 'warrant/learning/main-c1/test', time, basis: 9_001 }
  await log.append({ name, bytes: writeEvent('proposal', name, jsonOf(data), stamp) })
}
