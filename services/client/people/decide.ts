// A person's answer to a review: an answer to each question, bound to the digest of what was shown,
// and signed with that person's key.
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { attentionRefusal } from '#state/slices/attention/answers'
import { decisionRefusal } from '#state/decision'
import type { SignsWith } from '#record/crypto/private-key'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { demandedReview } from '#runtime/engine/gathering/open-reviews'
import type { DecisionData } from '#schemas/review'
import type { NoteData } from '#schemas/people/said'
import { PasskeySignature } from '#schemas/values'
import type { Sign } from '#record/signature'
import {
  absenceRefusal,
  enrolmentOf,
  handoverRefusal,
  noteRefusal,
} from '#state/slices/people/saying'

export type Answer = SignsWith & {
  /** The address of the intent that the review is about. */
  readonly intent: string
  readonly confirmer: string
  /** One for each question in order, or one for all of them. */
  readonly answers: boolean | readonly boolean[]
  readonly note?: string
  /** Who is away: the confirmer answers as that person’s deputy. */
  readonly for?: string
  /** The texts that the person was shown. */
  readonly shown?: NonNullable<DecisionData['shown']>
  /** The digest of what the person saw; that of the open review if not said. */
  readonly digest?: string
  /**
   * The names of the reviews that this person answers together, this one among them: beyond their
   * answers a day a yes counts in no other way.
   */
  readonly batch?: readonly string[]
}

export async function decide(runtime: Runtime, answer: Answer): Promise<Fact> {
  const { follower, clock } = runtime
  const at = clock.now()
  const { review, shown } = await demandedReview(runtime, answer.intent)
  const { confirmer, answers, digest = review.digest, note, batch } = answer
  const { questions } = review
  const said = {
    answers:
      typeof answers === 'boolean' ? Array.from({ length: questions }, () => answers) : answers,
    confirmer,
    digest,
    intent: shown.review.intent,
    review: review.name,
    ...(note !== undefined && { note }),
    ...(batch !== undefined && { batch: [...batch] }),
    ...(answer.for !== undefined && { for: answer.for }),
    ...(answer.shown !== undefined && { shown: answer.shown }),
  }
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'decision',
      tokens: [answer.intent, String(review.number), token(confirmer)],
      by: confirmer,
      at,
      signs: answer,
      content: () => said,
      refusal(state, placed) {
        const earlier = state.intents.get(answer.intent)?.decisions ?? []
        const refusal = decisionRefusal(state, review, placed, earlier)
        return refusal ?? attentionRefusal(state, placed)
      },
    },
    'decision_void',
  )
  if (appended) return fact
  const left = follower.state.intents.get(answer.intent)
  const isTheirs = left === undefined || left.decisions.some(({ name }) => name === fact.name)
  const what = isTheirs
    ? `\`${confirmer}\` has answered this already`
    : `\`${fact.name}\` is used by what counts for nothing: answer the next review of it`
  throw new Fault('decided', what)
}

// What a person says beside an answer, signed: that a browser answers for them for a few days, that
// another is to look, that they are away, and what they note. What would count for nothing is not
// bound.

/** Under which id it is bound; a new one if not said. */
interface Identified {
  readonly id?: string
}

type Words = 'handover' | 'enrolment' | 'absence' | 'note'

async function bound<K extends Words>(runtime: Runtime, signing: SignedFact<K>): Promise<Fact> {
  const { appended, fact } = await bindSigned(runtime, signing, 'word_void')
  if (!appended) throw new Fault('decided', `\`${signing.by}\` has said this already`)
  return fact
}

/** `sign` is a passkey’s: nothing else enrols the key of a browser. */
export interface Enrolling extends Identified {
  readonly confirmer: string
  /** `ed25519:` and base64url of 32 bytes. */
  readonly key: string
  /** The last moment, in milliseconds since 1970; at most seven days from now. Null ends it now. */
  readonly until: number | null
  readonly label?: string
  readonly sign: Sign
}

/** Throws a Fault `word_void` for what would count for nothing, as all of these do. */
export function enrolBrowser(runtime: Runtime, enrolling: Enrolling): Promise<Fact> {
  const { clock, ids } = runtime
  const { confirmer, key, until, label, id = ids.next(clock.now()) } = enrolling
  const end = until === null ? null : new Date(until).toISOString()
  return bound(runtime, {
    kind: 'enrolment',
    by: confirmer,
    tokens: [token(confirmer), id],
    signs: {
      sign(of, data) {
        const signature = enrolling.sign(of, data)
        if (PasskeySignature.safeParse(signature).success) return signature
        throw new Fault('word_void', 'nothing is bound: only a passkey enrols a browser')
      },
    },
    content: () => ({ confirmer, key, until: end, ...(label !== undefined && { label }) }),
    refusal(state, said) {
      const found = enrolmentOf(state, said)
      return 'refused' in found ? found.refused : null
    },
  })
}

export type HandingOver = SignsWith & {
  /** The address of the intent whose review is open. */
  readonly intent: string
  readonly confirmer: string
  readonly to: string
  readonly note?: string
}

/** It grants nothing: it says who should look. */
export async function handOver(runtime: Runtime, handing: HandingOver): Promise<Fact> {
  const { intent: address, confirmer, to, note } = handing
  const { open, review, shown } = await demandedReview(runtime, address)
  const { intent } = shown.review
  const said = { intent, review: review.name, confirmer, to }
  return bound(runtime, {
    kind: 'handover',
    by: confirmer,
    tokens: [address, String(review.number), token(confirmer)],
    signs: handing,
    content: () => ({ ...said, ...(note !== undefined && { note }) }),
    refusal: (state, placed) => handoverRefusal(state, open, placed),
  })
}

export type GoingAway = SignsWith &
  Identified & {
    readonly confirmer: string
    /** Who may answer meanwhile, and the last moment; both null for one who is back. */
    readonly deputy: string | null
    readonly until: number | null
    readonly note?: string
  }

export function sayAbsent(runtime: Runtime, leaving: GoingAway): Promise<Fact> {
  const { clock, ids } = runtime
  const { confirmer, deputy, until, note, id = ids.next(clock.now()) } = leaving
  const end = until === null ? null : new Date(until).toISOString()
  return bound(runtime, {
    kind: 'absence',
    by: confirmer,
    tokens: [token(confirmer), id],
    signs: leaving,
    content: () => ({ confirmer, deputy, until: end, ...(note !== undefined && { note }) }),
    refusal: absenceRefusal,
  })
}

export type NotingDown = SignsWith &
  Identified & {
    readonly by: string
    /** The address of an intent, or a position of the log. */
    readonly about: NoteData['about']
    readonly text: string
  }

export function noteDown(runtime: Runtime, noting: NotingDown): Promise<Fact> {
  const { clock, ids } = runtime
  const { by, about, text, id = ids.next(clock.now()) } = noting
  return bound(runtime, {
    kind: 'note',
    by,
    tokens: [id, token(by)],
    signs: noting,
    content: () => ({ by, about, text }),
    refusal: noteRefusal,
  })
}
