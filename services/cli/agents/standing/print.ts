// Standings on the screen: all of them as a table, and one with its steps and a chart.
import { plainStandingChart } from '#present/work/plain-chart'
import { counted, utc } from '#present/wording'
import type { StandingLevel } from '#rules/catalog/earned-standing'
import type { EarnedListed, EarnedShown } from '#client/work/standings-shown'
import { shellWord } from '#cli/terminal/hint'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import { tableBlocks, tableLines } from '#cli/terminal/table'

const tones: Readonly<Record<StandingLevel, Tone>> = {
  autonomous: 'good',
  standard: 'plain',
  supervised: 'plain',
  strict: 'warn',
  suspended: 'bad',
}

export function standingsLines(listed: readonly EarnedListed[]): readonly Line[] {
  if (listed.length === 0) return ['no agent has a standing: the catalog sets no `work`']
  const head = ['agent', 'standing', 'level', 'probation left', 'tasks scored', '']
  const rows = listed.map(({ agent, value, level, probation, scored, counts }) => {
    const note = counts ? '' : 'the catalog does not go by it'
    return [agent, valueText(value), level, String(probation), String(scored), note]
  })
  const { top, blocks } = tableBlocks(head, rows)
  const lines = blocks.flatMap((block, index) => {
    const tone = tones[listed[index]?.level ?? 'standard']
    return block.map((line) => toned(tone, line))
  })
  return [...top, ...lines]
}

export function standingLinesOf(shown: EarnedShown): readonly Line[] {
  const { agent, value, level, probation, scored, suspendedBy, counts, steps } = shown
  const first = steps[0]?.before
  return [
    toned(tones[level], `${agent}: ${level}, at ${valueText(value)}`),
    ...(counts ? [] : ['  the catalog does not go by it']),
    ...(probation > 0 ? [`  on probation for ${counted(probation, 'more scored task')}`] : []),
    ...(suspendedBy === null ? [] : suspensionLines(agent, suspendedBy)),
    `  ${counted(scored, 'task')} scored`,
    ...(first === undefined ? [] : ['', ...stepsTable(shown), '', ...chartOf(first, shown)]),
  ]
}

function suspensionLines(agent: string, suspendedBy: string): readonly Line[] {
  const lifted = `warrant reinstate ${shellWord(agent)} --reason TEXT`
  return [toned('bad', `  suspended by ${suspendedBy}`), `  a policy admin lifts that: ${lifted}`]
}

function chartOf(first: number, { steps }: EarnedShown): readonly string[] {
  return plainStandingChart([first, ...steps.map(({ after }) => after)])
}

function stepsTable({ steps }: EarnedShown): readonly Line[] {
  const rows = steps.map(({ at, position, before, after, scored }) => {
    const why = scored === null ? ['', 'reinstated'] : [String(scored.score), scored.rule]
    return [String(position), utc(at), valueText(before), valueText(after), ...why]
  })
  return tableLines(['position', 'at', 'before', 'after', 'score', 'rule'], rows)
}

const decimals = 3

function valueText(value: number): string {
  return value.toFixed(decimals)
}
