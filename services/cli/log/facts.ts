// Prints the facts of a log as they are, or those of all cells of a realm by time. What all cells
// share is in the log of each, and is printed once: from their control log.
import type { VlpIssueCode } from '#schemas/vlp'
import { isShared, type Place } from '#core/kernel/names'
import type { Fact, Log } from '#ports/log'
import { issuesIn } from '#runtime/operations/reported'
import { usage } from '../terminal/failure.ts'
import { write } from '../terminal/terminal.ts'
import { visible } from '../terminal/line.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { withControl, logsMeant, refusePositions, type LogMeant } from '../opening/cells/logs.ts'
import { asTheyCome, lastOf, mergedByTime } from '../opening/cells/merged.ts'
import { withLogs } from '../opening/opened.ts'
import { isMeantBy, patternsMeant } from './names-meant.ts'
import { factJson, factLine } from './print.ts'
import type { MeantFacts } from './void.ts'

export interface FactsOptions extends MeantFacts {
  readonly issue?: VlpIssueCode
  readonly follow?: boolean
}

/** One of the logs that are printed. */
interface Source {
  readonly log: Log
  readonly place: Place
  readonly cell: number | null
}

interface Found {
  readonly fact: Fact
  readonly of: Source
}

/** What is asked, and until when. */
interface Asked {
  readonly options: FactsOptions
  readonly signal: AbortSignal
}

export async function printFacts(options: FactsOptions): Promise<void> {
  const cells = await logsMeant(options)
  refuseRange(options, cells)
  const all = withControl(options, cells)
  await withLogs(
    all.map((each) => each.options),
    async (opened) => {
      const interrupt = onInterrupt()
      const sources = opened.map((each, index) => ({ ...each, cell: all[index]?.cell ?? null }))
      try {
        const asked = { options, signal: interrupt.signal }
        const [only] = sources
        const isOne = only !== undefined && sources.length === 1
        const found = isOne ? await inOne(only, asked) : inAll(sources, asked)
        await show(found, options, sources.length > 1)
      } finally {
        interrupt.release()
      }
    },
  )
}

const lastMax = 100_000

function refuseRange({ from = -1, to }: FactsOptions, all: readonly LogMeant[]): void {
  if (from > 0) refusePositions(all, '--from a position')
  if (to !== undefined) refusePositions(all, '--to')
  if (all.length > 1 && from < -lastMax)
    throw usage(`--from takes at most the last ${lastMax} facts of several cells`)
}

async function inOne(of: Source, { options, signal }: Asked): Promise<AsyncIterable<Found>> {
  const { log } = of
  const { to, follow } = options
  const from = await startOf(log, options.from ?? 1)
  if (follow === true) return factsIn(of, log.follow(from, signal))
  const range = to === undefined ? { from } : { from, to }
  return factsIn(of, log.read(range, patternsFor(of, options)))
}

function patternsFor({ place }: Source, { name }: FactsOptions): readonly string[] | undefined {
  return name === undefined ? undefined : patternsMeant(place, name)
}

async function* inAll(sources: readonly Source[], asked: Asked): AsyncGenerator<Found, void, void> {
  const { options, signal } = asked
  const { from = 1, follow = false } = options
  const ends = await Promise.all(sources.map(async ({ log }) => (await log.head()).position))
  const there = sources.map((of, index) => {
    const to = ends[index] ?? 0
    const range = { from: from < 0 ? Math.max(1, to + 1 + from) : 1, to }
    // The last of all are counted before they are chosen by name.
    return factsIn(of, of.log.read(range, from < 0 ? undefined : patternsFor(of, options)))
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

async function startOf(log: Log, from: number): Promise<number> {
  if (from > 0) return from
  const { position } = await log.head()
  return Math.max(1, position + 1 + from)
}

const waitingCharactersMax = 65_536

async function show(
  facts: AsyncIterable<Found>,
  options: FactsOptions,
  hasCells: boolean,
): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY, issue } = options
  const isMeant = meantBy(options)
  let count = 0
  let waiting = ''
  for await (const { fact, of } of facts) {
    if (fact.position > to) break
    if (!isMeant(fact.name, of)) continue
    if (issue !== undefined && !issuesIn(fact.bytes).includes(issue)) continue
    waiting += `${lineOf(fact, of, { options, hasCells })}\n`
    count += 1
    // Anyone who follows gets each fact at once; anyone who reads, as many as go well in one piece.
    if (options.follow === true || waiting.length >= waitingCharactersMax) {
      await write(waiting)
      waiting = ''
    }
    if (count >= limit || fact.position >= to) break
  }
  await write(waiting)
}

function meantBy({ name }: FactsOptions): (name: string, of: Source) => boolean {
  if (name === undefined) return () => true
  const known = new Map<Source, (found: string) => boolean>()
  return (one, where) => {
    const isMeant = known.get(where) ?? isMeantBy(where.place.realm, name)
    known.set(where, isMeant)
    return isMeant(one)
  }
}

function lineOf(
  fact: Fact,
  { place, cell }: Source,
  { options, hasCells }: { readonly options: FactsOptions; readonly hasCells: boolean },
): string {
  const { json, realm } = options
  if (json === true) return JSON.stringify(factJson(fact, hasCells ? cell : undefined))
  return visible(factLine(fact, place.realm, realm))
}
