// What a replay finds beside differences: facts that derive and still cannot be believed, and
// redemptions that no warrant covers.
import type { Lateness } from '#core/stages/lateness'

export const findingKinds = [
  /** Its time is not bounded by the log's own clock. */
  'late',
  /** What it decides would have been decided otherwise at its own position. */
  'overtaken',
  /** Something was begun that no verdict allows. */
  'startWithoutAllow',
  /** It was begun after the last moment of its warrant. */
  'startAfterUseBy',
  /** It redeems the verdict on another intent. */
  'startOfAnother',
  /** Something came of what was never begun. */
  'outcomeWithoutStart',
] as const

export type FindingKind = (typeof findingKinds)[number]

export interface ReplayFinding {
  readonly kind: FindingKind
  readonly position: number
  readonly name: string
  /** Why, where there are several reasons. */
  readonly why?: Lateness
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
    startOfAnother: 0,
    outcomeWithoutStart: 0,
  }
  return { counts: { late: 0, overtaken: 0, ...redemptions }, shown: [] }
}

export function noteFinding({ counts, shown }: Findings, finding: ReplayFinding): void {
  counts[finding.kind] += 1
  if (counts[finding.kind] <= shownMax) shown.push(finding)
}

export function addFindings(all: Findings, more: Findings): void {
  for (const kind of findingKinds) all.counts[kind] += more.counts[kind]
  all.shown.push(...more.shown)
}
