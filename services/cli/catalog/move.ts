// Moves an agent to another fleet or owner. Where that is another cell it signs twice: that the
// agent leaves, and when nothing of it is open there, that it arrives with what its cell has of it.
import { configuration } from '#runtime/wiring/config'
import type { Arrival } from '#schemas/catalog'
import { cellOf, type Move } from '#core/catalog/cells'
import { Fault } from '#core/kernel/fault'
import { controlPlace } from '#core/kernel/names'
import { change, type Author } from '#runtime/authoring/change'
import type { Runtime } from '#runtime/engine/runtime'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { arrivalOf, leavingOf, watchedDepartures } from '#runtime/moves/departure'
import {
  movePlan,
  principalIn,
  staying,
  type MovePlan,
  type Placing,
} from '#runtime/moves/move-plan'
import { exitCodes } from '#schemas/faults/exit'
import { operationLines } from '../editing/change-text.ts'
import { refuseWithoutCatalog } from '../editing/edit.ts'
import { demandAgreement, signerChoice } from '../editing/signing.ts'
import { logsMeant, type LogMeant } from '../opening/cells/logs.ts'
import { withRuntime } from '../opening/opened.ts'
import type { GlobalOptions, SignerOptions } from '../opening/options.ts'
import { usage } from '../terminal/failure.ts'
import { hintsFor, shellWord } from '../terminal/hint.ts'
import type { Line } from '../terminal/line.ts'
import { note, print, printJson } from '../terminal/terminal.ts'
import {
  differsText,
  arrivedText,
  plainText,
  stayedText,
  tooLargeText,
  unreadText,
  waitingText,
} from './move-text.ts'

export interface MoveOptions extends GlobalOptions, SignerOptions {
  /** False places it by its owners. */
  readonly fleet?: string | false
  readonly owner?: string
  readonly stay?: boolean
  /** Milliseconds. */
  readonly wait?: number
  readonly note?: string
}

const waitMsUsual = 60_000
/** So long at least the old cell may take to get the second change set. */
const comparedMsMin = 10_000

/** One move, as this command was called for it. */
interface Moving {
  readonly id: string
  readonly options: MoveOptions
  readonly control: Runtime
  readonly author: Author
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
    const moving = { id, options: here, control, author }
    if (plan === null) return stay(moving)
    const [first] = plan.moves
    return first === undefined ? plainly(moving, plan) : moved(moving, plan, first)
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

async function stay({ id, options, control, author }: Moving): Promise<number> {
  const operations = staying(control.follower.state.catalog, id)
  const revision = await signed({ id, options, control, author }, operations)
  const ids = operations.flatMap((one) => ('id' in one ? [one.id] : []))
  if (options.json === true) await printJson({ id, stay: ids, revision })
  else await print(stayedText(id, ids, revision))
  return exitCodes.yes
}

/** It stays in its cell, or there are no cells: one change set like any other. */
async function plainly(moving: Moving, plan: MovePlan): Promise<number> {
  const { id, options, control } = moving
  const revision = await signed(moving, plan.arrive(control.follower.state.catalog, []))
  const cell = cellOf(control.follower.state.catalog, id)
  if (options.json === true) await printJson({ id, moved: [], cell, left: null, revision })
  else await print(plainText(id, { cell, revision }))
  return exitCodes.yes
}

async function moved(moving: Moving, plan: MovePlan, move: Move): Promise<number> {
  const { id, options } = moving
  const old = await cellMeant(options, move)
  return withRuntime(old.options, { reads: true }, async (cell) => {
    const left = await signed(moving, plan.leave)
    await untilGone(moving, plan, cell)
    const { revision, late } = await arrived(moving, plan, cell)
    if (late !== null) throw new Fault('move_differs', late)
    const { moves } = plan
    if (options.json === true) {
      await printJson({ id, moved: moves, cell: move.to, left, revision })
    } else await print(arrivedText(moves, revision))
    return exitCodes.yes
  })
}

async function cellMeant(options: MoveOptions, { id, from }: Move): Promise<LogMeant<MoveOptions>> {
  const all = await logsMeant(options)
  const old = all.find(({ cell }) => cell === from)
  if (old !== undefined) return old
  const says = `the catalog places \`${id}\` in cell ${from}`
  throw new Fault('no_cell', `${says}, and the realm \`${options.realm}\` has no such cell`)
}

/** Throws a Fault `move_waiting` with what is still open when the time has passed. */
async function untilGone(
  { id, options, control }: Moving,
  plan: MovePlan,
  cell: Runtime,
): Promise<void> {
  const ids = plan.moves.map((one) => one.id)
  const { state } = cell.follower
  const standing = () => leavingOf(state, ids)
  const end = cell.clock.now() + (options.wait ?? waitMsUsual)
  const leftMs = (): number => Math.max(0, end - cell.clock.now())
  // Before the log of the cell has it, more may be opened there.
  await cell.follower.until(() => standing().is !== 'unread', cell.timer, leftMs())
  const hints = hintsFor(options, configuration())
  const said = (): string => {
    const now = standing()
    if (now.is !== 'open') return unreadText(ids, state.place.realm)
    return waitingText(state, now.intents, cell.clock.now())
  }
  if (standing().is === 'open') note(`warrant: ${said()}; waiting`)
  // What it brings along is counted by the limits of the newest catalog.
  const isGone = (): boolean => {
    const { catalogRevision } = control.follower.state
    return standing().is === 'gone' && state.catalogRevision >= catalogRevision
  }
  if (await cell.follower.until(isGone, cell.timer, leftMs())) return
  const off = hints(`catalog move ${shellWord(id)} --stay`)
  throw new Fault('move_waiting', `${said()}: run the same again, or cancel it with \`${off}\``)
}

interface ArrivedAt {
  readonly revision: number | null
  /** What came to the old cell after it was looked at; null where nothing did. */
  readonly late: string | null
}

async function arrived(moving: Moving, plan: MovePlan, cell: Runtime): Promise<ArrivedAt> {
  const { control } = moving
  const watched = watchedDepartures(cell)
  try {
    // By other limits other uses would still count: who signs has seen this revision.
    const { catalogRevision: base } = cell.follower.state
    const hasSeen = (): boolean => control.follower.state.catalogRevision >= base
    await control.follower.until(hasSeen, control.timer, comparedMsMin)
    const arrivals: Arrival[] = []
    for (const each of plan.moves) arrivals.push(await arrivalOf(cell, each))
    const operations = plan.arrive(control.follower.state.catalog, arrivals)
    const revision = await signed(moving, operations, base).catch(refitted(plan.moves))
    if (revision === null) return { revision, late: null }
    const { state } = cell.follower
    const { realm } = state.place
    const isFolded = (): boolean => state.catalogRevision >= revision
    const waitMs = Math.max(moving.options.wait ?? waitMsUsual, comparedMsMin)
    if (!(await cell.follower.until(isFolded, cell.timer, waitMs))) {
      note(`warrant: the log of ${realm} does not have it yet: \`warrant replay\` compares it`)
    }
    const [stray] = await watched.falseIn(revision)
    return { revision, late: stray === undefined ? null : differsText(stray, plan.moves) }
  } finally {
    watched.stop()
  }
}

function refitted(moves: readonly Move[]) {
  return (error: unknown): never => {
    if (!(error instanceof Fault) || error.code !== 'change_too_large') throw error
    throw new Fault(error.code, tooLargeText(moves), { cause: error })
  }
}

/** The revision that it became; null where there is nothing to sign. */
async function signed(
  { control, author, options }: Moving,
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
