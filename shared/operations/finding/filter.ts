// Which facts of a log are meant, and where reading begins for them: by when they were appended, by
// the agent and the tool that they are about, by what was decided and why, and by whose word they
// are. The same for a list, for lines that are followed, and for what is counted.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { partsInRealm, token, type NameParts, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'
import { issuesIn } from '#health/reported'
import { positionSince } from '#runtime/logs/seek'
import type { Kind } from '#schemas/kinds'
import { ofVerdicts, timeSpelling, type FactFilters } from '#schemas/operations/facts'
import { agentNamed, type IntentsAsked } from './asked-for.ts'
import { readContentOf } from './fact-shown.ts'
import { isInTime, type MeantTime } from './meant-of.ts'
import { timeMeant } from './moment.ts'
import { isMeantBy, patternsMeant, refusePattern } from './names-meant.ts'
import { whereIn, type Where } from './where.ts'

export type MeantGiven = Pick<FactFilters, 'since' | 'until' | 'agent' | 'tool'>

/** Which intents are meant. */
export interface MeantOptions extends Pick<MeantGiven, 'agent' | 'tool'>, MeantTime {
  /** About which this person was asked, and of the answers theirs alone. */
  readonly askedOf?: string
}

export interface FilterOptions extends Omit<FactFilters, 'since' | 'until'>, MeantTime {}

/** Throws a Fault `usage` for what is no time. */
export function meantIn({ since, until, agent, tool }: MeantGiven, now: number): MeantOptions {
  return {
    ...(since !== undefined && { since: timeIn('since', since, now) }),
    ...(until !== undefined && { until: timeIn('until', until, now) }),
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
  }
}

/** Throws a Fault `usage` for what is no time, no pattern or no condition. */
export function filterIn(
  given: FactFilters,
  { realm, now }: { readonly realm: string; readonly now: number },
): FilterOptions {
  const { since: _, until: __, ...rest } = given
  const { name, where } = rest
  if (name !== undefined) refusePattern(name, realm)
  if (where !== undefined) whereIn(where)
  return { ...rest, ...meantIn(given, now) }
}

function timeIn(what: string, text: string, now: number): number {
  const at = timeMeant(text, now)
  if (at !== null) return at
  throw new Fault('usage', `\`${what}\` takes ${timeSpelling}: '${text}' is invalid`)
}

/** The patterns of names among which alone they are found, without realm and era. */
function namesFor(options: FilterOptions): readonly string[] | undefined {
  const { name, kind, issue, outcome, reason, decisions } = options
  if (decisions === true) return ['verdict.>']
  if (name !== undefined) return [name]
  if (kind !== undefined) return kind.map((one) => `${one}.>`)
  if (issue !== undefined) return ['grounding.>']
  if (reason !== undefined) return ['verdict.>']
  if (outcome === undefined) return undefined
  return [
    ...(outcome.some((one) => ofVerdicts.has(one)) ? ['verdict.>'] : []),
    ...(outcome.every((one) => ofVerdicts.has(one)) ? [] : ['outcome.>', 'ownoutcome.>']),
  ]
}

/** The same for a log that is read; undefined for all. */
export function patternsFor(place: Place, options: FilterOptions): readonly string[] | undefined {
  const names = namesFor(options)
  return names === undefined ? undefined : patternsMeant(place, names)
}

/** The later of what `from` and `since` say; -20 means the last 20. */
export async function startOf(
  { log, place }: { readonly log: LogReader; readonly place: Place },
  { from = 1, since }: { readonly from?: number; readonly since?: number | undefined },
): Promise<number> {
  const { position } = from > 0 ? { position: 0 } : await log.head()
  const first = from > 0 ? from : Math.max(1, position + 1 + from)
  return since === undefined ? first : Math.max(first, await positionSince(log, place, since))
}

/** The log that is asked. */
interface Asked {
  readonly place: Place
  readonly asked: IntentsAsked
}

/** Asks of each fact of a log whether it is meant; `where` is a condition in CEL, or null. */
export function meaning(
  { place: { realm }, asked }: Asked,
  options: FilterOptions,
  where: Where | null,
): (fact: Fact) => Promise<boolean> {
  const names = namesFor(options)
  const isNamed = names === undefined ? null : isMeantBy(realm, names)
  const { name, decisions } = options
  const also = decisions === true && name !== undefined
  const isOtherwiseNamed = also ? isMeantBy(realm, [name]) : null
  return async (fact) => {
    if (isNamed?.(fact.name) === false || isOtherwiseNamed?.(fact.name) === false) return false
    if (!isInTime(options, fact.appendedAt)) return false
    if (!holdsOf(fact, partsInRealm(fact.name, realm), options)) return false
    if (options.tool !== undefined && !(await isAboutTool(fact, options.tool, asked))) return false
    return (await where?.isMeant(fact, realm, asked)) !== false
  }
}

/** All that the fact itself says. */
function holdsOf(fact: Fact, parts: NameParts | null, options: FilterOptions): boolean {
  const { agent, kind, issue, rule, person } = options
  if (agent !== undefined) {
    const of = parts === null ? null : agentNamed(parts)
    if (of === null || !agent.some((one) => token(one) === of)) return false
  }
  const ofKind = parts?.kind ?? null
  if (kind !== undefined && (ofKind === null || !kind.includes(ofKind))) return false
  if (issue !== undefined && !issuesIn(fact.bytes).includes(issue)) return false
  if (person !== undefined && !isBy(fact, ofKind, person)) return false
  if (rule !== undefined && !speaksOf(fact, ofKind, rule)) return false
  return decidedAs(fact, ofKind, options)
}

async function isAboutTool(
  fact: Fact,
  tool: readonly string[],
  asked: IntentsAsked,
): Promise<boolean> {
  const of = await asked.of(fact)
  if (of === null) return false
  return [of.tool, ...(of.tools ?? [])].some((one) => one !== null && tool.includes(one))
}

function decidedAs(
  fact: Fact,
  kind: Kind | null,
  { outcome, reason }: Pick<FilterOptions, 'outcome' | 'reason'>,
): boolean {
  if (outcome === undefined && reason === undefined) return true
  if (kind === 'verdict') {
    const data = readData('verdict', fact)
    if (data === null) return false
    return (
      outcome?.includes(data.outcome) !== false &&
      (reason === undefined || data.reasons.some(({ code }) => reason.includes(code)))
    )
  }
  if (kind !== 'outcome' && kind !== 'ownoutcome') return false
  const data = readData(kind, fact)
  return reason === undefined && data !== null && outcome?.includes(data.outcome) === true
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
