// Lists the jobs that were set aside. Whether one is still open is what the fold says.
import { utc } from '#present/wording'
import { exitCodes } from '#schemas/faults/exit'
import { asideJob, faultFacts, type AsideJob } from '#client/reading/log/set-aside'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'
import {
  byTime,
  inCell,
  isOne,
  overCells,
  withWholeLogs,
  type LogMeant,
} from '#cli/terminal/opening/cells/logs'

export interface FaultsOptions extends GlobalOptions {
  readonly open?: boolean
}

const whyCharactersMax = 100

export function listFaults(options: FaultsOptions): Promise<number> {
  return withWholeLogs(options, ({ cells }) => listIn(options, cells))
}

async function listIn(options: FaultsOptions, cells: readonly LogMeant[]): Promise<number> {
  const each = await overCells(cells, { reads: true }, async (runtime, { cell }) => {
    const found: ListedJob[] = []
    for await (const fact of faultFacts(runtime)) {
      const aside = asideJob(runtime, fact)
      if (options.open !== true || aside.open) {
        found.push({ aside, cell, appendedAt: fact.appendedAt })
      }
    }
    return found
  })
  const listed = byTime(each)
  const json = options.json === true
  if (json) for (const { aside, cell } of listed) await printJson(inCell(aside, cell))
  else if (listed.length === 0) await print(['no job was set aside'])
  else await print(tableLines(headOf(!isOne(cells)), listed.map(rowOf)))
  return exitCodes.yes
}

interface ListedJob {
  readonly aside: AsideJob
  readonly cell: number | null
  readonly appendedAt: number
}

function headOf(hasCells: boolean): readonly string[] {
  const head = ['position', 'when', 'stage', 'open', 'about', 'why']
  return hasCells ? ['cell', ...head] : head
}

function rowOf({ aside, cell }: ListedJob): readonly string[] {
  const { position, appendedAt, queue, open, about, code, message } = aside
  const why = `${code}: ${message}`
  const short = why.length > whyCharactersMax ? `${why.slice(0, whyCharactersMax)}…` : why
  const when = utc(Date.parse(appendedAt))
  const row = [String(position), when, queue, open ? 'yes' : 'no', about, short]
  return cell === null ? row : [String(cell), ...row]
}
