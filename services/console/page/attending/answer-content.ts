// What has to be signed for an answer: a decision, or the answer to a test question, which can
// never be one; and beyond the answers of a day the batch that it belongs to.
import { jsonOf, type Json, type JsonMap } from '#core/kernel/canonical'
import type { CardAnswer } from '#schemas/console/reviews'
import { memberMap } from '../signing/members.ts'
import type { ExpectedContent, Signable } from '../signing/challenge.ts'
import { isBatchOf } from './answers-left.ts'

export interface AnswerDrawn {
  readonly card: CardAnswer
  /** What was sent, without what it is answered together with. */
  readonly body: JsonMap
  readonly confirmer: string
  /** The names of what is answered together with it. */
  readonly batch: readonly string[]
}

/** By the name under which the server would bind it. */
export function expectedAnswer(toSign: Signable, drawn: AnswerDrawn): ExpectedContent {
  const { log } = drawn.card.review
  return { log, ...(isDecision(toSign) ? asDecision(toSign, drawn) : asDrill(drawn)) }
}

export function isDecision({ of }: Pick<Signable, 'of'>): boolean {
  const [, , kind] = of.name.split('.')
  return kind !== 'drillanswer'
}

type Named = Omit<ExpectedContent, 'log'>

/** `main.1.review.…` is answered by `main.1.decision.…`. */
function asDecision({ data }: Signable, { card, body, confirmer, batch }: AnswerDrawn): Named {
  const { name, review, answersLeft } = card
  const named = memberMap(data).get('batch')
  const isKnown = isBatchOf(named, [...batch, name, ...(answersLeft?.batch ?? [])])
  const content = { ...body, confirmer, intent: { ...review.intent }, review: name }
  return {
    name: `${name.replace('.review.', '.decision.')}.`,
    data: isKnown ? { ...content, batch: jsonOf(named) } : content,
  }
}

/** Its name has the id under which it was shown. */
function asDrill({ card, body, confirmer }: AnswerDrawn): Named {
  const [realm, era] = card.name.split('.')
  const id = card.intent.split('.').at(-1) ?? ''
  const { shown: _, ...said } = body
  const data: Json = { ...said, confirmer, drill: `${realm}.${era}.drill.${id}` }
  return { name: `${realm}.${era}.drillanswer.${id}.`, data }
}
