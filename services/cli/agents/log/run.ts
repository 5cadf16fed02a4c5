// What `warrant log` shows: the facts as they are, of which nothing is folded, so that those that
// count for nothing are here too; or what a fold of them knows.
import { exitCodes } from '#schemas/faults/exit'
import { listVoid, type MeantFacts } from './void.ts'
import { eraOf, isShared, isMessage, partsInRealm, type Place } from '#record/names'
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
  refuseSeveral,
  type LogMeant,
  type WholeLogs,
} from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson, note, write } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'
import { systemClock as clock } from '#system/clock'
import type { Fact, Log } from '#ports/log'
import { counted } from '#present/wording'
import { csvLine, type CsvCell } from '#cli/terminal/csv'
import { visible, textOfLine } from '#cli/terminal/line'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { asTheyCome, lastOf, mergedByTime } from '#cli/terminal/opening/cells/merged'
import { intentsAsked, type IntentsAsked } from '#operations/finding/asked-for'
import { decidedIn, decidedText } from '#operations/finding/decided'
import { ocsfEvent } from '#operations/finding/ocsf-event'
import { factJson, type FactBeside } from '#operations/finding/fact-shown'
import {
  filterIn,
  meaning,
  patternsFor,
  startOf,
  type FilterOptions,
} from '#operations/finding/filter'
import { whereIn, type Where } from '#operations/finding/where'
import { FactFilters } from '#schemas/operations/facts'
import { withLogs } from '#cli/terminal/opening/opened'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { expiredFactsMax, weighingOn, type AllowWeighing } from '#replay/verdicts/forged'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { firstProblem } from '#record/problem'
import { readData } from '#record/event'
import { canonical, jsonOf } from '#record/canonical'
import { quoted } from '#record/quote'
import { phraseOf } from '#present/story/sentences'
import { columnsOfText, terminalColumns, wrapped } from '#cli/terminal/width'
import {
  refuseUnknownNames,
  type NamedInFilter,
  type ReadLog,
} from '#operations/finding/known-names'
import type { Catalog } from '#rules/catalog/catalog'
import { looking } from '#cli/terminal/opening/known-at'

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

// Prints the facts of a log as they are, or those of all cells of a realm by time. What all cells
// share is in the log of each, and is printed once: from their control log.

// One fact on one line, for people and for programs.

const positionWidth = 7
const nameWidth = 54

/**
 * Position, time, name without what is `asked` of its realm and the first era; what it says, and of
 * which tool. On a terminal that is too narrow what it says is on a line of its own.
 */
export function factLines(
  fact: Fact,
  of: SaidOf & { readonly asked: string },
  columns: number | null = terminalColumns(process.stdout),
): readonly string[] {
  const { position, appendedAt, name } = fact
  const { asked } = of
  const prefix = name.startsWith(`${asked}.1.`) ? `${asked}.1.` : `${asked}.`
  const shown = name.startsWith(prefix) ? name.slice(prefix.length) : name
  const at = placedAt({ position, appendedAt })
  const said = phraseWithTool(fact, of)
  const line = `${at}  ${shown.padEnd(nameWidth)}  ${said}`
  if (columns === null || columnsOfText(line) <= columns) return [line]
  const indent = ' '.repeat(positionWidth + 2)
  return [`${at}  ${shown}`, ...wrapped([indent + said], columns).map(textOfLine)]
}

function placedAt({ position, appendedAt }: Pick<Fact, 'position' | 'appendedAt'>): string {
  const time = new Date(appendedAt).toISOString().slice(0, 23).replace('T', ' ')
  return `${String(position).padStart(positionWidth)}  ${time}`
}

interface SaidOf {
  readonly realm: string
  readonly tool: string | null
  /** Why its allow counts for nothing; absent where it counts, and of all else. */
  readonly forged?: string | null
}

