// What a person says beside an answer, signed: that a browser answers for them for a few days, that
// another is to look, that they are away, and what they note. What would count for nothing is not
// bound.
import type { AbsenceData, EnrolmentData, HandoverData, NoteData } from '#schemas/people/said'
import { PasskeySignature } from '#schemas/values'
import { jsonOf } from '#record/canonical'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import type { Sign } from '#record/signature'
import {
  absenceRefusal,
  enrolmentOf,
  handoverRefusal,
  noteRefusal,
} from '#state/slices/people/saying'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'

/** Under which id it is bound; a new one if not said. */
interface Identified {
  readonly id?: string
}

type Words = 'handover' | 'enrolment' | 'absence' | 'note'

interface Saying {
  readonly kind: Words
  readonly by: string
  readonly tokens: readonly string[]
  /** The content as it is signed under that name, or why it would count for nothing. */
  readonly signed: (name: string) => object | string
}

async function bound(runtime: Runtime, { kind, by, tokens, signed }: Saying): Promise<Fact> {
  const { follower, clock } = runtime
  const bytes = (name: string): Uint8Array => {
    const data = signed(name)
    if (typeof data === 'string') throw new Fault('word_void', `nothing is bound: ${data}`)
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `confirmer/${token(by)}`, time, basis: follower.state.position }
    return writeEvent(kind, name, jsonOf(data), stamp)
  }
  const { appended, fact } = await bindInEra(runtime, { kind, tokens, bytes })
  if (!appended) throw new Fault('decided', `\`${by}\` has said this already`)
  await follower.reached(fact.position)
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
  const { follower, clock, ids } = runtime
  const { confirmer, key, until, label, id = ids.next(clock.now()) } = enrolling
  const end = until === null ? null : new Date(until).toISOString()
  const content = { confirmer, key, until: end, ...(label !== undefined && { label }) }
  const signed = (name: string): EnrolmentData | string => {
    const { state } = follower
    const made = enrolling.sign({ log: state.log, name }, jsonOf(content))
    const signature = PasskeySignature.safeParse(made)
    if (!signature.success) return 'only a passkey enrols a browser'
    const data = { ...content, signature: signature.data }
    const found = enrolmentOf(state, { name, appendedAt: clock.now(), data })
    return 'refused' in found ? found.refused : data
  }
  return bound(runtime, {
    kind: 'enrolment',
    by: confirmer,
    tokens: [token(confirmer), id],
    signed,
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
  const { follower, clock } = runtime
  const { intent: address, confirmer, to, note } = handing
  const open = follower.state.intents.get(address)
  const shown = open === undefined ? null : await openReviewOf(runtime, open)
  const review = open?.review ?? null
  if (open === undefined || shown === null || review === null) {
    throw new Fault('no_review', `no review of \`${address}\` is open`)
  }
  const { intent } = shown.review
  const content = {
    intent,
    review: review.name,
    confirmer,
    to,
    ...(note !== undefined && { note }),
  }
  const signed = (name: string): HandoverData | string => {
    const { state } = follower
    const signature = signerOf(handing)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, signature }
    return handoverRefusal(state, open, { name, appendedAt: clock.now(), data }) ?? data
  }
  const tokens = [address, String(review.number), token(confirmer)]
  return bound(runtime, { kind: 'handover', by: confirmer, tokens, signed })
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
  const { follower, clock, ids } = runtime
  const { confirmer, deputy, until, note, id = ids.next(clock.now()) } = leaving
  const end = until === null ? null : new Date(until).toISOString()
  const content = { confirmer, deputy, until: end, ...(note !== undefined && { note }) }
  const signed = (name: string): AbsenceData | string => {
    const { state } = follower
    const signature = signerOf(leaving)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, signature }
    return absenceRefusal(state, { name, appendedAt: clock.now(), data }) ?? data
  }
  return bound(runtime, { kind: 'absence', by: confirmer, tokens: [token(confirmer), id], signed })
}

export type NotingDown = SignsWith &
  Identified & {
    readonly by: string
    /** The address of an intent, or a position of the log. */
    readonly about: NoteData['about']
    readonly text: string
  }

export function noteDown(runtime: Runtime, noting: NotingDown): Promise<Fact> {
  const { follower, clock, ids } = runtime
  const { by, about, text, id = ids.next(clock.now()) } = noting
  const content = { by, about, text }
  const signed = (name: string): NoteData | string => {
    const { state } = follower
    const signature = signerOf(noting)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, signature }
    return noteRefusal(state, { name, data, position: state.position + 1 }) ?? data
  }
  return bound(runtime, { kind: 'note', by, tokens: [id, token(by)], signed })
}
