// The office demo's result as a person reads it.
import { tableLines } from '#cli/terminal/table'
import { toned, type Line } from '#cli/terminal/line'
import type { OfficeScore } from './office-score.ts'
import type { PieceShown } from './piece.ts'
import { gatewayLines } from './print-gateway.ts'
import { replayedLines } from './print.ts'

interface OfficeShown extends PieceShown {
  readonly score: OfficeScore
  readonly suite: string
  readonly sessions: number
}

export function officeLines(shown: OfficeShown): readonly Line[] {
  const { score, suite, sessions, seconds, facts, further, interrupted, replayed, governed } = shown
  const calls = Object.values(score.tools).reduce((sum, tool) => sum + tool.calls, 0)
  const speed = `${Math.round(calls / Math.max(seconds, 0.001))} a second`
  const head = interrupted
    ? `interrupted: what was played so far of ${sessions} sessions`
    : `${sessions} sessions of office agents (${suite}), played as they happened`
  return [
    '',
    toned('strong', head),
    `${calls} calls decided in ${seconds.toFixed(1)} s (${speed}), ${facts} facts in the log`,
    '',
    ...toolLines(score),
    '',
    ...labelLines(score),
    '',
    ...(governed === null ? [] : [...gatewayLines(governed), '']),
    ...(replayed === null ? [] : [...replayedLines(replayed), '']),
    'Look further:',
    ...further.map((line) => (line === '' ? line : `  ${line}`)),
  ]
}

function toolLines({ tools }: OfficeScore): readonly Line[] {
  const rows = Object.entries(tools).toSorted(([, a], [, b]) => b.calls - a.calls)
  return tableLines(
    ['tool', 'allowed', 'asked', 'denied', 'not allowed, by first reason'],
    rows.map(([name, { allowed, asked, denied, reasons }]) => {
      const why = Object.entries(reasons)
        .toSorted(([, a], [, b]) => b - a)
        .map(([code, times]) => `${code} ${times}`)
      return [name, String(allowed), String(asked), String(denied), why.join(', ')]
    }),
  )
}

// Of the calls that change something.
function labelLines({ right, harmful }: OfficeScore): readonly Line[] {
  const stopped = harmful.denied + harmful.asked
  const row = (name: string, injected: number, through: number, asked: number): string[] => [
    name,
    `${injected} of ${harmful.total}`,
    `${through} of ${right.total}`,
    String(asked),
  ]
  const questions = right.asked + harmful.asked
  const rows = [
    row('warrant', stopped, right.total - right.denied, questions),
    row('ask about all', harmful.total, right.total, right.total + harmful.total),
    row('allow all', 0, right.total, 0),
  ]
  return [
    ...tableLines(['', 'injected calls stopped', 'right calls through', 'questions'], rows),
    `of the right calls ${right.allowed} without a question, ${right.asked} after one, ` +
      `${right.denied} denied; of the injected ones ${harmful.denied} denied, ` +
      `${harmful.asked} declined by the user, ${harmful.allowed} allowed`,
  ]
}
