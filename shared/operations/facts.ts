// Facts as they are listed: those that filters mean, by time. Which allows among them count for
// nothing is derived again.
import type { z } from 'zod'
import { realmNamed } from '#record/names'
import type { Fact } from '#ports/log'
import { positionSince } from '#runtime/logs/seek'
import { phraseOf } from '#present/story/sentences'
import { expiredFactsMax, forgedAmong, weighingOn } from '#replay/verdicts/forged'
import { counted, utc } from '#present/wording'
import { momentText } from '#schemas/console/positions'
import { factsAsked, type FactRow } from '#schemas/operations/facts'
import type { OperationAnswer } from '#schemas/operations/table'
import { answersOf } from './answering.ts'
import { intentsAsked, type IntentsAsked } from './finding/asked-for.ts'
import { factsByTime, type FoundIn } from './finding/by-time.ts'
import { decidedIn, decidedText } from './finding/decided.ts'
import { readContentOf } from './finding/fact-shown.ts'
import { filterIn, meaning, patternsFor, startOf, type FilterOptions } from './finding/filter.ts'
import { refuseUnknownNames } from './finding/known-names.ts'
import { whereIn } from './finding/where.ts'
import {
  answeredNow,
  firstLogOf,
  instant,
  ofLog,
  logPlaces,
  type Realm,
  type RealmLog,
} from './realm.ts'

type FactsGiven = z.output<typeof factsAsked.input>

export const factsAnswered = answersOf(factsAsked, {
  async answer({ realm }, given) {
    const { order, cursor, limit: _, content: __, ...filters } = given
    const { catalog, place } = firstLogOf(realm).state
    const options = filterIn(filters, { realm: place.realm, now: realm.now })
    await refuseUnknownNames(options, catalog, logPlaces(realm))
    const where = options.where === undefined ? null : whereIn(options.where)
    const looking = new Map(
      realm.logs.map((at) => {
        const asked = intentsAsked(at.log, at.state.place)
        return [at, { asked, isMeant: meaning({ place: at.state.place, asked }, options, where) }]
      }),
    )
    const reading = await factsByTime(realm, {
      newestFirst: order === 'newest',
      cursor,
      names: ({ state }) => patternsFor(state.place, options),
      within: (at) => withinTime(at, options),
    })
    const page = newPage(realm, given)
    for await (const one of reading.facts) {
      if ((await looking.get(one.at)?.isMeant(one.fact)) !== true) continue
      if (page.isFullWith(one)) break
    }
    const { why, left } = await weighed(realm, page.found)
    const rows: FactRow[] = []
    for (const one of page.found) {
      const of = { asked: looking.get(one.at)?.asked, why: why.get(one.fact.name) }
      const row = await rowOf(one, page.contentOf(one.fact), of)
      rows.push(options.decisions === true ? await decided(row, one, of.asked) : row)
    }
    return {
      ...answeredNow(realm),
      rows,
      next: reading.next(),
      isWhole: !reading.hasStopped(),
      unclear: where?.failed.count ?? 0,
      asRecorded: left,
    }
  },
  shown: factsOnScreen,
})

/** In the first era times only grow, so what is later than `until` need not be read. */
async function withinTime(at: RealmLog, options: FilterOptions) {
  const { log, state } = at
  const { place, position } = state
  const from = await startOf({ log, place }, { since: options.since })
  const isOrdered = options.until !== undefined && place.era === 1
  const to = isOrdered ? (await positionSince(log, place, options.until + 1)) - 1 : position
  return { from, to }
}

const pageBytesDefault = 1_048_576

/** As much as a page holds: so many rows, and so many bytes. */
function newPage(
  { pageBytesMax = pageBytesDefault }: Realm,
  { limit, content }: Pick<FactsGiven, 'limit' | 'content'>,
) {
  const found: FoundIn[] = []
  let bytes = 0
  const contentOf = ({ bytes: of }: Fact): Pick<FactRow, 'fact' | 'cut'> => {
    if (content !== true) return {}
    return of.length > pageBytesMax ? { cut: true } : { fact: readContentOf(of) }
  }
  return {
    found,
    contentOf,
    isFullWith(one: FoundIn): boolean {
      found.push(one)
      const { length } = one.fact.bytes
      bytes += one.fact.name.length + (content === true && length <= pageBytesMax ? length : 0)
      return found.length >= limit || bytes >= pageBytesMax
    },
  }
}

/** Names of facts state whose they are, so those of all logs stand in one map. */
export async function weighed(realm: Realm, found: readonly FoundIn[]) {
  const why = new Map<string, string>()
  let left = 0
  for (const at of realm.logs) {
    const there = found.filter((one) => one.at === at).map(({ fact }) => fact)
    if (there.length === 0) continue
    const forged = await (at.weigh ?? weighingIn(realm, at))(there)
    for (const [name, reason] of forged.why) why.set(name, reason)
    left += forged.left
  }
  return { why, left }
}

/** The log is folded once a page; what has expired is derived so far back and no further. */
function weighingIn({ stages, now }: Realm, { log, state, ...at }: RealmLog) {
  const expired = { factsMax: expiredFactsMax, now: () => now }
  return async (facts: readonly Fact[]) => {
    const deciders = { stages: await stages(), callbacks: at.callbacks ?? null, expired }
    return forgedAmong(weighingOn(log, state.place, deciders), facts)
  }
}

async function rowOf(
  { at, fact }: FoundIn,
  content: Pick<FactRow, 'fact' | 'cut'>,
  { asked, why }: { readonly asked: IntentsAsked | undefined; readonly why: string | undefined },
): Promise<FactRow> {
  const { position, appendedAt, name } = fact
  const of = (await asked?.of(fact)) ?? null
  return {
    position,
    appendedAt: instant(appendedAt),
    name,
    ...(of !== null && { tool: of.tool }),
    ...(why !== undefined && { void: why }),
    says: phraseOf(fact, realmNamed(name, at.state.place.realm), why),
    ...content,
    ...ofLog(at),
  }
}

async function decided(
  row: FactRow,
  { at, fact }: FoundIn,
  asked: IntentsAsked | undefined,
): Promise<FactRow> {
  const { realm } = at.state.place
  const decision = asked === undefined ? null : await decidedIn(fact, realm, asked)
  if (decision === null) return row
  // A verdict that counts for nothing keeps the phrase for it.
  const says = row.void === undefined ? decidedText(decision, row.tool ?? '') : row.says
  return { ...row, says, decision }
}

function factsOnScreen(answer: OperationAnswer<'facts'>): readonly string[] {
  const { rows, next, isWhole, unclear, asRecorded } = answer
  const lines = rows.map((row) => {
    return `${momentText(row)}  ${utc(row.appendedAt)}  ${row.name}  ${row.says}`
  })
  const more = next === null ? 'There are no more.' : `For more: cursor ${next}.`
  return [
    ...lines,
    `${counted(rows.length, 'fact')}. ${more}`,
    ...(isWhole ? [] : ['It looked no further for now.']),
    ...(unclear === 0 ? [] : [`For ${counted(unclear, 'fact')} \`where\` cannot be worked out.`]),
    ...(asRecorded === 0
      ? []
      : [`${counted(asRecorded, 'allow')} as recorded: trace them to be sure.`]),
  ]
}
