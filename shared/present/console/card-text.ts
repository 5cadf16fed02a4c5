// The card of a review as texts: all that a person sees before they answer. The page draws exactly
// these, and the answer carries their digest, so that it can be shown later what was on the screen.
import { isKnown } from '#knowledge/known/known-value'
import { shortIntent } from '../approving.ts'
import { hasFailed, saidBy } from '../asking/policy-results.ts'
import { questionAsked } from '../asking/question-asked.ts'
import type { Question, ReviewData, TriggeredPolicy } from '#schemas/review'
import type { CardAnswer } from '#schemas/console/reviews'
import type { ValueFound } from '#schemas/values'
import { counted, duration } from '../wording.ts'
import { labels } from './labels.ts'
import { titleOf } from './name-words.ts'
import { argumentRows, type ArgumentRow } from './argument-rows.ts'

/** What is drawn of a card; `asks` of a question is what people wrote or we did. */
export interface CardTexts {
  readonly title: string
  readonly lead: string
  readonly weight: 'reads' | 'changes' | 'destroys'
  readonly weightText: string
  readonly sensitivity: string | null
  readonly description: string
  readonly arguments: readonly ArgumentRow[]
  readonly who: readonly string[]
  readonly goal: string | null
  readonly justification: string | null
  readonly questions: readonly QuestionTexts[]
  readonly agreed: string
  readonly useWithin: string
  readonly warnings: readonly string[]
}

export interface QuestionTexts {
  readonly asks: string
  /** The rule that asks, by its name. */
  readonly rule: string | null
  /** What the rule's check said. */
  readonly check: string | null
}

/** Against the last call that people approved. */
export function comparedText(rows: readonly ArgumentRow[], hasLast: boolean): string {
  if (!hasLast) return labels.card.noneBefore
  const differs = rows.some((row) => row.differs !== 'same')
  return differs ? labels.card.comparedTo : labels.card.sameAsLast
}

interface Weight {
  readonly weight: CardTexts['weight']
  readonly text: string
}

const weights = {
  READ: { weight: 'reads', text: 'It only reads.' },
  WRITE: { weight: 'changes', text: 'It changes something.' },
  DESTRUCTIVE: { weight: 'destroys', text: 'It cannot be undone.' },
} as const satisfies Readonly<Record<string, Weight>>

const unknownWeight: Weight = {
  weight: 'destroys',
  text: 'It is not known whether it can be undone.',
}

function isWeight(text: string): text is keyof typeof weights {
  return Object.hasOwn(weights, text)
}

/** What a call of that class does to the world, at a glance. */
export function weightOf(safetyClass: string): Weight {
  return isWeight(safetyClass) ? weights[safetyClass] : unknownWeight
}

const sensitivities: ReadonlyMap<string, string> = new Map([
  ['PII', 'Touches data about persons.'],
  ['PCI', 'Touches payment cards.'],
  ['SECRETS', 'Touches secrets.'],
  ['MEMORY', 'Changes what agents remember.'],
])

type Shown = Pick<CardAnswer, 'review' | 'waits' | 'differs' | 'lastApproved'>

export function cardTexts(card: Shown): CardTexts {
  const { review } = card
  const { shown, terms } = review
  const { weight, text } = weightOf(shown.safetyClass)
  return {
    title: titleOf(terms.capability),
    lead: leadText(review),
    weight,
    weightText: text,
    sensitivity: sensitivities.get(shown.sensitivity) ?? null,
    description: shown.description,
    arguments: argumentRows(terms.args, review.values ?? [], card.differs ?? []),
    who: whoLines(review),
    goal: shown.goal,
    justification: shown.justification,
    questions: review.questions.map(questionTexts),
    agreed: agreedLine(card),
    useWithin: duration(terms.useWithinMs),
    warnings: warningLines(review),
  }
}

function leadText({ intent, shown, terms }: ReviewData): string {
  const whose = shown.owner === null ? '' : `, the agent of ${shown.owner},`
  const whom = terms.subject === undefined ? '' : ` for ${terms.subject}`
  return `${intent.agent}${whose} asks${whom} to use ${terms.capability}`
}

function whoLines({ intent, shown, terms }: ReviewData): readonly string[] {
  const chain = terms.chain ?? []
  return [
    `Agent ${intent.agent}`,
    shown.owner === null ? 'It belongs to no one.' : `It belongs to ${shown.owner}.`,
    ...(terms.subject === undefined ? [] : [`It asks for ${terms.subject}, by whose rights.`]),
    ...(chain.length < 2 ? [] : [`The task came from ${chain.slice(0, -1).join(', then ')}.`]),
    ...(intent.session === null ? [] : [`Session ${intent.session}`]),
    `Intent ${shortIntent(intent.address)}`,
  ]
}

function questionTexts(question: Question): QuestionTexts {
  const { policy, source, target, rule, callback } = question
  const edge = source === undefined ? '' : ` on ${source} → ${target ?? ''}`
  const name = policy ?? rule
  return {
    asks: sentence(questionAsked(question)),
    rule: name === undefined ? null : `${name}${edge}`,
    check: checkText(callback),
  }
}

function checkText(callback: Question['callback']): string | null {
  if (callback === undefined || callback === null) return null
  const said = callback.message === undefined ? '' : `: ${callback.message}`
  return `Its check ${callback.passed ? 'passed' : 'failed'}${said}`
}

/** A phrase of ours begins like a sentence; what people wrote stays as it is. */
function sentence(text: string): string {
  return /^[a-z]/.test(text) ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text
}

function agreedLine({ review, waits }: Pick<Shown, 'review' | 'waits'>): string {
  const { quorum, tier } = review
  const agreed = waits?.agreed ?? []
  if (tier === 'confirm') return 'Your answer decides.'
  const needed = `It needs ${counted(quorum, 'person').replace('persons', 'people')}`
  return agreed.length === 0 ? `${needed}.` : `${needed}; ${agreed.join(', ')} agreed already.`
}

function warningLines({ values = [], policies, gaps }: ReviewData): readonly string[] {
  const unknown = values.filter((value) => !isKnown(value))
  const failed = policies.filter(hasFailed)
  return [
    ...(unknown.length === 0 ? [] : [unknownValues(unknown)]),
    ...failed.map(failedText),
    ...(gaps.length === 0 ? [] : [`${counted(gaps.length, 'concept')} not known in the graph.`]),
  ]
}

function failedText(triggered: TriggeredPolicy): string {
  const said = saidBy(triggered)
  return `The check of ${triggered.policy} failed${said === null ? '.' : `: ${said}`}`
}

function unknownValues(values: readonly ValueFound[]): string {
  const [first] = values
  const is = values.length === 1 ? 'One value comes' : `${values.length} values come`
  return `${is} from nothing that the agent was given, such as ${first?.value ?? ''}.`
}
