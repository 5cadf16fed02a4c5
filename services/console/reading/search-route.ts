// Facts that are searched for, from the newest back, with the filters of `warrant log`. A page
// takes so much time and no more, and says where it ended.
import type { Hono } from 'hono'
import { SearchQuery, type FactAnswer, type FoundAnswer } from '#schemas/console/reading'
import type { LogPositions } from '#schemas/console/positions'
import { intentsAsked, type IntentsAsked } from '#client/reading/asked-for'
import { readContentOf } from '#client/reading/fact-shown'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { ofCell, positionsNow } from '../logs.ts'
import { addFor, queryAsked } from '../routed.ts'
import { forgedInRows } from './forged-rows.ts'
import { newestFirst, type FoundIn } from './newest-first.ts'
import { searchedFor } from './searched-for.ts'

const searchCost = 5
/** So long one page may look. */
const msMax = 3_000

export function addSearch(app: Hono, on: ConsoleOn): void {
  const answer = async (query: z.output<typeof SearchQuery>) => found(on, query)
  addFor(
    app,
    on,
    'search',
    async ({ c }) => c.json(await answer(queryAsked(c, SearchQuery))),
    searchCost,
  )
}

async function found(on: ConsoleOn, query: z.output<typeof SearchQuery>): Promise<FoundAnswer> {
  const now = on.runtime.clock.now()
  const searched = new Map(
    on.logs.map((at) => {
      const { log, place } = at.runtime
      const asked = intentsAsked(log, place)
      return [at, { asked, wanted: searchedFor(query, { asked, now, place }) }]
    }),
  )
  const position = positionsNow(on)
  const until = performance.now() + msMax
  const reading = newestFirst(on, {
    before: query.before,
    names: (at) => searched.get(at)?.wanted.names,
  })
  const rows: FoundIn[] = []
  const ended = async (next: LogPositions | null, isWhole: boolean): Promise<FoundAnswer> => {
    const failed = [...searched.values()].reduce((sum, { wanted }) => sum + wanted.failed(), 0)
    const page = await pageOf(on, rows, (at) => searched.get(at)?.asked ?? null)
    return { position, ...page, next, isWhole, failed }
  }
  for await (const one of reading.facts) {
    if (one === null && performance.now() >= until) return ended(reading.next(), false)
    const of = one === null ? undefined : searched.get(one.at)
    if (one === null || of === undefined || !(await of.wanted.isMeant(one.fact))) continue
    rows.push(one)
    if (rows.length >= query.limit) return ended(reading.next(), true)
  }
  return ended(null, true)
}

/** What was found as it is shown, with allows derived again. */
async function pageOf(
  on: ConsoleOn,
  rows: readonly FoundIn[],
  askedIn: (at: ConsoleOn) => IntentsAsked | null,
): Promise<Pick<FoundAnswer, 'facts' | 'asRecorded'>> {
  const { why, left: asRecorded } = await forgedInRows(on, rows)
  const facts: FactAnswer[] = []
  for (const row of rows) facts.push(await shown(row, askedIn(row.at), why.get(row.fact.name)))
  return { facts, asRecorded }
}

async function shown(
  { at, fact }: FoundIn,
  asked: IntentsAsked | null,
  forged: string | undefined,
): Promise<FactAnswer> {
  const { position, appendedAt, name, bytes } = fact
  const of = (await asked?.of(fact)) ?? null
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
    ...(of !== null && { tool: of.tool }),
    fact: readContentOf(bytes),
    ...(forged !== undefined && { void: forged }),
    ...ofCell(at),
  }
}
