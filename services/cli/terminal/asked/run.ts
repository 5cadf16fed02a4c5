// Asks the realm that the options mean, and prints the answer: as JSON the whole of it, else what
// is shown of it.
import { systemClock } from '#system/clock'
import { cellIn, type Place } from '#record/names'
import { Fault } from '#record/fault'
import { askRealm, readsWhole } from '#operations/answers'
import type { AnswerHere } from '#operations/answering'
import type { Asker, Realm, RealmLog } from '#operations/realm'
import { indentedLines, toned, type Line, type OnScreen } from '#present/lines'
import type { Runtime } from '#runtime/engine/runtime'
import { wholeStateAt, type Moment } from '#replay/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import { inputFields } from '#schemas/operations/fields'
import type { Operation } from '#schemas/operations/operation'
import {
  operations,
  type OperationInput,
  type OperationName,
  type OperationTable,
} from '#schemas/operations/table'
import { realmOf } from '#client/asked'
import { findIntent } from '#operations/finding/intent-named'
import { cellOfIntent } from '../opening/cells/intent-cell.ts'
import {
  isOne,
  logsMeant,
  refuseSeveral,
  wholeLogs,
  withRuntimes,
  type LogMeant,
} from '../opening/cells/logs.ts'
import type { MomentOptions } from '../opening/moment.ts'
import { rootKeyFor, withOneLog, withRuntime } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { usage } from '../failure.ts'
import { tableBlocks } from '../table.ts'
import { print, printJson } from '../terminal.ts'
import { wrapped } from '../width.ts'

export type AskedOptions = GlobalOptions & MomentOptions & Readonly<Record<string, unknown>>

interface Question {
  readonly name: OperationName
  /** Of whose list it is one, or that list. */
  readonly list: OperationName
  /** The argument of the command. */
  readonly meant: string | undefined
}

export async function askAndPrint(question: Question, options: AskedOptions): Promise<number> {
  const { answer, shown, lost } = await answerMeant(question, options)
  if (options.json === true) await printJson(answer)
  else await printShown(shown())
  return endOf({ lost })
}

/** The exit code; what keeps logs from being read is thrown once the rest is printed. */
export function endOf({ lost = null }: Pick<AnswerThere<Operation['output']>, 'lost'>): number {
  if (lost !== null) throw lost
  return exitCodes.yes
}

export async function printShown(shown: readonly OnScreen[]): Promise<void> {
  await print(wrapped(linesOnScreen(shown)))
}

export function askOne<Name extends OperationName>(
  name: Name,
  given: OperationInput<Name>,
  { runtime, cell }: { readonly runtime: Runtime; readonly cell: number | null },
): Promise<AnswerHere<OperationTable[Name]['output']>> {
  const realm = realmNow([logWith(runtime, cell === null ? null : runtime.place)])
  return askRealm(name, { realm, by: readsWhole }, given)
}

function answerMeant(
  { name, list, meant }: Question,
  options: AskedOptions,
): Promise<AnswerThere<Operation['output']>> {
  const asked: Operation = operations[name]
  if (name !== list) refuseOthers(operations[list], asked, options)
  const given = (argument: string | undefined) => givenIn(asked, argument, options)
  if (asked.ofState === true && options.at !== undefined) {
    return inThePast(options, options.at, (realm) =>
      askRealm(name, { realm, by: readsWhole }, given(meant)),
    )
  }
  if (asked.means === 'intent' && meant !== undefined) {
    return aboutIntent(options, meant, (realm, address) => {
      return askRealm(name, { realm, by: readsWhole }, given(address))
    })
  }
  return askCells(name, given(meant), options)
}

/** An answer of the logs that can be opened, and what keeps others from it. */
type AnswerThere<Output extends Operation['output']> = AnswerHere<Output> & {
  readonly lost?: Fault | null | undefined
}

