// Which logs are meant where a realm has several cells: each cell has its own. They are opened a
// few at a time or in turn, and what fails is reported with its cell.
import { Fault } from '#record/fault'
import { realmsAt } from '#runtime/logs/cells'
import type { Runtime } from '#runtime/engine/runtime'
import { usage } from '../../failure.ts'
import { locate, valuesOf, withRuntime, type LogUse } from '../opened.ts'
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

/** The log of each cell; the only one where one is named or there are no cells. */
export async function logsMeant<O extends GlobalOptions>(
  options: O,
): Promise<readonly LogMeant<O>[]> {
  const realms = await realmsAt(await locate(options), options.realm)
  if (realms.length === 0) {
    const fix = 'complete it by `warrant nats init`'
    throw new Fault('no_cell', `the realm \`${options.realm}\` has no cell yet: ${fix}`)
  }
  if (realms.length === 1) return [{ options, cell: null }]
  return realms.map((realm, cell) => ({ options: { ...options, realm }, cell }))
}

/** Behind the control log, which has what all cells share; the only one alone. */
export function withControl<O extends GlobalOptions>(
  options: O,
  all: readonly LogMeant<O>[],
): readonly LogMeant<O>[] {
  return all.length === 1 ? all : [{ options, cell: null }, ...all]
}

/** Their realms, in a few words. */
export function realmsText(all: readonly LogMeant[]): string {
  const realms = all.map(({ options }) => options.realm)
  const shownMax = 4
  return realms.length > shownMax ? `${realms[0]} to ${realms.at(-1)}` : realms.join(', ')
}

/** Refuses what is of one log, such as positions, where several are meant. */
export function refuseSeveral(all: readonly LogMeant[], what: string): void {
  if (all.length === 1) return
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
export async function overCells<O extends GlobalOptions, T>(
  options: O,
  opening: LogUse,
  use: (runtime: Runtime, meant: LogMeant<O>) => Promise<T>,
): Promise<readonly T[]> {
  return atOnce(await logsMeant(options), (meant) =>
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
    if (all.length === 1 || !(error instanceof Fault)) throw error
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
