// The routes of what people sign, each in two steps: `prepare` answers what would be signed, and
// `submit` takes it back with the signature.
import type { z } from 'zod'
import {
  ChangeBody,
  ChangeSubmit,
  Prepared,
  PreparedChange,
  RevokeBody,
  RevokeSubmit,
  RulingBody,
  RulingSubmit,
} from './authoring.ts'
import {
  ReinstateBody,
  ReinstateSubmit,
  SuspendBody,
  SuspendSubmit,
  UnblockBody,
  UnblockSubmit,
} from './operating.ts'
import {
  AbsenceBody,
  AbsenceSubmit,
  EnrolBody,
  EnrolSubmit,
  HandoverBody,
  HandoverSubmit,
} from './people-said.ts'
import {
  AnswerBody,
  AnswersBody,
  AnswerSubmit,
  GrantBody,
  GrantShownAnswer,
  GrantSubmit,
  PreparedAnswer,
  PreparedAnswers,
} from './reviews.ts'
import { NoteBody, NoteSubmit } from './reading.ts'
import { BoundAnswer } from './signing.ts'
import { sending, type ConsoleRoute, type ConsoleWho } from './route.ts'

const review = '/reviews/{intent}'

/** `answer` has what would be signed, and what is shown beside it. */
function preparing<
  const Path extends string,
  const Who extends ConsoleWho,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(path: Path, who: Who, body: Body, answer: Answer) {
  return sending(`${path}/prepare`, who, body, answer)
}

function submitting<
  const Path extends string,
  const Who extends ConsoleWho,
  Body extends z.ZodType,
>(path: Path, who: Who, body: Body) {
  return sending(`${path}/submit`, who, body, BoundAnswer)
}

export const signedRoutes = {
  answersPrepare: preparing('/reviews', 'confirmer', AnswersBody, PreparedAnswers),
  answerPrepare: preparing(review, 'confirmer', AnswerBody, PreparedAnswer),
  answerSubmit: submitting(review, 'confirmer', AnswerSubmit),
  handoverPrepare: preparing(`${review}/handover`, 'confirmer', HandoverBody, Prepared),
  handoverSubmit: submitting(`${review}/handover`, 'confirmer', HandoverSubmit),
  browserPrepare: preparing('/browsers', 'confirmer', EnrolBody, Prepared),
  browserSubmit: submitting('/browsers', 'confirmer', EnrolSubmit),
  absencePrepare: preparing('/absence', 'confirmer', AbsenceBody, Prepared),
  absenceSubmit: submitting('/absence', 'confirmer', AbsenceSubmit),
  grantPrepare: preparing(`${review}/grant`, 'confirmer', GrantBody, GrantShownAnswer),
  grantSubmit: submitting(`${review}/grant`, 'confirmer', GrantSubmit),
  suspendPrepare: preparing('/agents/{agent}/suspend', 'operator', SuspendBody, Prepared),
  suspendSubmit: submitting('/agents/{agent}/suspend', 'operator', SuspendSubmit),
  unsuspendPrepare: preparing('/agents/{agent}/unsuspend', 'operator', SuspendBody, Prepared),
  unsuspendSubmit: submitting('/agents/{agent}/unsuspend', 'operator', SuspendSubmit),
  unblockPrepare: preparing('/agents/{agent}/unblock', 'confirmer', UnblockBody, Prepared),
  unblockSubmit: submitting('/agents/{agent}/unblock', 'confirmer', UnblockSubmit),
  reinstatePrepare: preparing('/standings/{agent}/reinstate', 'operator', ReinstateBody, Prepared),
  reinstateSubmit: submitting('/standings/{agent}/reinstate', 'operator', ReinstateSubmit),
  revokePrepare: preparing('/revocations', 'confirmer', RevokeBody, Prepared),
  revokeSubmit: submitting('/revocations', 'confirmer', RevokeSubmit),
  rulingPrepare: preparing('/proposals/{proposal}', 'author', RulingBody, Prepared),
  rulingSubmit: submitting('/proposals/{proposal}', 'author', RulingSubmit),
  notePrepare: preparing('/notes', 'auditor', NoteBody, Prepared),
  noteSubmit: submitting('/notes', 'auditor', NoteSubmit),
  changePrepare: preparing('/changes', 'operator', ChangeBody, PreparedChange),
  changeSubmit: submitting('/changes', 'operator', ChangeSubmit),
} as const satisfies Readonly<Record<string, ConsoleRoute>>