/** Of the logs of all cells that can be opened, as they are now. */
export async function askCells<Name extends OperationName>(
  name: Name,
  given: object,
  options: GlobalOptions,
  asker: (runtimes: readonly Runtime[]) => Promise<Asker> = () => Promise.resolve(readsWhole),
): Promise<AnswerThere<OperationTable[Name]['output']>> {
  const { cells, lost } = await wholeLogs(options)
  if (lost !== null && cells.length === 0) throw lost
  const realms = cells.map((each) => each.options.realm)
  const answer = await withRuntimes(
    options,
    { reads: true, shows: true },
    realms,
    async (runtimes) => {
      return askRealm(name, { realm: realmOn(runtimes, cells), by: await asker(runtimes) }, given)
    },
  )
  return { ...answer, lost }
}

/** The logs of all cells, or the only one, as they are now. */
export function realmOn(runtimes: readonly Runtime[], cells: readonly LogMeant[]): Realm {
  const isOnly = isOne(cells)
  return realmNow(runtimes.map((runtime) => logWith(runtime, isOnly ? null : runtime.place)))
}

/** The options that the operation takes, and its argument. */
export function givenIn(
  asked: Operation,
  argument: string | undefined,
  options: AskedOptions,
): object {
  const given = inputFields(asked).flatMap(({ name, isInPath }) => {
    const value = isInPath ? argument : options[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** Refuses what only the list takes. */
function refuseOthers(list: Operation, asked: Operation, options: AskedOptions): void {
  const own = new Set(inputFields(asked).map(({ name }) => name))
  const stray = inputFields(list).find(({ name }) => !own.has(name) && options[name] !== undefined)
  if (stray !== undefined) throw usage(`--${stray.name} is of the list: name none of it`)
}

function realmNow(logs: readonly RealmLog[]): Realm {
  return realmOf(logs, systemClock.now())
}

/** `place`: where there are several, to say of which cell it is. */
function logWith({ log, follower, callbacks }: Runtime, place: Place | null): RealmLog {
  const cell = place === null ? null : cellIn(place.realm)
  return { log, state: follower.state, callbacks, ...(cell !== null && { cell: cell.index }) }
}

async function inThePast<T>(
  options: AskedOptions,
  moment: Moment,
  ask: (realm: Realm) => Promise<T>,
): Promise<T> {
  refuseSeveral(await logsMeant(options), '--at')
  return withOneLog(options, async (log, { realm }) => {
    const state = await wholeStateAt({ log, realm, rootKey: rootKeyFor(options) }, moment)
    return ask(realmNow([{ log, state }]))
  })
}

/** By the end of its address, in the cell that has it. */
async function aboutIntent<T>(
  options: AskedOptions,
  meant: string,
  ask: (realm: Realm, address: string) => Promise<T>,
): Promise<T> {
  const at = await cellOfIntent(options, meant, 'any')
  const isOnly = at.options.realm === options.realm
  return withRuntime(at.options, { reads: true, shows: true }, async (runtime) => {
    const address = await addressMeant(runtime, at.meant)
    return ask(realmNow([logWith(runtime, isOnly ? null : runtime.place)]), address)
  })
}

/** As it was given where no intent is meant: what is asked for says that there is none. */
async function addressMeant({ log, place }: Runtime, meant: string): Promise<string> {
  try {
    return await findIntent(log, place, meant)
  } catch (error) {
    if (error instanceof Fault && error.code === 'no_intent') return meant
    throw error
  }
}

export function linesOnScreen(shown: readonly OnScreen[]): readonly Line[] {
  return shown.flatMap((one): readonly Line[] => {
    if (typeof one === 'string' || 'text' in one) return [one]
    const { head, rows, indent = 0 } = one
    const { top, blocks } = tableBlocks(
      head,
      rows.map(({ cells }) => cells),
    )
    const lines = blocks.flatMap((block, place) => {
      return block.map((line) => toned(rows[place]?.tone ?? 'plain', line))
    })
    return indent === 0 ? [...top, ...lines] : indentedLines([...top, ...lines])
  })
}