/** What a fact says; one that is about an intent and names no tool, with the tool. */
function phraseWithTool(fact: Fact, { realm, tool, forged }: SaidOf): string {
  const phrase = phraseOf(fact, realm, forged)
  const isAsking = isMessage(partsInRealm(fact.name, realm))
  return tool === null || isAsking ? phrase : `${quoted(tool)}: ${phrase}`
}

const csvColumns = [
  'position',
  'time',
  'name',
  'kind',
  'agent',
  'tool',
  'outcome',
  'reasons',
  'text',
] as const

const decisionColumns = [
  'position',
  'time',
  'intent',
  'agent',
  'tool',
  'args',
  'outcome',
  'reasons',
  'approvedBy',
  'reason',
  'void',
] as const

function csvHead({ decisions }: FactsOptions, hasCells: boolean): string {
  const columns = decisions === true ? decisionColumns : csvColumns
  return csvLine(hasCells ? ['cell', ...columns] : columns)
}

function decisionCells(
  { position, appendedAt }: Fact,
  { asked, cell, forged, decision = null }: FactBeside,
): readonly CsvCell[] {
  return [
    ...(cell === undefined ? [] : [cell]),
    position,
    new Date(appendedAt).toISOString(),
    decision?.intent ?? null,
    decision?.agent ?? null,
    asked?.tool ?? null,
    decision === null ? null : canonical(jsonOf(decision.args)),
    decision?.outcome ?? null,
    decision?.reasons.join(' ') ?? null,
    decision?.approvedBy.join(' ') ?? null,
    decision?.reason ?? null,
    forged,
  ]
}

function factCells(
  fact: Fact,
  realm: string,
  { asked, cell, forged }: FactBeside,
): readonly CsvCell[] {
  const { position, appendedAt, name } = fact
  const kind = partsInRealm(name, realm)?.kind ?? null
  const verdict = kind === 'verdict' && forged === null ? readData('verdict', fact) : null
  const came = kind === 'outcome' || kind === 'ownoutcome' ? readData(kind, fact) : null
  return [
    ...(cell === undefined ? [] : [cell]),
    position,
    new Date(appendedAt).toISOString(),
    name,
    kind,
    asked?.agent ?? null,
    asked?.tool ?? null,
    verdict?.outcome ?? came?.outcome ?? null,
    verdict === null ? null : verdict.reasons.map(({ code }) => code).join(' '),
    phraseOf(fact, realm, forged),
  ]
}

interface FactsOptions extends Omit<MeantFacts, 'name'>, FactFilters {
  readonly follow?: boolean
  readonly csv?: boolean
  readonly format?: 'ocsf'
}

/** One of the logs that are printed. */
interface Source {
  readonly log: Log
  readonly place: Place
  readonly cell: number | null
  readonly asked: IntentsAsked
  readonly weighing: AllowWeighing
}

interface Found {
  readonly fact: Fact
  readonly of: Source
}

/** What is asked, and until when. */
interface Asked {
  readonly options: FactsOptions
  readonly filter: FilterOptions
  readonly signal: AbortSignal
}

const expired = { factsMax: expiredFactsMax, now: () => clock.now() }

async function printFacts(given: FactsOptions, whole: WholeLogs): Promise<void> {
  const options = given.format === undefined ? given : { ...given, decisions: true }
  if (given.format !== undefined && (given.csv === true || given.json === true)) {
    throw usage('--format is a form of its own: leave out --csv and --json')
  }
  const { cells, all, lost } = whole
  const filter = filterIn(filtersOf(options), { realm: options.realm, now: clock.now() })
  refuseRange(options, cells)
  // Who follows may never come to the end of it.
  if (lost !== null && options.follow === true) note(`warrant: ${lost.message}`)
  const logs = all.map((each) => each.options)
  await withDeciders(options, (deciders) =>
    withLogs(logs, async (opened) => {
      const interrupt = onInterrupt()
      const sources = opened.map((each, index) => {
        const asked = intentsAsked(each.log, each.place)
        const weighing = weighingOn(each.log, each.place, { ...deciders, expired })
        return { ...each, cell: all[index]?.cell ?? null, asked, weighing }
      })
      try {
        await refuseUnknownIn(options, opened, whole)
        const asked = { options, filter, signal: interrupt.signal }
        const [only] = sources
        const hasCells = !isOne(all)
        const found =
          hasCells || only === undefined ? inAll(sources, asked) : await inOne(only, asked)
        await show(found, asked, hasCells)
        const left = sources.reduce((sum, { weighing }) => sum + weighing.left, 0)
        if (left > 0) note(leftText(left))
      } finally {
        interrupt.release()
      }
    }),
  )
}

