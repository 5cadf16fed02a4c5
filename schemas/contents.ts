// What events hold: the schema of the content of each kind. It stands apart from the table of
// kinds, so that names and roles are known without any schema being built.
import type { z } from 'zod'
import { ExpansionData } from './action/expansion.ts'
import { GrantData, UseData } from './action/grant.ts'
import { RevocationData } from './action/revocation.ts'
import { RoutingData } from './action/routing.ts'
import { SettlementData } from './action/settlement.ts'
import { DrillAnswerData, DrillData } from './attention/drill.ts'
import {
  BudgetData,
  CatalogChangeData,
  FaultData,
  GraphChangeData,
  GroundingData,
  HoldData,
  LiftData,
  OutcomeData,
  RateData,
  ResumeData,
  StartData,
  VerdictData,
  WithdrawalData,
} from './facts.ts'
import {
  ExpiryData,
  MeetingData,
  ProposalData,
  ReopeningData,
  RulingData,
  SuggestionData,
} from './learning.ts'
import { NotificationData } from './outreach/notification.ts'
import { AbsenceData, EnrolmentData, HandoverData, NoteData } from './people/said.ts'
import { DecisionData, ReviewData } from './review.ts'
import { SnapshotData } from './snapshot.ts'
import { ReinstatementData, VerificationData, VerificationStartData } from './work/facts.ts'
import type { EventKind } from './kinds.ts'

const contents = {
  withdrawal: WithdrawalData,
  grounding: GroundingData,
  rate: RateData,
  asked: RateData,
  budget: BudgetData,
  hold: HoldData,
  resume: ResumeData,
  review: ReviewData,
  decision: DecisionData,
  verdict: VerdictData,
  fault: FaultData,
  start: StartData,
  outcome: OutcomeData,
  ownstart: StartData,
  ownoutcome: OutcomeData,
  settlement: SettlementData,
  expansion: ExpansionData,
  revocation: RevocationData,
  use: UseData,
  grant: GrantData,
  routing: RoutingData,
  notification: NotificationData,
  drill: DrillData,
  drillanswer: DrillAnswerData,
  handover: HandoverData,
  enrolment: EnrolmentData,
  absence: AbsenceData,
  note: NoteData,
  verificationstart: VerificationStartData,
  verification: VerificationData,
  reinstatement: ReinstatementData,
  lift: LiftData,
  proposal: ProposalData,
  meeting: MeetingData,
  suggestion: SuggestionData,
  ruling: RulingData,
  expiry: ExpiryData,
  reopening: ReopeningData,
  graph: GraphChangeData,
  catalog: CatalogChangeData,
  snapshot: SnapshotData,
} as const satisfies Readonly<Record<EventKind, z.ZodType>>

type Schema<K extends EventKind> = (typeof contents)[K]

/** The content of a fact of that kind, as it is read. */
export type ContentOf<K extends EventKind> = z.output<Schema<K>>

/** The same as it is written. */
export type InputOf<K extends EventKind> = z.input<Schema<K>>

const events: { readonly [K in EventKind]: z.ZodType<ContentOf<K>> } = contents

/** The schema of the content of a kind. */
export function schemaOf<K extends EventKind>(kind: K): z.ZodType<ContentOf<K>> {
  return events[kind]
}
