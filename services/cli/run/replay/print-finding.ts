// What a replay found beside differences, counted, with the first of each kind.
import { unreachable } from '#record/fault'
import { findingKinds, type ReplayFinding, type FindingKind } from '#replay/findings'
import type { Findings } from '#replay/findings'
import { toned, type Line } from '#cli/terminal/line'

const shownMax = 10

const headings: Readonly<Record<FindingKind, readonly [one: string, more: string]>> = {
  late: [
    'fact carries a time that the log’s clock contradicts',
    'facts carry a time that the log’s clock contradicts',
  ],
  overtaken: [
    'fact was bound although something since its basis changes the answer',
    'facts were bound although something since their bases changes the answer',
  ],
  startWithoutAllow: ['start without an allow', 'starts without an allow'],
  startAfterUseBy: [
    'start after the last moment of its warrant',
    'starts after the last moments of their warrants',
  ],
  startAfterRevocation: [
    'start of a warrant that was taken back before',
    'starts of warrants that were taken back before',
  ],
  startWhileSuspended: [
    'start by a gateway of what was suspended',
    'starts by gateways of what was suspended',
  ],
  startOfAnother: ['start for another verdict', 'starts for another verdict'],
  outcomeWithoutStart: ['outcome without a start', 'outcomes without a start'],
  arrivalDiffers: [
    'agent was moved with something else than its cell had of it',
    'agents were moved with something else than their cells had of them',
  ],
}

export function replayFindingLines({ counts, shown }: Findings): readonly Line[] {
  return findingKinds.flatMap((kind) => {
    const count = counts[kind]
    if (count === 0) return []
    const [one, more] = headings[kind]
    const ofKind = shown.filter((finding) => finding.kind === kind).slice(0, shownMax)
    const left = count - ofKind.length
    return [
      toned(isReported(kind) ? 'warn' : 'bad', `  ${count} ${count === 1 ? one : more}:`),
      ...ofKind.map(({ position, name, agent, why }) => {
        return `    ${position} ${name}${agent === undefined ? '' : ` ${agent}`}${whyText(why)}`
      }),
      ...(left > 0 ? [`    and ${left} more`] : []),
    ]
  })
}

/** What alone does not end a replay with 5. */
export function isReported(kind: FindingKind): boolean {
  return kind === 'late' || kind === 'overtaken'
}

function whyText(why: ReplayFinding['why']): string {
  return why === undefined ? '' : `: ${reasonOf(why)}`
}

function reasonOf(why: NonNullable<ReplayFinding['why']>): string {
  switch (why) {
    case 'still_open':
      return 'an intent of it was open'
    case 'at':
      return 'its uses are stated as of a later time'
    case 'uses':
      return 'its uses of tools are others'
    case 'asks':
      return 'what it asked of people is counted otherwise'
    case 'budgets':
      return 'its uses of budgets are others'
    case 'block':
      return 'another message stops it, or none'
    case 'standing':
      return 'it has earned another standing'
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
