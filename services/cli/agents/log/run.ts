// What `warrant log` shows: the facts as they are, of which nothing is folded, so that those that
// count for nothing are here too; or what a fold of them knows.
import { exitCodes } from '#schemas/faults/exit'
import { printFacts, type FactsOptions } from './facts.ts'
import { listVoid } from './void.ts'
import { eraOf } from '#record/names'
import { eraAgeText } from '#present/era-age'
import { eraNow } from '#replay/eras/rotate'
import type { Runtime } from '#runtime/engine/runtime'
import type { EraAge } from '#state/eras/due'
import { usage } from '#cli/terminal/failure'
import {
  inCell,
  isOne,
  overCells,
  withWholeLogs,
  type LogMeant,
} from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'

export interface LogOptions extends FactsOptions {
  readonly open?: boolean
  readonly only?: string
  readonly cursor?: string
  readonly eras?: boolean
  readonly void?: boolean
}

export async function log(options: LogOptions): Promise<number> {
  if (options.only !== undefined || options.cursor !== undefined) {
    throw usage('--only and --cursor are of what is open: give --open')
  }
  return withWholeLogs(options, async (logs) => {
    if (options.eras === true) return listEras(options, logs.cells)
    if (options.void === true) return listVoid(options, logs)
    await printFacts(options, logs)
    return exitCodes.yes
  })
}

// The eras of each cell of a realm.

async function listEras(options: GlobalOptions, cells: readonly LogMeant[]): Promise<number> {
  const each = await overCells(cells, { reads: true, shows: true }, async (runtime, { cell }) => {
    const age = await eraNow(runtime)
    return erasIn(runtime, age).map((row) => ({ ...row, cell }))
  })
  const rows = each.flat()
  if (options.json === true) {
    await printJson(rows.map(({ cell, last: _last, ...row }) => inCell(row, cell)))
    return exitCodes.yes
  }
  const lines = rows.map(({ era, open, from, last, state, cell }) => {
    const half = 'sealed; the next is not open: run warrant log rotate again'
    const said = state === 'half' ? half : state
    return withCell([String(era), String(from), last, String(open), said], cell)
  })
  await print(tableLines(headOf(['era', 'from', 'to', 'open intents', 'state'], cells), lines))
  const aged = rows.flatMap(({ era, age }) => (age === undefined ? [] : [eraAgeText(era, age)]))
  await print(aged)
  return exitCodes.yes
}

function erasIn({ follower }: Runtime, age: EraAge | null) {
  const { eras, sealed, position, intents } = follower.state
  const openIn = (era: number): number =>
    [...intents.values()].filter(({ name }) => eraOf(name) === era).length
  return eras.map(({ from, to }, index) => ({
    era: index + 1,
    open: openIn(index + 1),
    from: from + 1,
    to,
    // An era that has just been opened has no fact of its own.
    last: String(to ?? (from + 1 > position ? '-' : position)),
    state: to === null ? 'open' : index + 1 < eras.length || sealed === null ? 'sealed' : 'half',
    ...(to === null && age !== null && { age }),
  }))
}

function headOf(head: readonly string[], cells: readonly LogMeant[]): readonly string[] {
  return isOne(cells) ? head : ['cell', ...head]
}

function withCell(row: readonly string[], cell: number | null): readonly string[] {
  return cell === null ? row : [String(cell), ...row]
}
