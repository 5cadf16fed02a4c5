// Whether people have answered beforehand what they would be asked: the grants that a call rests
// on. Each is judged now, as its signer's own answer would be, and answers for its signer alone.
import type { UseData } from '#schemas/action/grant'
import type { CallbackAnswer } from '#schemas/callbacks'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { confirmationOf } from '#rules/catalog/catalog'
import { holdsKey } from '#rules/catalog/people/signed-words'
import { hasUsesLeft, noGrantUses, type Grant, type GrantUses } from '#rules/grants/book'
import { fitsClass } from '#rules/grants/class'
import { mayGrant } from '#rules/grants/grant'
import { answersQuestion, grantable } from '#rules/grants/question'
import type { ConditionInput } from '#conditions/input'
import type { Draft } from '#record/event'
import { cellIn, nameOf } from '#record/names'
import type { Question } from '#schemas/review'
import { lookedOutside } from './policies.ts'
import { canBeShown, panelOf, type Panel } from './review.ts'
import { sceneOf } from './scene/scene.ts'
import type { Inputs } from './stage.ts'
import { capabilityOf, type View } from './view.ts'
import type { Ground } from '#schemas/facts'

/** On so many a call may rest: a use of each is a fact. */
export const grantsOfCallMax = 16
/** So many grants are looked at for one call. */
const fittingMax = 256

/** A grant that fits the call. */
interface Fitted {
  readonly grant: Grant
  readonly amount: bigint
}

/** The grants that a call rests on, and the last moment at which it may be done. */
export interface Resting {
  readonly grants: readonly Fitted[]
  readonly useBy: number
}

/** Null where people have to be asked. */
export function restingOn(
  { view, context }: Pick<Inputs, 'view' | 'context'>,
  {
    questions,
    ground,
  }: { readonly questions: readonly Question[]; readonly ground: Ground | null },
): Resting | null {
  if (view.grants.length === 0 || !canBeShown(view)) return null
  // A grant answers for calls of its agents, not for questions about them.
  if (view.opening.request?.subject !== undefined) return null
  if (!questions.every((question) => isGrantable(view, question))) return null
  const panel = panelOf(view, context, questions)
  const input = sceneOf(view, context, ground)
  if (typeof panel === 'string' || input === null) return null
  const fitting = fittingOf(view, input, questions)
  const chosen: Fitted[] = []
  let signers = 0
  for (const signer of signersOf(fitting, panel)) {
    const own = fitting.filter(({ grant: { data } }) => data.confirmer === signer)
    const needed = answeringAll(own, questions)
    if (needed === null) continue
    chosen.push(...needed)
    signers += 1
    if (chosen.length > grantsOfCallMax) return null
    if (signers === panel.quorum) return { grants: chosen, useBy: useByOf(view, panel, chosen) }
  }
  return null
}

function isGrantable({ catalog, ...view }: View, question: Question): boolean {
  const { safetyClass } = capabilityOf({ catalog, ...view }) ?? {}
  const confirmation = confirmationOf(catalog, question.confirmation)
  if (safetyClass === undefined || confirmation === null) return false
  return grantable(question) !== null && mayGrant(confirmation, safetyClass)
}

// A condition can be dear: only what could matter is worked out, and no more than so many.
function fittingOf(
  view: View,
  input: ConditionInput,
  questions: readonly Question[],
): readonly Fitted[] {
  const mayFit = view.grants.filter((grant) => {
    if (!grant.data.agents.includes(view.ref.agent) || !stands(view, grant)) return false
    if (!isTaken(view, grant) && !hasUsesLeft(grant, usesOf(view, grant))) return false
    return questions.some((question) => answersQuestion(grant.data, question))
  })
  return inOrder(view, mayFit)
    .slice(0, fittingMax)
    .flatMap((grant) => {
      const fits = fitsClass(grant.data, input)
      const isFree = fits !== null && (isTaken(view, grant) || isLeft(view, grant, fits.amount))
      return isFree ? [{ grant, amount: fits.amount }] : []
    })
}

// With a key of now. Whether its signer may answer for this agent at all, the panel says.
function stands({ catalog, now, place }: View, { data, until, endedBy }: Grant): boolean {
  if (endedBy !== null || now > until) return false
  const { confirmer, signature, cell, perCell } = data
  const signer = catalog.principals.get(confirmer)
  if (signer === undefined || !holdsKey(signer, signature)) return false
  return perCell === true || cellIn(place.realm)?.index === cell
}

function isLeft(view: View, grant: Grant, amount: bigint): boolean {
  const { budget } = grant.data
  if (budget === undefined) return true
  return usesOf(view, grant).total + amount <= amountWritten(budget.max)
}

function isTaken({ intent }: View, { id }: Grant): boolean {
  return intent.grants?.some((one) => one.grant === id) === true
}

function usesOf({ grantUses }: View, { id }: Grant): GrantUses {
  return grantUses.get(id) ?? noGrantUses
}

// What the intent holds comes first, then what runs out first.
function inOrder(view: View, grants: readonly Grant[]): readonly Grant[] {
  const rank = (grant: Grant): number => (isTaken(view, grant) ? 0 : 1)
  return grants.toSorted((a, b) => {
    const first = rank(a) - rank(b) || a.until - b.until
    return first || (a.name < b.name ? -1 : 1)
  })
}

function signersOf(fitting: readonly Fitted[], { confirmers }: Panel): readonly string[] {
  const signers = new Set(fitting.map(({ grant: { data } }) => data.confirmer))
  return [...signers].filter((signer) => confirmers.includes(signer))
}

/** The first of one person's grants that together answer every question; null where none do. */
function answeringAll(
  own: readonly Fitted[],
  questions: readonly Question[],
): readonly Fitted[] | null {
  const chosen = new Set<Fitted>()
  for (const question of questions) {
    const answers = ({ grant: { data } }: Fitted): boolean => answersQuestion(data, question)
    const found = [...chosen].find(answers) ?? own.find(answers)
    if (found === undefined) return null
    chosen.add(found)
  }
  return [...chosen]
}

// As good for as long as an answer of now would be, and never for longer than the grant itself.
function useByOf({ now }: View, { useWithinMs }: Panel, chosen: readonly Fitted[]): number {
  return Math.min(now + useWithinMs, ...chosen.map(({ grant: { until } }) => until))
}

/** The next use that the intent must take of them; null where it has them all. */
export function grantDraft(
  view: View,
  { grants }: Resting,
  answers: readonly CallbackAnswer[],
): Draft<'use'> | null {
  const next = grants.find(({ grant }) => !isTaken(view, grant))
  if (next === undefined) return null
  const { grant, amount } = next
  const { sequence, taken } = usesOf(view, grant)
  const { confirmer, budget, uses } = grant.data
  const data: UseData = {
    intent: view.ref,
    grant: grant.name,
    confirmer,
    use: sequence.next,
    taken: taken + 1,
    uses,
    ...(budget !== undefined && { amount: amountText(amount), max: budget.max }),
    ...lookedOutside(answers),
  }
  return { kind: 'use', name: nameOf(view.place, 'use', grant.id, sequence.next), data }
}
