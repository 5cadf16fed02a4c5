// Which facts of one log a question means, and where reading begins for it: the same for a command
// and for a protocol that asks.
import type { Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'
import { positionSince } from '#runtime/logs/seek'
import { issuesIn } from '#health/reported'
import type { VlpIssueCode } from '#schemas/vlp'
import type { IntentsAsked } from './asked-for.ts'
import { isFound, namesFor, type FilterOptions } from './meant.ts'
import { isMeantBy, patternsMeant } from './names-meant.ts'
import type { Where } from './where.ts'

export interface FindOptions extends FilterOptions {
  /** A pattern without realm and era. */
  readonly name?: string
  /** From 1; -20 means the last 20. */
  readonly from?: number
  readonly issue?: VlpIssueCode
}

/** The log that is asked. */
export interface FindSource {
  readonly place: Place
  readonly asked: IntentsAsked
}

/** The patterns of names that are meant, without realm and era; undefined for all. */
function meantNames(options: FindOptions): readonly string[] | undefined {
  return options.name === undefined ? namesFor(options) : [options.name]
}

/** The same for a log that is read; undefined for all. */
export function patternsFor(place: Place, options: FindOptions): readonly string[] | undefined {
  const names = meantNames(options)
  return names === undefined ? undefined : patternsMeant(place, names)
}

/** The later of what `from` and `since` say. */
export async function startOf(
  { log, place }: { readonly log: LogReader; readonly place: Place },
  { from = 1, since }: Pick<FindOptions, 'from' | 'since'>,
): Promise<number> {
  const { position } = from > 0 ? { position: 0 } : await log.head()
  const first = from > 0 ? from : Math.max(1, position + 1 + from)
  return since === undefined ? first : Math.max(first, await positionSince(log, place, since))
}

/** Asks of each fact of a log whether it is meant; `where` is a condition in CEL, or null. */
export function meaning(
  { place, asked }: FindSource,
  options: FindOptions,
  where: Where | null,
): (fact: Fact) => Promise<boolean> {
  const names = meantNames(options)
  const isNamed = names === undefined ? null : isMeantBy(place.realm, names)
  const { issue } = options
  return async (fact) => {
    if (isNamed?.(fact.name) === false) return false
    if (issue !== undefined && !issuesIn(fact.bytes).includes(issue)) return false
    if (!(await isFound(fact, place, { options, asked }))) return false
    return where?.isMeant(fact, place.realm, await asked.of(fact)) !== false
  }
}
