// Moves an agent to another fleet or owner. Where that is another cell it signs twice: that the
// agent leaves, and when nothing of it is open there, that it arrives with what its cell has of it.
import { configuration } from '#wiring/config'
import { principalIn } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { controlPlace } from '#record/names'
import { findPolicyAdmin } from '#runtime/keys/keys'
import {
  movePlan,
  staying,
  type MovePlan,
  type Placing,
  spreadPlan,
} from '#authoring/moves/move-plan'
import { exitCodes } from '#schemas/faults/exit'
import { refuseWithoutCatalog } from '../editing/edit.ts'
import { signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import { usage } from '#cli/terminal/failure'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { arrivedText, plainText, stayedText, spreadText } from './move-text.ts'
import { carriedOut, signed, type Moving, type MovingOptions } from './moving.ts'
import { Fault } from '#record/fault'
import { CatalogFile } from '#schemas/catalog'

interface MoveOptions extends MovingOptions {
  /** False places it by its owners. */
  readonly fleet?: string | false
  readonly owner?: string
  readonly stay?: boolean
}

export function moveAgent(id: string, options: MoveOptions): Promise<number> {
  const placing = placingIn(options)
  const here = { ...options, realm: controlPlace(options.realm).realm }
  return withRuntime(here, {}, async (control) => {
    refuseWithoutCatalog(control)
    const { catalog } = control.follower.state
    principalIn(catalog, id)
    const plan = placing === 'stay' ? null : movePlan(catalog, id, placing)
    const author = await findPolicyAdmin(signerChoice(control, here))
    const off = hintsFor(here, configuration())(`catalog move ${shellWord(id)} --stay`)
    const again = `run the same again, or cancel it with \`${off}\``
    const moving = { options: here, control, author, again }
    if (plan === null) return stay(moving, id)
    return plan.moves.length === 0 ? plainly(moving, id, plan) : moved(moving, id, plan)
  })
}

function placingIn({ fleet, owner, stay: stays }: MoveOptions): Placing | 'stay' {
  const given: (Placing | 'stay')[] = [
    ...(fleet === undefined ? [] : [{ fleet: fleet === false ? null : fleet }]),
    ...(owner === undefined ? [] : [{ owner }]),
    ...(stays === true ? ['stay' as const] : []),
  ]
  const [only] = given
  if (only !== undefined && given.length === 1) return only
  throw usage('say where to, once: --fleet NAME, --no-fleet, --owner ID, or --stay')
}

async function stay(moving: Moving, id: string): Promise<number> {
  const { options, control } = moving
  const operations = staying(control.follower.state.catalog, id)
  const revision = await signed(moving, operations)
  const ids = operations.flatMap((one) => ('id' in one ? [one.id] : []))
  if (options.json === true) await printJson({ id, stay: ids, revision })
  else await print(stayedText(id, ids, revision))
  return exitCodes.yes
}

/** It stays in its cell, or there are no cells: one change set like any other. */
async function plainly(moving: Moving, id: string, plan: MovePlan): Promise<number> {
  const { options, control } = moving
  const revision = await signed(moving, plan.arrive(control.follower.state.catalog, []))
  const cell = cellOf(control.follower.state.catalog, id)
  if (options.json === true) await printJson({ id, moved: [], cell, left: null, revision })
  else await print(plainText(id, { cell, revision }))
  return exitCodes.yes
}

async function moved(moving: Moving, id: string, plan: MovePlan): Promise<number> {
  const { left, revision } = await carriedOut(moving, plan)
  const { moves } = plan
  const cell = moves[0]?.to ?? null
  if (moving.options.json === true) await printJson({ id, moved: moves, cell, left, revision })
  else await print(arrivedText(moves, revision))
  return exitCodes.yes
}

// Spreads the agents of a realm over another number of its cells. Those whom that moves leave their
// cells, and when nothing of them is open there, all arrive in one change set.

export function spreadAgents(count: string, options: MovingOptions): Promise<number> {
  const { data: cells, success } = CatalogFile.shape.cells.safeParse(Number(count))
  if (!success || cells === undefined) throw usage('say over how many cells: 2 to 256')
  const here = { ...options, realm: controlPlace(options.realm).realm }
  return withRuntime(here, {}, async (control) => {
    refuseWithoutCatalog(control)
    const { catalog } = control.follower.state
    const before = await fitting(control, cells)
    const author = await findPolicyAdmin(signerChoice(control, here))
    const back = hintsFor(here, configuration())(`catalog spread ${before}`)
    const again = `run the same again, or cancel it with \`${back}\``
    return spread({ options: here, control, author, again }, spreadPlan(catalog, cells), cells)
  })
}

/** Over how many they are spread now. Throws a Fault `cells_fixed` where there are not so many. */
async function fitting(control: Moving['control'], cells: number): Promise<number> {
  const { state } = control.follower
  const there = (await control.cells?.()) ?? null
  const { cells: before } = state.catalog
  if (before !== null && there !== null && cells <= there) return before
  const { realm } = state.place
  const has = there === null ? 'one log' : `${there} cells`
  const fix = there === null ? 'begin a realm of cells' : 'make more: `warrant nats init --cells`'
  throw new Fault('cells_fixed', `the realm \`${realm}\` has ${has}: ${fix}`)
}

async function spread(
  moving: Moving,
  plan: ReturnType<typeof spreadPlan>,
  cells: number,
): Promise<number> {
  const { moves } = plan
  const { catalog } = moving.control.follower.state
  const { left, revision } =
    moves.length > 0
      ? await carriedOut(moving, plan)
      : { left: null, revision: await signed(moving, plan.arrive(catalog, [])) }
  if (moving.options.json === true) await printJson({ cells, moved: moves, left, revision })
  else await print(spreadText(cells, moves, revision))
  return exitCodes.yes
}
