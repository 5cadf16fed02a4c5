// Which facts are meant: by when they were appended, by the agent and the tool that they are about,
// by what was decided and why.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { didYouMean, nearest } from '#core/kernel/quote'
import { readData } from '#core/kernel/event'
import { partsInRealm, token, type Place } from '#core/kernel/names'
import type { Fact } from '#ports/log'
import { ReasonCode } from '#schemas/reasons'
import { several } from '../opening/options.ts'
import { agentNamed, type IntentsAsked } from './asked-for.ts'
import { timeOption, timeSpelling } from './moment-option.ts'

export interface MeantOptions {
  /** Milliseconds since 1970. */
  readonly since?: number
  readonly until?: number
  readonly agent?: readonly string[]
  readonly tool?: readonly string[]
}

export interface FilterOptions extends MeantOptions {
  readonly outcome?: readonly Outcome[]
  readonly reason?: readonly string[]
}

const verdictOutcomes = ['allow', 'deny'] as const
const callOutcomes = ['succeeded', 'failed', 'refused', 'unknown'] as const
const outcomes = [...verdictOutcomes, ...callOutcomes] as const
type Outcome = (typeof outcomes)[number]

/** Adds the options that say which intents are meant. */
export function withMeant(command: Command): Command {
  return command
    .option('--since <time>', `from then on: ${timeSpelling}`, (text) => timeOption(text))
    .option('--until <time>', 'up to then', (text) => timeOption(text))
    .option('--agent <id>', 'only about intents of that agent; may be given several times', several)
    .option('--tool <id>', 'only about intents for that tool; may be given several times', several)
}

/** Adds those that say which of their facts are. */
export function withFilter(command: Command): Command {
  return withMeant(command)
    .addOption(
      new Option('--outcome <outcome>', 'only verdicts with it, or what came of the call')
        .choices(outcomes)
        .argParser(oneOf(outcomes)),
    )
    .addOption(
      new Option('--reason <code>', 'only denials for that reason')
        .choices(ReasonCode.options)
        .argParser(oneOf(ReasonCode.options)),
    )
}

/** Collects one of these at a time; of another it names the nearest. */
function oneOf<T extends string>(all: readonly T[]) {
  return (text: string, before: readonly T[] = []): readonly T[] => {
    const found = all.find((each) => each === text)
    if (found !== undefined) return [...before, found]
    const near = didYouMean(nearest(all, text)).replace(/^; d/, 'D')
    throw new InvalidArgumentError(near === '' ? `It is one of ${all.join(', ')}.` : near)
  }
}

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
  return of !== null && of.tool !== null && tool.includes(of.tool)
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
