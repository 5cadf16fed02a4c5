// From a person's answer to the fact: what is to be signed is computed here, compared with what the
// server prepared, signed on the device, and sent.
import { jsonOf, type JsonMap } from '#record/canonical'
import { isJustified } from '#rules/chain/justification'
import { cardTexts } from '#present/console/card-text'
import { language } from '#present/console/labels'
import type { CardAnswer } from '#schemas/console/reviews'
import { noteTogether, isBatchOf } from '../attending/answers-left.ts'
import { askServer, PageProblem } from '../shell/requests.ts'
import { person, session } from '../shell/session.ts'
import { browserSignature, keptBrowserKey, type BrowserKey } from '../signing/browser-key.ts'
import {
  checkContent,
  digestHere,
  type Signable,
  type ExpectedContent,
} from '../signing/challenge.ts'
import { devKeyOf } from '../signing/dev-key.ts'
import { passkeySignature } from '../signing/passkey.ts'
import { memberMap } from '../signing/members.ts'

export interface DecidingHere {
  readonly card: CardAnswer
  readonly approves: boolean
  readonly note: string
  /** In whose place the person answers; null for their own answer. */
  readonly instead: string | null
  /** What signs it; null for the passkey. */
  readonly key: BrowserKey | null
  /** The names of the reviews that are answered together with it, and wait. */
  readonly together?: readonly string[]
}

/** Whether the answer lacks the reason that it takes. */
export function isNoteMissing({ card, approves, note }: Omit<DecidingHere, 'instead' | 'key'>) {
  const { approving, declining } = card.demands.reason
  const min = approves ? approving : declining
  return min > 0 && !isJustified(note, min)
}

/** What is asked for. */
async function drawnUp({ card, approves, note, instead }: DecidingHere): Promise<JsonMap> {
  const { review } = card
  const digest = await digestHere(jsonOf(cardTexts(card)))
  return {
    answers: review.questions.map(() => approves),
    digest: review.digest,
    shown: { digest, language },
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(instead !== null && { for: instead }),
  }
}

export async function decideHere(deciding: DecidingHere): Promise<void> {
  const { card, key, together: batch = [] } = deciding
  const who = person.value
  if (who === null) throw new PageProblem('signed_out')
  const drawn = await drawnUp(deciding)
  const body = batch.length === 0 ? drawn : { ...drawn, batch: [...batch] }
  const at = { in: { intent: card.intent } }
  const { toSign } = await askServer('answerPrepare', '/reviews/{intent}/prepare', { ...at, body })
  checkContent(toSign, expectedAnswer(toSign, { card, body: drawn, confirmer: who.id, batch }))
  const signed = key === null ? await signedByPerson(toSign) : await signedByKey(toSign, key)
  await askServer('answerSubmit', '/reviews/{intent}/submit', { ...at, body: { ...body, signed } })
  noteTogether(batch)
}

/**
 * What is sent back: the content as it was prepared, and the signature of the person's passkey, or
 * in a page of `warrant dev` of the key that came with its link.
 */
export async function signedByPerson(toSign: Signable): Promise<JsonMap> {
  const who = person.value
  const rpId = session.value?.rpId ?? null
  if (who === null) throw new PageProblem('signed_out')
  if (session.value?.dev === true) return signedByKey(toSign, devKeyOf(who.id))
  if (rpId === null) throw new PageProblem('no_passkeys')
  const allowed = who.passkeys.map(({ id }) => id)
  const signature = await passkeySignature(toSign, { rpId, allowed })
  return signedThat(toSign, signature)
}

async function signedByKey(toSign: Signable, key: BrowserKey): Promise<JsonMap> {
  return signedThat(toSign, await browserSignature(toSign, key))
}

function signedThat({ of, data }: Signable, signature: object): JsonMap {
  return { of: { ...of }, data: jsonOf(data), signature: jsonOf(signature) }
}

/** The key of this browser, where the review admits it and the log still lets it sign. */
export async function keyFor({ demands }: Pick<CardAnswer, 'demands'>): Promise<BrowserKey | null> {
  const who = person.value
  if (demands.signedWith !== 'browser' || who === null) return null
  const kept = await keptBrowserKey(who.id)
  if (kept === null) return null
  const { browsers } = await askServer('browsers', '/browsers').catch(() => ({ browsers: [] }))
  return browsers.some(({ key }) => key === kept.publicKey) ? kept : null
}

/** As whom the person may answer, first as themselves: null, or the one who is away. */
export function placesIn({ review, deputies }: CardAnswer): readonly (string | null)[] {
  const id = person.value?.id
  const others = deputies.filter((one) => one.person === id).map(({ instead }) => instead)
  return review.confirmers.some((one) => one === id) ? [null, ...others] : others
}

// What has to be signed for an answer: a decision, and beyond the answers of a day the batch that
// it belongs to.

interface AnswerDrawn {
  readonly card: CardAnswer
  /** What was sent, without what it is answered together with. */
  readonly body: JsonMap
  readonly confirmer: string
  /** The names of what is answered together with it. */
  readonly batch: readonly string[]
}

/** `main.1.review.…` is answered by `main.1.decision.…`. */
function expectedAnswer(
  { data }: Signable,
  { card, body, confirmer, batch }: AnswerDrawn,
): ExpectedContent {
  const { name, review, answersLeft } = card
  const named = memberMap(data).get('batch')
  const isKnown = isBatchOf(named, [...batch, name, ...(answersLeft?.batch ?? [])])
  const content = { ...body, confirmer, intent: { ...review.intent }, review: name }
  return {
    log: review.log,
    name: `${name.replace('.review.', '.decision.')}.`,
    data: isKnown ? { ...content, batch: jsonOf(named) } : content,
  }
}
