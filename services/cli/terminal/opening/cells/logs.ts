// Which logs are meant where a realm has several cells: each cell has its own. They are opened a
// few at a time or in turn, and what fails is reported with its cell. One that is gone is left out
// only by what reports that in the end.
import type { FaultCode } from '#schemas/faults/registry'
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { realmOfCell } from '#record/names'
import { cellsAt, lostAt } from '#runtime/logs/cells'
import { isRemote } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { usage } from '../../failure.ts'
import { locate, reached, valuesOf, withRuntime, type LogUse } from '../opened.ts'
import type { GlobalOptions } from '../options.ts'

/** One of the logs that are meant. */
export interface LogMeant<O extends GlobalOptions = GlobalOptions> {
  /** The options, with its realm. */
  readonly options: O
  /** Null where it is the only one, and for the control log. */
  readonly cell: number | null
}

/** As many are folded at once. */
const atOnceMax = 8

/** The cells of a realm. */
export interface RealmCells {
  readonly count: number
  readonly catalog: Catalog
}

/**
 * How many cells the realm has: as many as its catalog says, and more where there is something of
 * more. Null where it has one log.
 */
export async function realmCells(options: GlobalOptions): Promise<RealmCells | null> {
  const found = await cellsAt(await locate(options), options.realm)
  if (found === null) return null
  const catalog = await sharedCatalog(options, found)
  return { catalog, count: Math.max(found, catalog.cells ?? 0) }
}

/** What all cells share is in the control log, which is short; without that, in any of theirs. */
async function sharedCatalog(options: GlobalOptions, found: number): Promise<Catalog> {
  let lost: unknown = null
  for (const realm of [options.realm, ...cellRealms(options, found)]) {
    try {
      return await withRuntime(
        { ...options, realm },
        { reads: true, shows: true },
        ({ follower }) => Promise.resolve(follower.state.catalog),
      )
    } catch (error) {
      if (!(error instanceof Fault) || !hidden.has(error.code)) throw error
      lost ??= error
    }
  }
  throw lost
}

/** What may be so of one log alone. */
const hidden: ReadonlySet<FaultCode> = new Set([
  'no_log',
  'log_tampered',
  'log_differs',
  'log_unreachable',
])

function cellRealms({ realm }: GlobalOptions, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => realmOfCell({ of: realm, index }))
}

/** The log of each cell; the only one where one is named or there are no cells. */
export async function logsMeant<O extends GlobalOptions>(
  options: O,
): Promise<readonly LogMeant<O>[]> {
  return demanded(options, logsOf(options, await realmCells(options)))
}

function demanded<T>({ realm }: GlobalOptions, logs: readonly T[]): readonly T[] {
  if (logs.length > 0) return logs
  const fix = 'complete it by `warrant nats init`'
  throw new Fault('no_cell', `the realm \`${realm}\` has no cell yet: ${fix}`)
}

/** The log of each of them, or the only one. */
export function logsOf<O extends GlobalOptions>(
  options: O,
  cells: RealmCells | null,
): readonly LogMeant<O>[] {
  if (cells === null) return [{ options, cell: null }]
  const realms = cellRealms(options, cells.count)
  return realms.map((realm, cell) => ({ options: { ...options, realm }, cell }))
}

/** Behind the control log, which has what all cells share; the only one alone. */
export function withControl<O extends GlobalOptions>(
  options: O,
  all: readonly LogMeant<O>[],
): readonly LogMeant<O>[] {
  return isOne(all) ? all : [{ options, cell: null }, ...all]
}

/** Whether it is the only log, and not the only cell. */
export function isOne(all: readonly LogMeant[]): boolean {
  return all.length === 1 && all[0]?.cell === null
}

