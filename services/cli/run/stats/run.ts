// Asks what became of intents in numbers, of the logs of all cells, and prints it.
import { attentionShown } from '#operations/attention-counts'
import { readsWhole } from '#operations/answers'
import { countedRowsMax } from '#schemas/operations/counts'
import { operations, type OperationAnswer } from '#schemas/operations/table'
import { heldHere } from '#cli/rules/editing/held-here'
import {
  askAndPrint,
  askCells,
  endOf,
  givenIn,
  printShown,
  type AskedOptions,
} from '#cli/terminal/asked/run'
import { usage } from '#cli/terminal/failure'
import { jsonLines } from '#present/json-lines'
import { printJson, write } from '#cli/terminal/terminal'
import { mostFirst, reasonsText } from '#operations/counts'
import { csvLine, type CsvCell } from '#cli/terminal/csv'

type StatsOptions = AskedOptions & {
  readonly csv?: boolean
  /** Only what nothing was enforced of. */
  readonly observed?: boolean
  readonly luck?: boolean
  readonly proposal?: boolean
  readonly people?: boolean
  readonly rules?: boolean
  readonly by: Grouping
}

export async function stats(options: StatsOptions): Promise<number> {
  const { observed, people, rules, csv, luck } = options
  if (luck === true) return luckStats(options)
  const name = observed === true ? 'observedCounts' : 'counts'
  if (name === 'counts' && (people === true || rules === true)) {
    if (csv === true) throw usage('--csv is of intents: leave it out, or use --json')
    return attentionStats(options)
  }
  if (csv !== true) return askAndPrint({ name, list: name, meant: undefined }, options)
  const given = { limit: countedRowsMax, ...givenIn(operations[name], undefined, options) }
  if (name === 'counts') {
    const { answer, lost } = await askCells(name, given, options)
    await write(statsCsv(answer, options.by))
    return endOf({ lost })
  }
  const { answer, lost } = await askCells(name, given, options)
  await write(observedCsv(answer))
  return endOf({ lost })
}

/** Of people it shows those whose keys are here, or all of them to a policy admin. */
async function attentionStats(options: StatsOptions): Promise<number> {
  const given = givenIn(operations.attention, undefined, options)
  const { answer, lost } = await askCells('attention', given, options, async (runtimes) => {
    const held = await Promise.all(runtimes.map(heldHere))
    return { ...readsWhole, holds: held.flat() }
  })
  if (options.json === true) await printJson(answer)
  else await printShown(attentionShown(answer, options))
  return endOf({ lost })
}

async function luckStats(options: StatsOptions): Promise<number> {
  const { csv, proposal } = options
  if (csv === true) throw usage('--csv is of intents: leave it out, or use --json')
  if (proposal !== true) {
    return askAndPrint({ name: 'luck', list: 'luck', meant: undefined }, options)
  }
  const { answer, lost } = await askCells(
    'luck',
    givenIn(operations.luck, undefined, options),
    options,
  )
  await write(`${jsonLines(answer.demands)}\n`)
  return endOf({ lost })
}

// What is counted as rows for a spreadsheet.

export const groupings = ['tool', 'agent', 'reason', 'confirmer'] as const
type Grouping = (typeof groupings)[number]

type Counts = OperationAnswer<'counts'>

/** Rows by one of the groupings, with a head. */
function statsCsv(of: Counts, by: Grouping): string {
  return cellsBy(of, by).map(csvLine).join('')
}

function cellsBy(of: Counts, by: Grouping): readonly (readonly CsvCell[])[] {
  switch (by) {
    case 'tool':
      return tallyCells(
        by,
        of.tools.map(({ tool, ...tally }) => [tool, tally]),
      )
    case 'agent':
      return tallyCells(
        by,
        of.agents.map(({ agent, ...tally }) => [agent, tally]),
      )
    case 'reason':
      return [['reason', 'denials'], ...mostFirst(of.all.reasons)]
    case 'confirmer':
      return confirmerCells(of)
  }
}

function tallyCells(by: Grouping, rows: readonly (readonly [name: string, Counts['all']])[]) {
  const head = [by, 'intents', 'allowed', 'confirmed', 'denied', 'open', 'observed', 'reasons']
  const cells = rows.map(([name, tally]) => {
    const { intents, allowed, confirmed, denied, open, observed, reasons } = tally
    return [name, intents, allowed, confirmed, denied, open, observed, reasonsText(reasons)]
  })
  return [head, ...cells]
}

function confirmerCells({ confirmers }: Counts) {
  const rows = confirmers.map(({ confirmer, agreed, declined, timeToAnswer }) => {
    const { medianMs, p95Ms, maxMs } = timeToAnswer
    return [confirmer, agreed, declined, medianMs, p95Ms, maxMs]
  })
  return [['confirmer', 'agreed', 'declined', 'median_ms', 'p95_ms', 'longest_ms'], ...rows]
}

function observedCsv({ rows }: OperationAnswer<'observedCounts'>): string {
  const lines = rows.map(({ tool, would, reason, calls }) => [tool, would, reason ?? '', calls])
  return [['tool', 'would', 'reason', 'calls'], ...lines].map(csvLine).join('')
}
