// The demo's result as a person reads it.
import pc from 'picocolors'
import type { Conversation } from './recording.ts'
import type { Score, ToolScore } from './score.ts'

interface Shown {
  readonly score: Score
  readonly seconds: number
  readonly facts: number
  readonly file: string
  readonly interrupted: boolean
  readonly conversations: readonly Conversation[]
}

const rulesShownMax = 12

export function scoreTable(shown: Shown): string {
  const { score, seconds, facts, file, interrupted, conversations } = shown
  const calls = Object.values(score.tools).reduce((sum, tool) => sum + tool.calls, 0)
  const speed = Math.round(calls / Math.max(seconds, 0.001))
  const head = interrupted
    ? `interrupted: what was played so far of ${conversations.length} conversations`
    : `${conversations.length} conversations of airline service agents, played as they happened`
  return [
    '',
    pc.bold(head),
    `${calls} calls decided in ${seconds.toFixed(1)} s (${speed} a second), ${facts} facts in the log`,
    '',
    ...toolLines(score),
    '',
    ...ruleLines(score),
    '',
    ...againstLabels(score),
    '',
    'Look further:',
    `  export WARRANT_LOG=${file}`,
    '  npm run -s warrant -- log --name "verdict.>" | head',
    '  npm run -s warrant -- trace <intent>      the whole story of one call',
    '  npm run -s warrant -- replay              derive every decision again and compare',
    '',
  ].join('\n')
}

function toolLines({ tools }: Score): string[] {
  const rows = Object.entries(tools).toSorted(([, a], [, b]) => b.calls - a.calls)
  const width = Math.max(4, ...rows.map(([name]) => name.length))
  const head = `${'tool'.padEnd(width)}  ${'allowed'.padStart(7)}  ${'asked'.padStart(5)}  ${'denied'.padStart(6)}  by first reason`
  return [pc.bold(head), ...rows.map(([name, tool]) => toolLine(name.padEnd(width), tool))]
}

function toolLine(name: string, { allowed, confirmed, denied, reasons }: ToolScore): string {
  const why = Object.entries(reasons)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ')
  const cells = [
    String(allowed).padStart(7),
    String(confirmed).padStart(5),
    String(denied).padStart(6),
  ]
  return `${name}  ${cells.join('  ')}  ${why}`.trimEnd()
}

// What the passengers were told, in the airline's words.
function ruleLines({ tools }: Score): string[] {
  const rules = new Map<string, number>()
  for (const tool of Object.values(tools)) {
    for (const [rule, times] of Object.entries(tool.rules)) {
      rules.set(rule, (rules.get(rule) ?? 0) + times)
    }
  }
  const rows = [...rules].toSorted(([, a], [, b]) => b - a)
  const shown = rows.slice(0, rulesShownMax)
  const more = rows.length - shown.length
  return [
    pc.bold('the rules that refused, as the passenger is told'),
    ...shown.map(([rule, times]) => `${String(times).padStart(4)}  ${rule}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ]
}

function againstLabels({ right, harmful, questions }: Score): string[] {
  const row = (name: string, stopped: number, allowed: number): string =>
    `${name.padEnd(10)}  ${`${stopped} of ${harmful.total}`.padStart(14)}  ${`${allowed} of ${right.total}`.padStart(19)}`
  return [
    pc.bold(`${''.padEnd(10)}  harmful stopped  right calls through`),
    pc.bold(row('warrant', harmful.stopped, right.allowed)),
    row('deny all', harmful.total, 0),
    row('allow all', 0, right.total),
    `${questions} questions put to the customer`,
  ]
}
