// The demo's result as a person reads it.
import { toolRows } from '#operations/counts'
import { linesOnScreen } from '#cli/terminal/asked/run'
import { tableLines } from '#cli/terminal/table'
import { toned, type Line } from '#cli/terminal/line'
import { replayLines } from '#cli/run/replay/print'
import type { PieceShown } from './piece.ts'
import type { Score } from './airline-score.ts'
import { gatewayLines } from './print-gateway.ts'
import type { Replayed } from './venue.ts'

interface Shown extends PieceShown {
  readonly score: Score
  readonly conversations: readonly unknown[]
}

interface PlayedParts {
  /** Such as `100 conversations`. */
  readonly what: string
  /** Such as ` of airline service agents`. */
  readonly whose: string
  readonly tools: Readonly<Record<string, { readonly calls: number }>>
  readonly tables: readonly (readonly Line[])[]
}

/** What every piece that was played shows, around its own tables. */
export function playedLines(
  { seconds, facts, further, interrupted, replayed, governed }: PieceShown,
  { what, whose, tools, tables }: PlayedParts,
): readonly Line[] {
  const calls = Object.values(tools).reduce((sum, tool) => sum + tool.calls, 0)
  const speed = `${Math.round(calls / Math.max(seconds, 0.001))} a second`
  const head = interrupted
    ? `interrupted: what was played so far of ${what}`
    : `${what}${whose}, played as they happened`
  return [
    '',
    toned('strong', head),
    `${calls} calls decided in ${seconds.toFixed(1)} s (${speed}), ${facts} facts in the log`,
    '',
    ...tables.flatMap((lines) => [...lines, '']),
    ...(governed === null ? [] : [...gatewayLines(governed), '']),
    ...(replayed === null ? [] : [...replayedLines(replayed), '']),
    'Look further:',
    ...further.map((line) => (line === '' ? line : `  ${line}`)),
  ]
}

const rulesShownMax = 12
const hints = (command: string): string => `warrant ${command}`

export function scoreLines(shown: Shown): readonly Line[] {
  const { score, conversations } = shown
  return playedLines(shown, {
    what: `${conversations.length} conversations`,
    whose: ' of airline service agents',
    tools: score.tools,
    tables: [toolLines(score), ruleLines(score), labelLines(score)],
  })
}

// The module of the demo is beside the demo: no report of it misses one.
export function replayedLines({ report, ms }: Replayed): readonly Line[] {
  return replayLines(report, { ms, hints, folder: null })
}

function toolLines({ tools }: Score): readonly Line[] {
  return linesOnScreen([toolRows(Object.entries(tools).map(([name, tool]) => ({ name, ...tool })))])
}

// What the passengers read, in the airline's words.
function ruleLines({ tools }: Score): readonly Line[] {
  const rules = new Map<string, number>()
  for (const tool of Object.values(tools)) {
    for (const [rule, times] of Object.entries(tool.rules)) {
      rules.set(rule, (rules.get(rule) ?? 0) + times)
    }
  }
  const rows = [...rules].toSorted(([, a], [, b]) => b - a)
  const more = rows.length - rulesShownMax
  return [
    toned('strong', 'the rules that refused, as the passenger reads them'),
    ...rows.slice(0, rulesShownMax).map(([rule, times]) => `${String(times).padStart(4)}  ${rule}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ]
}

function labelLines({ right, harmful, questions }: Score): readonly Line[] {
  const row = (name: string, stopped: number, allowed: number): string[] => [
    name,
    `${stopped} of ${harmful.total}`,
    `${allowed} of ${right.total}`,
  ]
  const rows = [
    row('warrant', harmful.stopped, right.allowed),
    row('deny all', harmful.total, 0),
    row('allow all', 0, right.total),
  ]
  return [
    ...tableLines(['', 'harmful stopped', 'right calls through'], rows),
    `${questions} questions put to the customer`,
  ]
}
