// Spreads the agents of a realm over another number of its cells. Those whom that moves leave their
// cells, and when nothing of them is open there, all arrive in one change set.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { controlPlace } from '#record/names'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { spreadPlan } from '#authoring/moves/move-plan'
import { CatalogFile } from '#schemas/catalog'
import { exitCodes } from '#schemas/faults/exit'
import { refuseWithoutCatalog } from '../editing/edit.ts'
import { signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { spreadText } from './move-text.ts'
import { carriedOut, signed, type Moving, type MovingOptions } from './moving.ts'

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
