// What a search of the console means: the filters of `warrant log`, and beside them whose word a
// fact is and of which rule it speaks.
import { readData } from '#record/event'
import { partsInRealm, type Place } from '#record/names'
import type { Fact } from '#ports/log'
import { requestInvalid } from '#serving/problem'
import type { SearchQuery } from '#schemas/console/reading'
import { allKinds, isKind, type Kind } from '#schemas/kinds'
import { ReasonCode } from '#schemas/reasons'
import type { IntentsAsked } from '#client/reading/asked-for'
import { readContentOf } from '#client/reading/fact-shown'
import { meaning, patternsFor, type FindOptions } from '#client/reading/found'
import { outcomesMeant, type OutcomeMeant } from '#client/reading/meant'
import { timeMeant, timeSpelling } from '#client/reading/moment'
import { patternsMeant } from '#client/reading/names-meant'
import { whereIn } from '#client/reading/where'
import type { z } from 'zod'

type SearchAsked = z.output<typeof SearchQuery>

export interface SearchedFor {
  /** Patterns of the names among which alone it is found; undefined for all. */
  readonly names: readonly string[] | undefined
  isMeant(fact: Fact): Promise<boolean>
  /** For how many `where` could not be worked out. */
  failed(): number
}

export function searchedFor(
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
