// The routes of what people sign, each in two steps: `prepare` answers what would be signed, and
// `submit` takes it back with the signature.
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
import { ReinstateBody, ReinstateSubmit, SuspendBody, SuspendSubmit } from './operating.ts'
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
import type { ConsoleRoute } from './route.ts'

const review = '/reviews/{intent}'

export const signedRoutes = {
  answersPrepare: {
    method: 'post',
    path: '/reviews/prepare',
    who: 'confirmer',
    body: AnswersBody,
    answer: PreparedAnswers,
  },
  answerPrepare: {
    method: 'post',
    path: `${review}/prepare`,
    who: 'confirmer',
    body: AnswerBody,
    answer: PreparedAnswer,
  },
  answerSubmit: {
    method: 'post',
    path: `${review}/submit`,
    who: 'confirmer',
    body: AnswerSubmit,
    answer: BoundAnswer,
  },
  handoverPrepare: {
    method: 'post',
    path: `${review}/handover/prepare`,
    who: 'confirmer',
    body: HandoverBody,
    answer: Prepared,
  },
  handoverSubmit: {
    method: 'post',
    path: `${review}/handover/submit`,
    who: 'confirmer',
    body: HandoverSubmit,
    answer: BoundAnswer,
  },
  browserPrepare: {
    method: 'post',
    path: '/browsers/prepare',
    who: 'confirmer',
    body: EnrolBody,
    answer: Prepared,
  },
  browserSubmit: {
    method: 'post',
    path: '/browsers/submit',
    who: 'confirmer',
    body: EnrolSubmit,
    answer: BoundAnswer,
  },
  absencePrepare: {
    method: 'post',
    path: '/absence/prepare',
    who: 'confirmer',
    body: AbsenceBody,
    answer: Prepared,
  },
  absenceSubmit: {
    method: 'post',
    path: '/absence/submit',
    who: 'confirmer',
    body: AbsenceSubmit,
    answer: BoundAnswer,
  },
  grantPrepare: {
    method: 'post',
    path: `${review}/grant/prepare`,
    who: 'confirmer',
    body: GrantBody,
    answer: GrantShownAnswer,
  },
  grantSubmit: {
    method: 'post',
    path: `${review}/grant/submit`,
    who: 'confirmer',
    body: GrantSubmit,
    answer: BoundAnswer,
  },
  suspendPrepare: {
    method: 'post',
    path: '/agents/{agent}/suspend/prepare',
    who: 'operator',
    body: SuspendBody,
    answer: Prepared,
  },
  suspendSubmit: {
    method: 'post',
    path: '/agents/{agent}/suspend/submit',
    who: 'operator',
    body: SuspendSubmit,
    answer: BoundAnswer,
  },
  unsuspendPrepare: {
    method: 'post',
    path: '/agents/{agent}/unsuspend/prepare',
    who: 'operator',
    body: SuspendBody,
    answer: Prepared,
  },
  unsuspendSubmit: {
    method: 'post',
    path: '/agents/{agent}/unsuspend/submit',
    who: 'operator',
    body: SuspendSubmit,
    answer: BoundAnswer,
  },
  reinstatePrepare: {
    method: 'post',
    path: '/standings/{agent}/reinstate/prepare',
    who: 'operator',
    body: ReinstateBody,
    answer: Prepared,
  },
  reinstateSubmit: {
    method: 'post',
    path: '/standings/{agent}/reinstate/submit',
    who: 'operator',
    body: ReinstateSubmit,
    answer: BoundAnswer,
  },
  revokePrepare: {
    method: 'post',
    path: '/revocations/prepare',
    who: 'confirmer',
    body: RevokeBody,
    answer: Prepared,
  },
  revokeSubmit: {
    method: 'post',
    path: '/revocations/submit',
    who: 'confirmer',
    body: RevokeSubmit,
    answer: BoundAnswer,
  },
  rulingPrepare: {
    method: 'post',
    path: '/proposals/{proposal}/prepare',
    who: 'author',
    body: RulingBody,
    answer: Prepared,
  },
  rulingSubmit: {
    method: 'post',
    path: '/proposals/{proposal}/submit',
    who: 'author',
    body: RulingSubmit,
    answer: BoundAnswer,
  },
  notePrepare: {
    method: 'post',
    path: '/notes/prepare',
    who: 'auditor',
    body: NoteBody,
    answer: Prepared,
  },
  noteSubmit: {
    method: 'post',
    path: '/notes/submit',
    who: 'auditor',
    body: NoteSubmit,
    answer: BoundAnswer,
  },
  changePrepare: {
    method: 'post',
    path: '/changes/prepare',
    who: 'operator',
    body: ChangeBody,
    answer: PreparedChange,
  },
  changeSubmit: {
    method: 'post',
    path: '/changes/submit',
    who: 'operator',
    body: ChangeSubmit,
    answer: BoundAnswer,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