/** The options that say which facts are meant. */
function filtersOf(options: FactsOptions): FactFilters {
  const parsed = FactFilters.safeParse(options)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  throw usage(`--${at}: ${message}`)
}

function fromIn({ from }: FactsOptions) {
  return from === undefined ? {} : { from }
}

function leftText(left: number): string {
  const of = counted(left, 'allow')
  return `${of} of expired warrants as recorded: \`warrant log --void\` derives them again`
}

const lastMax = 100_000

function refuseRange({ from = -1, to }: FactsOptions, all: readonly LogMeant[]): void {
  if (from > 0) refuseSeveral(all, '--from a position')
  if (to !== undefined) refuseSeveral(all, '--to')
  if (!isOne(all) && from < -lastMax)
    throw usage(`--from takes at most the last ${lastMax} facts of several cells`)
}

async function inOne(
  of: Source,
  { options, filter, signal }: Asked,
): Promise<AsyncIterable<Found>> {
  const { to, follow } = options
  const from = await startOf(of, { ...filter, ...fromIn(options) })
  if (follow === true) return factsIn(of, of.log.follow(from, signal))
  const range = to === undefined ? { from } : { from, to }
  return upTo(of, factsIn(of, of.log.read(range, patternsFor(of.place, filter))), filter.until)
}

async function* inAll(sources: readonly Source[], asked: Asked): AsyncGenerator<Found, void, void> {
  const { options, filter, signal } = asked
  const { from = 1, follow = false } = options
  const { until } = filter
  const starts = await Promise.all(sources.map((of) => startOf(of, filter)))
  const ends = await Promise.all(sources.map(async (of) => (await of.log.head()).position))
  const there = sources.map((of, index) => {
    const to = ends[index] ?? 0
    const range = { from: from < 0 ? Math.max(1, to + 1 + from) : (starts[index] ?? 1), to }
    // The last of all are counted before they are chosen by name.
    const names = from < 0 ? undefined : patternsFor(of.place, filter)
    return upTo(of, factsIn(of, of.log.read(range, names)), follow || from < 0 ? undefined : until)
  })
  const inOrder = mergedByTime(there, ({ fact }) => fact.appendedAt)
  yield* from < 0 ? await lastOf(inOrder, -from) : inOrder
  if (!follow) return
  yield* asTheyCome(
    sources.map((of, index) => factsIn(of, of.log.follow((ends[index] ?? 0) + 1, signal))),
  )
}

/** Without what all cells share, which the control log has too. */
async function* factsIn(of: Source, facts: AsyncIterable<Fact>): AsyncGenerator<Found, void, void> {
  for await (const fact of facts) {
    if (of.cell === null || !isShared(fact.name, of.place.realm)) yield { fact, of }
  }
}

/** No further than the time that is asked, where none that is later has an earlier one. */
async function* upTo(of: Source, facts: AsyncIterable<Found>, until: number | undefined) {
  for await (const found of facts) {
    if (until !== undefined && found.fact.appendedAt > until && of.place.era === 1) return
    yield found
  }
}

const waitingCharactersMax = 65_536

