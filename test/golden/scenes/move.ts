// One cell of a realm of two: an agent of its own that leaves it, stays, and moves; and one of the
// other cell that comes with what it has used there and what stops it.
import { cellOf } from '#rules/catalog/cells'
import { nameOf } from '#record/names'
import { change } from '#authoring/change'
import { arrivalOf } from '#authoring/moves/departure'
import { movePlan, staying } from '#authoring/moves/move-plan'
import type { Arrival, CatalogOperation } from '#schemas/catalog'
import { keys } from '../../support/runtime.ts'
import { bind, played, quiet, type Play } from '../play.ts'
import { agentOfCell } from './cell.ts'

const fleets = ['dawn', 'noon', 'dusk', 'night', 'tide', 'frost', 'ember', 'mist']
const rare = { tool: 'rare', args: { path: 'a' } }

export async function move(play: Play): Promise<void> {
  await goes(play, agentOfCell(play, 0))
  await comes(play, agentOfCell(play, 1))
}

async function goes(play: Play, agent: string): Promise<void> {
  const asks = () => played(play, { as: agent, intent: rare })
  await asks()
  await asks()
  await stopped(play, agent)
  const placing = { fleet: fleetOf(play, 1) }
  const plan = () => movePlan(play.runtime.follower.state.catalog, agent, placing)
  await changed(play, plan().leave)
  await asks()
  await changed(play, staying(play.runtime.follower.state.catalog, agent))
  await changed(play, plan().leave)
  const arrival = await arrivalOf(play.runtime, { id: agent, from: 0 })
  await changed(play, plan().arrive(play.runtime.follower.state.catalog, [arrival]))
  await asks()
}

async function comes(play: Play, agent: string): Promise<void> {
  const asks = () => played(play, { as: agent, intent: rare })
  const plan = movePlan(play.runtime.follower.state.catalog, agent, { fleet: fleetOf(play, 0) })
  await changed(play, plan.leave)
  await asks()
  const at = play.runtime.clock.now()
  const times = [at - 1_000]
  const arrival: Arrival = {
    op: 'arrive',
    id: agent,
    from: 1,
    at: new Date(at).toISOString(),
    uses: [{ capability: 'rare', times }],
    asks: [{ capability: 'erase', times }],
    block: { name: 'main-c1.1.vlp.desk.-.there', sender: 'desk' },
  }
  await changed(play, plan.arrive(play.runtime.follower.state.catalog, [arrival]))
  await asks()
  const { place, position } = play.runtime.follower.state
  const content = { agent, through: position, by: 'olga', note: 'it was a mistake' }
  await bind(play, 'lift', nameOf(place, 'lift', agent, 1), content, keys.olga)
  await quiet(play)
  await asks()
  await played(play, { as: agent, intent: { tool: 'look' } })
}

async function stopped(play: Play, receiver: string): Promise<void> {
  const safety = { level: 'block', issues: [] }
  const message = { type: 'notice', content: 'stop that', receiver, safety }
  await played(play, { as: 'desk', message })
}

async function changed(play: Play, operations: readonly CatalogOperation[]): Promise<void> {
  const author = { id: 'root', privateKey: keys.root }
  await change(play.runtime, { kind: 'catalog', operations }, author)
  await quiet(play)
}

/** One that no agent has yet. */
function fleetOf({ runtime }: Play, cell: number): string {
  const { catalog } = runtime.follower.state
  const probe = (fleet: string): number | null => {
    const entry = { id: 'probe', roles: [], attributes: { fleet }, keys: [], suspended: false }
    return cellOf({ ...catalog, principals: new Map([['probe', entry]]) }, 'probe')
  }
  const found = fleets.find((fleet) => probe(fleet) === cell)
  if (found === undefined) throw new Error(`cell ${cell} has a fleet`)
  return found
}
