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
import { readData } from '#record/event'
import { partsInRealm, type Place } from '#record/names'
import type { Fact } from '#ports/log'
import { requestInvalid } from '#serving/problem'
import { allKinds, isKind, type Kind } from '#schemas/kinds'
import { ReasonCode } from '#schemas/reasons'
import { meaning, patternsFor, type FindOptions } from '#client/reading/found'
import { outcomesMeant, type OutcomeMeant } from '#client/reading/meant'
import { timeMeant, timeSpelling } from '#client/reading/moment'
import { patternsMeant } from '#client/reading/names-meant'
import { whereIn } from '#client/reading/where'

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

// What a search of the console means: the filters of `warrant log`, and beside them whose word a
// fact is and of which rule it speaks.

type SearchAsked = z.output<typeof SearchQuery>

interface SearchedFor {
  /** Patterns of the names among which alone it is found; undefined for all. */
  readonly names: readonly string[] | undefined
  isMeant(fact: Fact): Promise<boolean>
  /** For how many `where` could not be worked out. */
  failed(): number
}

function searchedFor(
  query: SearchAsked,
  of: { readonly asked: IntentsAsked; readonly now: number; readonly place: Place },
): SearchedFor {
  const { asked, now, place } = of
  const options = optionsIn(query, now)
  const where = query.where === undefined ? null : whereIn(query.where)
  const isFound = meaning({ place, asked }, options, where)
  const kinds = query.kind === undefined ? null : wordsIn(query.kind).map(kindOf)
  const people = query.person === undefined ? null : wordsIn(query.person)
  const rules = query.rule === undefined ? null : wordsIn(query.rule)
  const ofKinds = (kinds ?? []).map((kind) => `${kind}.>`)
  return {
    names: kinds === null ? patternsFor(place, options) : patternsMeant(place, ofKinds),
    failed: () => where?.failed.count ?? 0,
    async isMeant(fact) {
      const kind = partsInRealm(fact.name, place.realm)?.kind ?? null
      if (people !== null && !isBy(fact, kind, people)) return false
      if (rules !== null && !speaksOf(fact, kind, rules)) return false
      return isFound(fact)
    },
  }
}

function optionsIn(query: SearchAsked, now: number): FindOptions {
  const { agent, tool, outcome, reason, since, until } = query
  return {
    ...(agent !== undefined && { agent: wordsIn(agent) }),
    ...(tool !== undefined && { tool: wordsIn(tool) }),
    ...(outcome !== undefined && { outcome: wordsIn(outcome).map(outcomeOf) }),
    ...(reason !== undefined && { reason: wordsIn(reason).map(reasonOf) }),
    ...(since !== undefined && { since: timeOf(since, now) }),
    ...(until !== undefined && { until: timeOf(until, now) }),
  }
}

function wordsIn(text: string): readonly string[] {
  return text.split(',').filter((word) => word !== '')
}

function outcomeOf(text: string): OutcomeMeant {
  const outcome = outcomesMeant.find((one) => one === text)
  if (outcome !== undefined) return outcome
  throw requestInvalid(400, `\`outcome\` is one of ${outcomesMeant.join(', ')}`)
}

function reasonOf(text: string): string {
  if (ReasonCode.safeParse(text).success) return text
  throw requestInvalid(400, '`reason` takes the codes of reasons')
}

function kindOf(text: string): Kind {
  if (isKind(text)) return text
  throw requestInvalid(400, `\`kind\` is one of ${allKinds.join(', ')}`)
}

function timeOf(text: string, now: number): number {
  const time = timeMeant(text, now)
  if (time !== null) return time
  throw requestInvalid(400, `\`since\` and \`until\` take ${timeSpelling}`)
}

/** Whether one of those people answered, ruled or signed it, or was confirmed by. */
function isBy(fact: Fact, kind: Kind | null, people: readonly string[]): boolean {
  if (kind === 'verdict') {
    const { release } = readData('verdict', fact) ?? {}
    return release?.confirmedBy.some((one) => people.includes(one)) === true
  }
  const data = membersOf(membersOf(readContentOf(fact.bytes)).get('data'))
  const names = [data.get('confirmer'), data.get('by')]
  return names.some((one) => typeof one === 'string' && people.includes(one))
}

/** Whether one of those rules, or policies of the graph, refused it or asked about it. */
function speaksOf(fact: Fact, kind: Kind | null, rules: readonly string[]): boolean {
  const isOne = (one: unknown): boolean => typeof one === 'string' && rules.includes(one)
  if (kind === 'verdict') {
    const { reasons = [] } = readData('verdict', fact) ?? {}
    return reasons.some(({ params }) => isOne(params['rule']) || isOne(params['policy']))
  }
  if (kind !== 'review') return false
  const { questions = [] } = readData('review', fact) ?? {}
  return questions.some(({ rule, policy }) => isOne(rule) || isOne(policy))
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}