/** Those of the logs that can be opened. */
export interface WholeLogs<O extends GlobalOptions = GlobalOptions> {
  /** Of each cell, or the only one. */
  readonly cells: readonly LogMeant<O>[]
  /** The same behind the control log, where there are cells. */
  readonly all: readonly LogMeant<O>[]
  /** The cells that there have to be; null where there is one log. */
  readonly known: RealmCells | null
  /** What keeps others from it, with their names. */
  readonly lost: Fault | null
}

/**
 * Does it with those of the logs that can be opened, and fails at the end where others cannot: what
 * was read of the others was not all.
 */
export async function withWholeLogs<O extends GlobalOptions, T>(
  options: O,
  use: (logs: WholeLogs<O>) => Promise<T>,
): Promise<T> {
  const logs = await wholeLogs(options)
  if (logs.lost !== null && logs.cells.length === 0) throw logs.lost
  const done = await use(logs)
  if (logs.lost !== null) throw logs.lost
  return done
}

/** The same with the runtime of each of the cells, all at once. */
export function withWholeCells<T>(
  options: GlobalOptions,
  opening: LogUse,
  use: (runtimes: readonly Runtime[], logs: WholeLogs) => Promise<T>,
): Promise<T> {
  return withWholeLogs(options, (logs) => {
    const realms = logs.cells.map((each) => each.options.realm)
    return withRuntimes(options, opening, realms, (runtimes) => use(runtimes, logs))
  })
}

export async function wholeLogs<O extends GlobalOptions>(options: O): Promise<WholeLogs<O>> {
  const known = await realmCells(options)
  const meant = demanded(options, logsOf(options, known))
  if (known === null) return { cells: meant, all: meant, known, lost: null }
  const control = withControl(options, meant)
  const faults = await faultsOf(control, known)
  const all = control.filter((_, index) => faults[index] === null)
  const cells = all.filter(({ cell }) => cell !== null)
  return { all, cells, known, lost: lostOfAll(faults.filter((fault) => fault !== null)) }
}

/** Why each of these logs of a realm of cells cannot be opened; null for one that can. */
export async function faultsOf(
  meant: readonly LogMeant[],
  known: RealmCells,
): Promise<readonly (Fault | null)[]> {
  const [first] = meant
  if (first === undefined) return []
  const realms = meant.map((each) => each.options.realm)
  const faults = await lostAt(await locate(first.options), realms)
  return meant.map((each, index) => {
    const fault = faults[index] ?? null
    return fault === null ? null : lostOf(each, fault, known)
  })
}

/** The catalog has agents in it, so it was there once. */
function lostOf({ cell, options }: LogMeant, fault: Fault, { catalog }: RealmCells): Fault {
  const { realm } = options
  const isNamed = cell === null || cell < (catalog.cells ?? 0)
  if (!isNamed || fault.code !== 'no_log') {
    return new Fault(fault.code, `${realm}: ${fault.message}`, { cause: fault, retry: fault.retry })
  }
  const what = `${realm}: the catalog has ${catalog.cells} cells, and the log of this one is gone`
  const fix = 'restore it from a copy (docs/run/operations.md, A stream is gone)'
  return new Fault('log_tampered', `${what}: ${fix}`, { cause: fault })
}

function lostOfAll(faults: readonly Fault[]): Fault | null {
  const [first] = faults
  if (first === undefined) return null
  const { code, retry } = faults.find((each) => each.code === 'log_tampered') ?? first
  return new Fault(code, faults.map(({ message }) => message).join('; '), { cause: first, retry })
}

/**
 * The runtimes of these cells of the realm, or of all, at once; that of its one log if it has none.
 * Throws a Fault `no_cell` for a cell that there is not.
 */
export async function withCells<T>(
  options: GlobalOptions,
  opening: LogUse,
  cells: readonly number[] | undefined,
  use: (runtimes: readonly Runtime[]) => Promise<T>,
): Promise<T> {
  const place = await locate(options, opening)
  const find = () => realmsMeant(options, cells)
  const realms = isRemote(place) ? await reached(opening, find) : [options.realm]
  return withRuntimes(options, opening, realms, use)
}

