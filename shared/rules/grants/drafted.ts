// The grant that goes with a review, as far as the review and what a person chose say it: so a page
// computes it too, and signs no other one.
import type { GrantData, GrantedQuestion } from '#schemas/action/grant'
import type { Question, ReviewData } from '#schemas/review'
import { canonical, jsonOf } from '#record/canonical'
import { grantable } from './question.ts'

export type GrantContent = Omit<GrantData, 'signature'>

/** Which calls, for how long, and how many. */
export interface GrantClass {
  readonly confirmer: string
  /** CEL; `true` for all calls of the capability. */
  readonly when: string
  readonly uses: number
  /** Milliseconds since 1970. */
  readonly until: number
  readonly budget?: GrantData['budget']
  /** Instead of the agent of the review. */
  readonly agents?: readonly string[]
  readonly perCell?: true
  readonly note?: string
}

export interface DraftedGrant {
  readonly grant: GrantContent
  /** What the review asks and no grant answers: such calls are asked about. */
  readonly askedStill: readonly Question[]
}

/** What only the catalog says of it. */
export interface GrantedThere {
  readonly safetyClass: GrantData['safetyClass']
  /** Null where there is one log, or each cell has all of it. */
  readonly cell: number | null
}

/** Null where nothing that it asks can be answered beforehand. */
export function draftedGrant(
  { name, review }: { readonly name: string; readonly review: ReviewData },
  of: GrantClass,
  { safetyClass, cell }: GrantedThere,
): DraftedGrant | null {
  const { terms, intent } = review
  const found = review.questions.map(grantable)
  const questions = distinct(found.filter((question) => question !== null))
  // What is agreed to is for a subject, and later calls of the agent may be for others.
  if (questions.length === 0 || terms.subject !== undefined) return null
  const { confirmer, when, uses, until, budget, agents = [intent.agent], perCell, note } = of
  const values = valuesIn(review.questions)
  const grant = {
    confirmer,
    review: name,
    capability: terms.capability,
    safetyClass,
    agents: [...agents],
    when,
    ...(values.length > 0 && { values }),
    questions,
    uses,
    until: new Date(until).toISOString(),
    ...(budget !== undefined && { budget }),
    ...(cell !== null && { cell }),
    ...(perCell === true && { perCell }),
    ...(note !== undefined && { note }),
  }
  return { grant, askedStill: review.questions.filter((_, index) => found[index] === null) }
}

/** The class that the review showed. */
export function classIn(text: string): GrantData['safetyClass'] {
  return text === 'READ' || text === 'WRITE' ? text : 'DESTRUCTIVE'
}

function distinct(questions: readonly GrantedQuestion[]): GrantedQuestion[] {
  return [...new Map(questions.map((one) => [canonical(jsonOf(one)), one])).values()]
}

/** The values that are not known in this call are those that are answered for. */
function valuesIn(questions: readonly Question[]): NonNullable<GrantData['values']> {
  const values = new Map<string, NonNullable<GrantData['values']>[number]>()
  for (const question of questions) {
    if (question.value === undefined || grantable(question) === null) continue
    const { arg, kind, value } = question.value
    const key = `${kind} ${arg}`
    const among = values.get(key)?.among ?? []
    values.set(key, { arg, kind, among: [...among, value] })
  }
  return [...values.values()]
}
