// The grant that goes with a review: it answers what that review asks, for a class of later
// calls.
import type { GrantData, GrantedQuestion } from '#schemas/action/grant'
import type { Question, ReviewData } from '#schemas/review'
import type { Capability } from '#schemas/catalog'
import { cellOf } from '../catalog/cells.ts'
import type { Catalog } from '../catalog/catalog.ts'
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

/** Null where nothing that it asks can be answered beforehand. */
export function grantBeside(
  catalog: Catalog,
  { name, review }: { readonly name: string; readonly review: ReviewData },
  of: GrantClass,
): DraftedGrant | null {
  const { terms, shown, intent } = review
  const found = review.questions.map(grantable)
  const questions = distinct(found.filter((question) => question !== null))
  // What is agreed to is for a subject, and later calls of the agent may be for others.
  if (questions.length === 0 || terms.subject !== undefined) return null
  const { confirmer, when, uses, until, budget, agents = [intent.agent], perCell, note } = of
  const safetyClass = catalog.capabilities.get(terms.capability)?.safetyClass
  const values = valuesIn(review.questions)
  const cell = perCell === true ? null : cellOf(catalog, agents[0] ?? '')
  const grant = {
    confirmer,
    review: name,
    capability: terms.capability,
    safetyClass: safetyClass ?? classIn(shown.safetyClass),
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

// A capability that is gone is refused for that.
function classIn(text: string): Capability['safetyClass'] {
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
