// What `warrant log` shows: the facts as they are, of which nothing is folded, so that those that
// count for nothing are here too; or what a fold of them knows.
import { exitCodes } from '#schemas/faults/exit'
import { printFacts, type FactsOptions } from './facts.ts'
import { refusePattern } from '#client/reading/names-meant'
import { listVoid } from './void.ts'
import { eraOf } from '#record/names'
import { waitsOf, waitsJson } from '#present/story/waits'
import { duration } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { capabilityNamed } from '#client/reading/capability-named'
import { tooFewToAnswer, tooFewFor } from '#client/reading/log/unanswerable'
import { approvedJson, approvedLines, approvedRows } from './approved.ts'
import { byTime, inCell, overCells, type LogMeant } from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'
import { toned, type Line } from '#cli/terminal/line'

export interface LogOptions extends FactsOptions {
  readonly open?: boolean
  readonly eras?: boolean
  readonly void?: boolean
}

export async function log(given: LogOptions): Promise<number> {
  const options = given.issue === undefined ? given : { name: 'grounding.>', ...given }
  if (options.open === true) return listOpen(options)
  if (options.eras === true) return listEras(options)
  const { name, realm } = options
  if (name !== undefined) refusePattern(name, realm)
  if (options.void === true) return listVoid(options)
  await printFacts(options)
  return exitCodes.yes
}

// Lists the intents that have no verdict, and who must answer; and the eras. Both are of each cell
// of a realm, where it has several.

interface OpenOptions extends GlobalOptions {
  readonly limit?: number
}

async function listOpen(options: OpenOptions): Promise<number> {
  const found = await overCells(options, { reads: true }, async (runtime, meant) => ({
    open: await rowsOf(runtime, meant),
    approved: await approvedRows(runtime, meant.cell),
    unended: unendedRows(runtime, meant.cell),
  }))
  const each = found.map(({ open }) => open)
  const rows = byTime(each).slice(0, options.limit)
  const approved = found.flatMap((one) => one.approved)
  const unended = found.flatMap((one) => one.unended)
  if (options.json === true) {
    for (const { intent, position, ageMs, tool, waits, unanswerable, cell } of rows) {
      await printJson(inCell({ intent, position, ageMs, tool, waits, unanswerable }, cell))
    }
    for (const row of approved) await printJson(approvedJson(row))
    for (const row of unended) await printJson(unendedJson(row))
    return exitCodes.yes
  }
  if (rows.length === 0) await print(['no intent is open'])
  else {
    const lines = rows.map(({ intent, ageMs, tool, waits, unanswerable, cell }) => {
      const what = `${waits.text}${tooFewToAnswer(unanswerable)}`
      return withCell([duration(ageMs), tool, what, intent], cell)
    })
    await print(tableLines(headOf(['age', 'tool', 'waits for', 'intent'], each), lines))
  }
  await print(approvedLines(approved, each.length > 1))
  await print(unendedLines(unended, each.length > 1))
  return exitCodes.yes
}

interface OpenRow {
  readonly intent: string
  readonly position: number
  readonly appendedAt: number
  readonly ageMs: number
  readonly tool: string
  readonly waits: ReturnType<typeof waitsJson>
  /** Of whom too few can answer; null where enough can. */
  readonly unanswerable: ReturnType<typeof tooFewFor>
  readonly cell: number | null
}

async function rowsOf(
  runtime: Runtime,
  { options, cell }: LogMeant<OpenOptions>,
): Promise<readonly OpenRow[]> {
  const { follower, clock } = runtime
  const now = clock.now()
  const open = [...follower.state.intents.values()].slice(0, options.limit)
  const rows: OpenRow[] = []
  for (const intent of open) {
    const { address, position, appendedAt } = intent
    const waits = waitsJson(waitsOf(follower.state, intent, now))
    const { people } = waits
    const unanswerable = tooFewFor(follower.state, intent, { people, now })
    const ageMs = Math.max(0, now - appendedAt)
    const tool = await capabilityNamed(runtime, intent)
    rows.push({ intent: address, position, appendedAt, ageMs, tool, waits, unanswerable, cell })
  }
  return rows
}

async function listEras(options: GlobalOptions): Promise<number> {
  const each = await overCells(options, { reads: true }, (runtime, { cell }) =>
    Promise.resolve(erasIn(runtime).map((row) => ({ ...row, cell }))),
  )
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
  await print(tableLines(headOf(['era', 'from', 'to', 'open intents', 'state'], each), lines))
  return exitCodes.yes
}

function erasIn({ follower }: Runtime) {
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
  }))
}

function headOf(head: readonly string[], each: readonly unknown[]): readonly string[] {
  return each.length > 1 ? ['cell', ...head] : head
}

function withCell(row: readonly string[], cell: number | null): readonly string[] {
  return cell === null ? row : [String(cell), ...row]
}

// Calls that a gateway has begun and not ended, and those of which no one knows whether they were
// done: shown beside what is open, since a person must look.

interface UnendedRow {
  readonly intent: string
  readonly agent: string
  readonly tool: string
  /** Whether it has ended without anyone knowing how. */
  readonly isUnknown: boolean
  /** The gateway that runs it; null where it has ended. */
  readonly gateway: string | null
  /** Since its outcome; null while it runs. */
  readonly ageMs: number | null
  readonly cell: number | null
}

function unendedRows({ follower, clock }: Runtime, cell: number | null): readonly UnendedRow[] {
  const now = clock.now()
  const { running, unsettled } = follower.state
  return [
    ...[...running.values()].map(({ address: intent, agent, capability: tool, gateway }) => {
      return { intent, agent, tool, isUnknown: false, gateway, ageMs: null, cell }
    }),
    ...[...unsettled.values()].map(({ address: intent, agent, capability: tool, appendedAt }) => {
      const ageMs = Math.max(0, now - appendedAt)
      return { intent, agent, tool, isUnknown: true, gateway: null, ageMs, cell }
    }),
  ]
}

function unendedLines(rows: readonly UnendedRow[], hasCells: boolean): readonly Line[] {
  if (rows.length === 0) return []
  const head = ['age', 'tool', 'agent', '', 'intent']
  const lines = rows.map(({ ageMs, tool, agent, isUnknown, gateway, intent, cell }) => {
    const text = isUnknown ? 'no one knows whether it was done' : `run by ${gateway ?? 'a gateway'}`
    const row = [ageMs === null ? '' : duration(ageMs), tool, agent, text, intent]
    return hasCells ? [String(cell), ...row] : row
  })
  const isAnyUnknown = rows.some(({ isUnknown }) => isUnknown)
  return [
    '',
    toned('strong', 'begun by a gateway, and not ended or not known'),
    ...tableLines(hasCells ? ['cell', ...head] : head, lines),
    ...(isAnyUnknown ? ['look there, then: warrant settle INTENT --happened yes|no'] : []),
  ]
}

function unendedJson({ cell, gateway, isUnknown, ...row }: UnendedRow): object {
  const { intent, agent, tool, ageMs } = row
  return inCell({ intent, agent, tool, ageMs, call: { gateway, isUnknown } }, cell)
}
