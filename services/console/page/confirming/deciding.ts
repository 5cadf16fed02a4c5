// From a person's answer to the fact: what is to be signed is computed here, compared with what the
// server prepared, signed on the device, and sent.
import { jsonOf, type Json, type JsonMap } from '#core/kernel/canonical'
import { isJustified } from '#core/rules/justification'
import { cardTexts } from '#present/console/card-text'
import { language } from '#present/console/labels'
import type { CardAnswer } from '#schemas/console/reviews'
import { askServer, PageProblem } from '../shell/requests.ts'
import { person, session } from '../shell/session.ts'
import { checkContent, digestHere, type Signable } from '../signing/challenge.ts'
import { passkeySignature } from '../signing/passkey.ts'

export interface DecidingHere {
  readonly card: CardAnswer
  readonly approves: boolean
  readonly note: string
}

/** Whether the answer lacks the reason that it takes. */
export function isNoteMissing({ card, approves, note }: DecidingHere): boolean {
  const { approving, declining } = card.demands.reason
  const min = approves ? approving : declining
  return min > 0 && !isJustified(note, min)
}

interface Drawn {
  readonly body: JsonMap
  readonly expected: Json
}

/** What is asked for, and what has to be signed for it. */
async function drawnUp({ card, approves, note }: DecidingHere, who: string): Promise<Drawn> {
  const { review, name } = card
  const digest = await digestHere(jsonOf(cardTexts(card)))
  const body = {
    answers: review.questions.map(() => approves),
    digest: review.digest,
    shown: { digest, language },
    ...(note.trim() !== '' && { note: note.trim() }),
  }
  return { body, expected: { ...body, confirmer: who, intent: { ...review.intent }, review: name } }
}

/** `main.1.review.…` is answered by `main.1.decision.…`. */
function decisionName({ name }: CardAnswer): string {
  return `${name.replace('.review.', '.decision.')}.`
}

export async function decideHere(deciding: DecidingHere): Promise<void> {
  const { card } = deciding
  const who = person.value
  if (who === null) throw new PageProblem('signed_out')
  const { body, expected } = await drawnUp(deciding, who.id)
  const at = { in: { intent: card.intent } }
  const { toSign } = await askServer('answerPrepare', '/reviews/{intent}/prepare', { ...at, body })
  checkContent(toSign, { name: decisionName(card), log: card.review.log, data: expected })
  const signed = await signedByPasskey(toSign)
  await askServer('answerSubmit', '/reviews/{intent}/submit', { ...at, body: { ...body, signed } })
}

/** What is sent back: the content as it was prepared, and the signature of the person's passkey. */
export async function signedByPasskey(toSign: Signable): Promise<JsonMap> {
  const who = person.value
  const rpId = session.value?.rpId ?? null
  if (who === null) throw new PageProblem('signed_out')
  if (rpId === null) throw new PageProblem('no_passkeys')
  const allowed = who.passkeys.map(({ id }) => id)
  const signature = await passkeySignature(toSign, { rpId, allowed })
  return { of: { ...toSign.of }, data: jsonOf(toSign.data), signature: { ...signature } }
}
