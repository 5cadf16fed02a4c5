// Carries out a plan that moves agents to other cells: signs that they leave, waits until nothing
// of them is open there, and signs that they arrive with what the log of each cell has of them.
// Where that was cut off, the same again goes on.
import type { Arrival } from '#schemas/catalog'
import type { Move } from '#rules/catalog/cells'
import { assert, Fault } from '#record/fault'
import { cellIn } from '#record/names'
import { change, type Author } from '#authoring/change'
import type { Runtime } from '#runtime/engine/runtime'
import { arrivalOf, leavingOf, watchedDepartures } from '#authoring/moves/departure'
import type { MovePlan } from '#authoring/moves/move-plan'
import { operationLines } from '#operations/proposals/operation-lines'
import { demandAgreement } from '#cli/terminal/signing'
import { withCells } from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import type { Line } from '#cli/terminal/line'
import { note } from '#cli/terminal/terminal'
import { differsText, tooLargeText, unreadText, waitingText } from './move-text.ts'

export interface MovingOptions extends GlobalOptions, SignerOptions {
  /** Milliseconds. */
  readonly wait?: number
  readonly note?: string
}

/** One plan, as a command was called for it. */
export interface Moving {
  readonly options: MovingOptions
  readonly control: Runtime
  readonly author: Author
  /** How it is gone on with, or cancelled, once the time has passed. */
  readonly again: string
}

export interface Carried {
  /** The revisions of the two change sets; null where there was nothing left to sign. */
  readonly left: number | null
  readonly revision: number | null
}

const waitMsUsual = 60_000
/** So long at least an old cell may take to get the second change set. */
const comparedMsMin = 10_000

/** Whom it moves from the cell of that runtime. */
interface Departing {
  readonly cell: Runtime
  readonly moves: readonly Move[]
}

/**
 * Throws a Fault `move_waiting` with what is still open when the time has passed, and
 * `move_differs` where a cell had more of an agent when it got the second change set.
 */
export async function carriedOut(moving: Moving, plan: MovePlan): Promise<Carried> {
  const { options } = moving
  const from = [...new Set(plan.moves.map((move) => move.from))]
  return withCells(options, { reads: true }, from, async (runtimes) => {
    const departing = runtimes.map((cell): Departing => {
      const index = cellIn(cell.follower.state.place.realm)?.index
      return { cell, moves: plan.moves.filter((move) => move.from === index) }
    })
    assert(
      departing.every(({ moves }) => moves.length > 0),
      'each cell is left by someone',
    )
    const left = await signed(moving, plan.leave)
    const end = moving.control.clock.now() + (options.wait ?? waitMsUsual)
    for (const each of departing) await untilGone(moving, each, end)
    const { revision, late } = await arrived(moving, plan, departing)
    if (late !== null) throw new Fault('move_differs', late)
    return { left, revision }
  })
}

async function untilGone(
  { control, again }: Moving,
  { cell, moves }: Departing,
  end: number,
): Promise<void> {
  const ids = moves.map(({ id }) => id)
  const { follower, clock, timer } = cell
  const { state } = follower
  const standing = () => leavingOf(state, ids)
  const leftMs = (): number => Math.max(0, end - clock.now())
  // Before the log of the cell has it, more may be opened there.
  await follower.until(() => standing().is !== 'unread', timer, leftMs())
  const said = (): string => {
    const now = standing()
    if (now.is !== 'open') return unreadText(ids, state.place.realm)
    return waitingText(state, now.intents, clock.now())
  }
  if (standing().is === 'open') note(`warrant: ${said()}; waiting`)
  // What it brings along is counted by the limits of the newest catalog.
  const isGone = (): boolean => {
    const { catalogRevision } = control.follower.state
    return standing().is === 'gone' && state.catalogRevision >= catalogRevision
  }
  if (await follower.until(isGone, timer, leftMs())) return
  throw new Fault('move_waiting', `${said()}: ${again}`)
}

interface ArrivedAt {
  readonly revision: number | null
  /** What came to an old cell after it was looked at; null where nothing did. */
  readonly late: string | null
}

async function arrived(
  moving: Moving,
  plan: MovePlan,
  departing: readonly Departing[],
): Promise<ArrivedAt> {
  const { control } = moving
  const watched = departing.map(({ cell }) => watchedDepartures(cell))
  try {
    // By other limits other uses would still count: who signs has seen this revision.
    const base = Math.max(...departing.map(({ cell }) => cell.follower.state.catalogRevision))
    const { follower, timer } = control
    await follower.until(() => follower.state.catalogRevision >= base, timer, comparedMsMin)
    const arrivals: Arrival[] = []
    for (const { cell, moves } of departing) {
      for (const each of moves) arrivals.push(await arrivalOf(cell, each))
    }
    const operations = plan.arrive(follower.state.catalog, arrivals)
    const revision = await signed(moving, operations, base).catch(refitted(plan.moves))
    if (revision === null) return { revision, late: null }
    for (const [index, { cell }] of departing.entries()) {
      await untilCompared(moving, cell, revision)
      const [stray] = (await watched[index]?.falseIn(revision)) ?? []
      if (stray !== undefined) return { revision, late: differsText(stray, plan.moves) }
    }
    return { revision, late: null }
  } finally {
    for (const each of watched) each.stop()
  }
}

async function untilCompared(
  { options }: Moving,
  { follower, timer }: Runtime,
  revision: number,
): Promise<void> {
  const { state } = follower
  const waitMs = Math.max(options.wait ?? waitMsUsual, comparedMsMin)
  if (await follower.until(() => state.catalogRevision >= revision, timer, waitMs)) return
  const { realm } = state.place
  note(`warrant: the log of ${realm} does not have it yet: \`warrant replay\` compares it`)
}

function refitted(moves: readonly Move[]) {
  return (error: unknown): never => {
    if (!(error instanceof Fault) || error.code !== 'change_too_large') throw error
    throw new Fault(error.code, tooLargeText(moves), { cause: error })
  }
}

/** The revision that it became; null where there is nothing to sign. */
export async function signed(
  { control, author, options }: Omit<Moving, 'again'>,
  operations: MovePlan['leave'],
  base?: number,
): Promise<number | null> {
  if (operations.length === 0) return null
  const lines: readonly Line[] = ['this changes the catalog:', ...operationLines(operations)]
  await demandAgreement(options, { lines, as: author.id })
  const { note: why } = options
  const given = { ...(why !== undefined && { note: why }), ...(base !== undefined && { base }) }
  const bound = await change(control, { kind: 'catalog', operations }, author, given)
  return bound.revision
}
