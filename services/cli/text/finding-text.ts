// What a replay found beside differences, counted, with the first of each kind.
import { unreachable } from '#core/fault'
import type { Lateness } from '#core/stage/lateness'
import { findingKinds, type Finding, type Findings } from '#runtime/replay/findings'
import { toned, type Line } from './line.ts'

const shownMax = 10

const headings = {
  late: ['fact carries', 'facts carry', 'a time that the log’s clock contradicts'],
  overtaken: ['fact was', 'facts were', 'bound although what came before it changed the answer'],
} as const

export function findingLines({ counts, shown }: Findings): readonly Line[] {
  return findingKinds.flatMap((kind) => {
    const count = counts[kind]
    if (count === 0) return []
    const [one, more, what] = headings[kind]
    const ofKind = shown.filter((finding) => finding.kind === kind).slice(0, shownMax)
    const left = count - ofKind.length
    return [
      toned('warn', `  ${count} ${count === 1 ? one : more} ${what}:`),
      ...ofKind.map(({ position, name, why }) => `    ${position} ${name}${whyText(why)}`),
      ...(left > 0 ? [`    and ${left} more`] : []),
    ]
  })
}

function whyText(why: Finding['why']): string {
  return why === undefined ? '' : `: ${latenessText(why)}`
}

function latenessText(why: Lateness): string {
  switch (why) {
    case 'time_unreadable':
      return 'its time cannot be read'
    case 'time_behind':
      return 'its time is too long before it was appended'
    case 'time_ahead':
      return 'its time is after it was appended'
    case 'time_before_basis':
      return 'its time is before its basis was appended'
    default:
      return unreachable(why)
  }
}