async function realmsMeant(
  options: GlobalOptions,
  wanted: readonly number[] | undefined,
): Promise<readonly string[]> {
  const meant = await logsMeant(options)
  const count = isOne(meant) ? 0 : meant.length
  const beyond = wanted?.find((index) => index >= count)
  if (beyond !== undefined) {
    const has = count === 0 ? 'one log' : `${count} cells, from 0 on`
    const what = `there is no cell ${beyond}: the realm \`${options.realm}\` has ${has}`
    throw new Fault('no_cell', what)
  }
  const realms = meant.map((each) => each.options.realm)
  return wanted === undefined ? realms : [...new Set(wanted)].map((index) => realms[index] ?? '')
}

/** All at once; closes them in the opposite order. */
export async function withRuntimes<T>(
  options: GlobalOptions,
  opening: LogUse,
  realms: readonly string[],
  use: (runtimes: readonly Runtime[]) => Promise<T>,
): Promise<T> {
  const [realm = options.realm, ...others] = realms
  return withRuntime({ ...options, realm }, opening, async (runtime) => {
    if (others.length === 0) return use([runtime])
    return withRuntimes(options, opening, others, (rest) => use([runtime, ...rest]))
  })
}

/** Their realms, in a few words. */
export function realmsText(all: readonly LogMeant[]): string {
  const realms = all.map(({ options }) => options.realm)
  const shownMax = 4
  return realms.length > shownMax ? `${realms[0]} to ${realms.at(-1)}` : realms.join(', ')
}

/** Refuses what is of one log, such as positions, where several are meant. */
export function refuseSeveral(all: readonly LogMeant[], what: string): void {
  if (isOne(all)) return
  throw usage(`${what} is of one cell, and there are several: name one of ${realmsText(all)}`)
}

/** Does it for each, a few at a time; what each came to, in their order. */
export async function atOnce<O extends GlobalOptions, T>(
  all: readonly LogMeant<O>[],
  use: (meant: LogMeant<O>) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = []
  for (let from = 0; from < all.length; from += atOnceMax) {
    const some = all.slice(from, from + atOnceMax)
    const using = some.map((meant) => use(meant).catch(failing(all, meant, '')))
    done.push(...valuesOf(await Promise.allSettled(using)))
  }
  return done
}

/** The same with the runtime of each. */
export function overCells<O extends GlobalOptions, T>(
  all: readonly LogMeant<O>[],
  opening: LogUse,
  use: (runtime: Runtime, meant: LogMeant<O>) => Promise<T>,
): Promise<readonly T[]> {
  return atOnce(all, (meant) =>
    withRuntime(meant.options, opening, (runtime) => use(runtime, meant)),
  )
}

/** One after the other, up to the first that fails, which reports those that are done. */
export async function inTurn<O extends GlobalOptions, T>(
  all: readonly LogMeant<O>[],
  use: (meant: LogMeant<O>) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = []
  for (const meant of all) {
    const before = all.slice(0, done.length)
    const said = before.length === 0 ? 'no cell is done' : `done: ${realmsText(before)}`
    done.push(await use(meant).catch(failing(all, meant, `; ${said}`)))
  }
  return done
}

function failing(all: readonly LogMeant[], { options }: LogMeant, after: string) {
  return (error: unknown): never => {
    if (isOne(all) || !(error instanceof Fault)) throw error
    const { code, message, retry } = error
    throw new Fault(code, `${options.realm}: ${message}${after}`, { cause: error, retry })
  }
}

/** In the order of time, then of cells: what all of them have, each in its own order. */
export function byTime<T extends { readonly appendedAt: number }>(
  each: readonly (readonly T[])[],
): readonly T[] {
  if (each.length === 1) return each.flat()
  return each.flat().toSorted((one, other) => one.appendedAt - other.appendedAt)
}

/** What is printed as JSON, with its cell where there are several. */
export function inCell(value: object, cell: number | null): object {
  return cell === null ? value : { cell, ...value }
}
