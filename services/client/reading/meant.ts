// Which facts are meant: by when they were appended, by the agent and the tool that they are about,
// by what was decided and why.
import { readData } from '#record/event'
import { partsInRealm, token, type Place } from '#record/names'
import type { Fact } from '#ports/log'
import { agentNamed, type IntentsAsked } from './asked-for.ts'

export interface MeantOptions {
  /** Milliseconds since 1970. */
  readonly since?: number
  readonly until?: number
  readonly agent?: readonly string[]
  readonly tool?: readonly string[]
}

export interface FilterOptions extends MeantOptions {
  readonly outcome?: readonly OutcomeMeant[]
  readonly reason?: readonly string[]
}

const verdictOutcomes = ['allow', 'deny'] as const
const callOutcomes = ['succeeded', 'failed', 'refused', 'unknown'] as const
export const outcomesMeant = [...verdictOutcomes, ...callOutcomes] as const
export type OutcomeMeant = (typeof outcomesMeant)[number]

/** The patterns of names among which alone they can be found; undefined for all. */
export function namesFor({ outcome, reason }: FilterOptions): readonly string[] | undefined {
  if (reason !== undefined) return ['verdict.>']
  if (outcome === undefined) return undefined
  const isOf = (all: readonly string[]): boolean => outcome.some((one) => all.includes(one))
  return [
    ...(isOf(verdictOutcomes) ? ['verdict.>'] : []),
    ...(isOf(callOutcomes) ? ['outcome.>', 'ownoutcome.>'] : []),
  ]
}

/** Whether a fact of the log of that place is meant. */
export async function isFound(
  fact: Fact,
  { realm }: Place,
  { options, asked }: { readonly options: FilterOptions; readonly asked: IntentsAsked },
): Promise<boolean> {
  const { since, until, agent, tool, outcome, reason } = options
  if (since !== undefined && fact.appendedAt < since) return false
  if (until !== undefined && fact.appendedAt > until) return false
  const isAll = [agent, tool, outcome, reason].every((each) => each === undefined)
  if (isAll) return true
  const parts = partsInRealm(fact.name, realm)
  if (parts === null) return false
  if (agent !== undefined) {
    const of = agentNamed(parts)
    if (of === null || !agent.some((each) => token(each) === of)) return false
  }
  if (!decidedAs(fact, parts.kind, options)) return false
  if (tool === undefined) return true
  const of = await asked.of(fact)
  if (of === null) return false
  return [of.tool, ...(of.tools ?? [])].some((one) => one !== null && tool.includes(one))
}

function decidedAs(
  fact: Fact,
  kind: string,
  { outcome, reason }: Pick<FilterOptions, 'outcome' | 'reason'>,
): boolean {
  if (outcome === undefined && reason === undefined) return true
  if (kind === 'verdict') {
    const data = readData('verdict', fact)
    if (data === null) return false
    const codes: readonly string[] = data.reasons.map(({ code }) => code)
    return (
      outcome?.includes(data.outcome) !== false &&
      reason?.some((code) => codes.includes(code)) !== false
    )
  }
  if (kind !== 'outcome' && kind !== 'ownoutcome') return false
  const data = readData(kind, fact)
  return reason === undefined && data !== null && outcome?.includes(data.outcome) === true
}
