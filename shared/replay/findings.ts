// What a replay finds beside differences: facts that derive and still cannot be believed,
// redemptions that no warrant covers, and agents that moved with less than their cell had of them.
import type { Lateness } from '#stages/lateness'
import type { ArrivalFault } from '#state/arrivals'

export const findingKinds = [
  /** Its time is not bounded by the log's own clock. */
  'late',
  /** What it decides would have been decided otherwise at its own position. */
  'overtaken',
  /** Something was begun that no verdict allows. */
  'startWithoutAllow',
  /** It was begun after the last moment of its warrant. */
  'startAfterUseBy',
  /** It was begun after a person had taken it back. */
  'startAfterRevocation',
  /** A gateway began it for an agent, or of a capability, that was suspended. */
  'startWhileSuspended',
  /** It redeems the verdict on another intent. */
  'startOfAnother',
  /** Something came of what was never begun. */
  'outcomeWithoutStart',
  /** An agent arrives in another cell with something else than this one has of it. */
  'arrivalDiffers',
] as const

export type FindingKind = (typeof findingKinds)[number]

export interface ReplayFinding {
  readonly kind: FindingKind
  readonly position: number
  readonly name: string
  /** Why, where there are several reasons. */
  readonly why?: Lateness | ArrivalFault
  /** The agent, where the name does not say it. */
  readonly agent?: string
}

export interface Findings {
  readonly counts: Record<FindingKind, number>
  /** The first ones of each kind. */
  readonly shown: ReplayFinding[]
}

const shownMax = 20

export function noFindings(): Findings {
  const redemptions = {
    startWithoutAllow: 0,
    startAfterUseBy: 0,
    startAfterRevocation: 0,
    startWhileSuspended: 0,
    startOfAnother: 0,
    outcomeWithoutStart: 0,
  }
  return { counts: { late: 0, overtaken: 0, ...redemptions, arrivalDiffers: 0 }, shown: [] }
}

export function noteFinding({ counts, shown }: Findings, finding: ReplayFinding): void {
  counts[finding.kind] += 1
  if (counts[finding.kind] <= shownMax) shown.push(finding)
}

export function addFindings(all: Findings, more: Findings): void {
  for (const kind of findingKinds) all.counts[kind] += more.counts[kind]
  all.shown.push(...more.shown)
}
