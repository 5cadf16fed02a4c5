// What observed calls would have come to, for people and for spreadsheets.
import { counted } from '#present/wording'
import type { ObservedCounts, ObservedOutcome } from '#client/reading/observed'
import { csvLine } from '#cli/terminal/csv'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

const words: Readonly<Record<ObservedOutcome, string>> = {
  allow: 'allow',
  ask: 'ask people',
  deny: 'deny',
}

export function observedLines({ calls, allow, ask, deny, rows }: ObservedCounts): readonly Line[] {
  if (calls === 0) return ['no observed call is meant: nothing has run with `--observe`']
  const came = `${allow} would be allowed, ${ask} would be asked about, ${deny} would be denied`
  const cells = rows.map(({ capability, would, reason, calls: times }) => {
    return [capability, words[would], reason ?? '', String(times)]
  })
  return [
    toned('strong', `${counted(calls, 'observed call')}: ${came}`),
    '',
    ...tableLines(['capability', 'would', 'first reason', 'calls'], cells),
    '',
    'None of them was stopped: `warrant log --outcome deny` lists them, `warrant trace` says why.',
  ]
}

export function observedCsv({ rows }: ObservedCounts): string {
  const lines = rows.map(({ capability, would, reason, calls }) => {
    return [capability, would, reason ?? '', calls]
  })
  return [['capability', 'would', 'reason', 'calls'], ...lines].map(csvLine).join('')
}