async function show(
  facts: AsyncIterable<Found>,
  { options, filter }: Asked,
  hasCells: boolean,
): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY } = options
  const where = filter.where === undefined ? null : whereIn(filter.where)
  const isMeantIn = meaningIn(filter, where)
  let count = 0
  let waiting = options.csv === true ? csvHead(options, hasCells) : ''
  for await (const { fact, of } of facts) {
    if (fact.position > to) break
    if (!(await isMeantIn(of)(fact))) continue
    waiting += await lineOf(fact, of, { options, hasCells })
    count += 1
    // Anyone who follows gets each fact at once; anyone who reads, as many as go well in one piece.
    if (options.follow === true || waiting.length >= waitingCharactersMax) {
      await write(waiting)
      waiting = ''
    }
    if (count >= limit || fact.position >= to) break
  }
  await write(waiting)
  // On standard error, where it mixes with no answer: nothing that is found is an answer too.
  if (count === 0 && options.follow !== true) note('no fact of the log matches')
  const failed = where?.failed ?? { count: 0, first: null }
  if (failed.count > 0) note(failedText(failed))
}

// A member that an entry has not is no mistake where others have it.
function failedText({ count, first }: Where['failed']): string {
  const of = `${counted(count, 'fact')}, the first at position ${first}`
  const ask = 'ask with `has(data.…)` or `has(args.…)`, or give --name'
  return `--where cannot be worked out for ${of}: ${ask}`
}

/** Of each of the logs, what of it is meant. */
function meaningIn(filter: FilterOptions, where: Where | null) {
  const known = new Map<Source, ReturnType<typeof meaning>>()
  return (of: Source): ReturnType<typeof meaning> => {
    const isMeant = known.get(of) ?? meaning(of, filter, where)
    known.set(of, isMeant)
    return isMeant
  }
}

async function lineOf(
  fact: Fact,
  { place, cell: of, asked: askedIn, weighing }: Source,
  { options, hasCells }: { readonly options: FactsOptions; readonly hasCells: boolean },
): Promise<string> {
  const { json, csv, realm } = options
  const asked = await askedIn.of(fact)
  const forged = await weighing.forged(fact)
  const decision =
    options.decisions === true ? await decidedIn(fact, place.realm, askedIn) : undefined
  const beside = { asked, forged, cell: hasCells ? of : undefined, decision: decision ?? null }
  if (csv === true) {
    const isDecision = options.decisions === true
    return csvLine(isDecision ? decisionCells(fact, beside) : factCells(fact, place.realm, beside))
  }
  if (options.format === 'ocsf') {
    const version = packageVersion()
    const event =
      decision === undefined || decision === null
        ? null
        : ocsfEvent(fact, { ...beside, decision, tool: asked?.tool ?? null, realm, version })
    return event === null ? '' : `${JSON.stringify(event)}\n`
  }
  if (json === true) return `${JSON.stringify(factJson(fact, beside))}\n`
  const tool = asked?.tool ?? null
  const lines =
    decision === undefined || decision === null || forged !== null
      ? factLines(fact, { realm: place.realm, asked: realm, tool, forged })
      : [`${placedAt(fact)}  ${decidedText(decision, tool ?? '')}`]
  return lines.map((line) => `${visible(line)}\n`).join('')
}

// Refuses an agent or a tool that neither the catalog nor any message has, of the logs that the
// options mean.

type Meant = GlobalOptions & NamedInFilter

async function refuseUnknownIn(
  options: Meant,
  opened: readonly ReadLog[],
  { known }: WholeLogs,
): Promise<void> {
  if (options.agent === undefined && options.tool === undefined) return
  const catalog = known?.catalog ?? (await catalogOfOne(options))
  await refuseUnknownNames(options, catalog, opened)
}

function catalogOfOne(options: GlobalOptions): Promise<Catalog> {
  return looking(options, 'catalog', async ({ knownAt }) => (await knownAt(undefined)).catalog)
}
