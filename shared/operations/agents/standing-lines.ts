// Standings on a screen: all of them as rows, and one with its steps and a chart.
import type { StandingLevel } from '#rules/catalog/earned-standing'
import { toned, type Line, type OnScreen, type Tone } from '#present/lines'
import { plainStandingChart } from '#present/work/plain-chart'
import { counted, shellWord, utc } from '#present/wording'
import type { StandingRow, StepShown } from '#schemas/operations/standings'
import type { OperationAnswer } from '#schemas/operations/table'
import type { Columns } from '../answering.ts'

const tones: Readonly<Record<StandingLevel, Tone>> = {
  autonomous: 'good',
  standard: 'plain',
  supervised: 'plain',
  strict: 'warn',
  suspended: 'bad',
}

export const standingColumns: Columns<StandingRow> = {
  empty: 'no agent has a standing: the catalog sets no `work`',
  tone: ({ level }) => tones[level],
  columns: [
    ['agent', ({ agent }) => agent],
    ['standing', ({ value }) => valueText(value)],
    ['level', ({ level }) => level],
    ['probation left', ({ probation }) => String(probation)],
    ['tasks scored', ({ scored }) => String(scored)],
    ['open', ({ contracts }) => String(contracts)],
    ['', ({ counts }) => (counts ? '' : 'the catalog does not go by it')],
  ],
}

export function standingOnScreen({
  standing,
  steps,
}: OperationAnswer<'standing'>): readonly OnScreen[] {
  const { agent, value, level, probation, scored, suspendedBy, counts } = standing
  const first = steps[0]?.before
  return [
    toned(tones[level], `${agent}: ${level}, at ${valueText(value)}`),
    ...(counts ? [] : ['  the catalog does not go by it']),
    ...(probation > 0 ? [`  on probation for ${counted(probation, 'more scored task')}`] : []),
    ...(suspendedBy === null ? [] : suspensionLines(agent, suspendedBy.name)),
    `  ${counted(scored, 'task')} scored`,
    ...(first === undefined ? [] : ['', stepRows(steps), '', ...chartOf(first, steps)]),
  ]
}

export function suspensionLines(agent: string, by: string): readonly Line[] {
  const lifted = `warrant reinstate ${shellWord(agent)} --reason TEXT`
  return [toned('bad', `  suspended by ${by}`), `  a policy admin lifts that: ${lifted}`]
}

function chartOf(first: number, steps: readonly StepShown[]): readonly string[] {
  return plainStandingChart([first, ...steps.map(({ after }) => after)])
}

function stepRows(steps: readonly StepShown[]): OnScreen {
  const rows = steps.map(({ appendedAt, position, before, after, scored }) => {
    const why = scored === null ? ['', 'reinstated'] : [String(scored.score), scored.rule]
    const moved = [valueText(before), valueText(after)]
    return { cells: [String(position), utc(appendedAt), ...moved, ...why], tone: 'plain' as const }
  })
  return { head: ['position', 'at', 'before', 'after', 'score', 'rule'], rows }
}

const decimals = 3

function valueText(value: number): string {
  return value.toFixed(decimals)
}
