// Counts what people make of the questions that they are asked, as the facts are folded: by person
// and by rule. It counts answers that count alone; who may see what is counted of a person is
// decided elsewhere.
import { isCaught } from '#core/attention/drills'
import { readData } from '#core/kernel/event'
import { token } from '#core/kernel/names'
import { decisionRefusal } from '#core/state/decision'
import type { Folded } from '#core/state/folded'
import type { State } from '#core/state/state'
import type { Fact } from '#ports/log'
import type { DecisionData, Question, ReviewData } from '#schemas/review'
import type { MeantOptions } from '../meant.ts'

/** An answer that takes less time than this was hardly read for. */
const quickMsMax = 3_000
const dayMs = 86_400_000

export interface AnswerCounts {
  agreed: number
  declined: number
  /** Within three seconds of the question, or of the same person’s answer before. */
  quick: number
  /** From the question to the answer, each in milliseconds. */
  readonly waitsMs: number[]
}

/** Test questions: how often one was shown, declined as it had to be, and agreed to. */
export interface DrillCounts {
  drills: number
  caught: number
  missed: number
}

export interface PersonCounts extends AnswerCounts, DrillCounts {
  /** Reviews that this person might answer. */
  asked: number
  /** Of these: those that expired without an answer of this person. */
  unanswered: number
  /** How many came on each day, by days since 1970. */
  readonly days: Map<number, number>
}

export interface RuleCounts extends AnswerCounts, DrillCounts {
  readonly kind: Question['kind']
  /** The policy or the condition; null for what no one named. */
  readonly rule: string | null
  /** Questions that it asked. */
  questions: number
  /** Of these: those that someone declined, and those that expired. */
  refused: number
  expired: number
}

export interface AttentionCounts extends AnswerCounts {
  reviews: number
  expired: number
  /** How long agents waited for people, all together. */
  waitedMs: number
  firstAt: number | null
  lastAt: number
  readonly people: Map<string, PersonCounts>
  /** By `ruleKey`. */
  readonly rules: Map<string, RuleCounts>
}

export function newAttention(): AttentionCounts {
  const counts = { reviews: 0, expired: 0, waitedMs: 0, firstAt: null, lastAt: 0 }
  return { ...newAnswerCounts(), ...counts, people: new Map(), rules: new Map() }
}

function noDrillCounts(): DrillCounts {
  return { drills: 0, caught: 0, missed: 0 }
}

function newAnswerCounts(): AnswerCounts {
  return { agreed: 0, declined: 0, quick: 0, waitsMs: [] }
}

/** Which rule asks: what differs from call to call is no part of it. */
function ruleOf({ kind, policy, rule }: Pick<Question, 'kind' | 'policy' | 'rule'>) {
  return { kind, rule: policy ?? rule ?? null }
}

/** A review while its verdict is awaited. */
interface Asked {
  readonly name: string
  readonly openedAt: number
  readonly confirmers: readonly string[]
  /** The rule of each question. */
  readonly rules: readonly RuleCounts[]
  readonly answeredBy: Set<string>
  readonly declined: Set<number>
}

/** Takes each fact once it is folded. A review counts when it was opened within the time. */
export function countingAttention(into: AttentionCounts, options: MeantOptions) {
  const open = new Map<string, Asked>()
  const answeredAt = new Map<string, number>()
  const drills = new Map<string, readonly Question[]>()
  return {
    take(fact: Fact, { parts, void: why }: Pick<Folded, 'parts' | 'void'>, state: State): void {
      const address = parts?.address ?? null
      if (parts === null || why !== null) return
      if (parts.kind === 'drill' || parts.kind === 'drillanswer') takeDrill(into, drills, fact)
      if (address === null) return
      switch (parts.kind) {
        case 'review': {
          close(into, open, { address, at: fact.appendedAt, expired: false })
          const data = readData('review', fact)
          if (data === null || !isMeant(options, data, fact)) return
          open.set(address, asking(into, fact, data))
          return
        }
        case 'decision': {
          const asked = open.get(address)
          const data = readData('decision', fact)
          const { review = null, decisions = [] } = state.intents.get(address) ?? {}
          if (data === null || review === null) return
          if (decisionRefusal(state, review, { ...fact, data }, decisions) !== null) return
          const before = answeredAt.get(data.confirmer) ?? 0
          answeredAt.set(data.confirmer, fact.appendedAt)
          if (asked?.name !== review.name) return
          answer(into, asked, { data, at: fact.appendedAt, before })
          return
        }
        case 'verdict': {
          const reasons = readData('verdict', fact)?.reasons ?? []
          const expired = reasons.some(({ code }) => code === 'review_expired')
          close(into, open, { address, at: fact.appendedAt, expired })
          return
        }
        default:
      }
    },
  }
}

function isMeant(
  { since = 0, until = Infinity, agent, tool }: MeantOptions,
  { intent, terms }: ReviewData,
  { appendedAt }: Fact,
): boolean {
  if (appendedAt < since || appendedAt > until) return false
  if (agent?.some((each) => token(each) === token(intent.agent)) === false) return false
  return tool?.includes(terms.capability) !== false
}

function asking(into: AttentionCounts, fact: Fact, data: ReviewData): Asked {
  const { name, appendedAt: openedAt } = fact
  into.reviews += 1
  into.firstAt ??= openedAt
  into.firstAt = Math.min(into.firstAt, openedAt)
  into.lastAt = Math.max(into.lastAt, openedAt)
  const day = Math.floor(openedAt / dayMs)
  for (const id of data.confirmers) {
    const person = personIn(into, id)
    person.asked += 1
    person.days.set(day, (person.days.get(day) ?? 0) + 1)
  }
  const rules = data.questions.map((question) => {
    const rule = ruleIn(into, question)
    rule.questions += 1
    return rule
  })
  const { confirmers } = data
  return { name, openedAt, confirmers, rules, answeredBy: new Set(), declined: new Set() }
}

function answer(
  into: AttentionCounts,
  { openedAt, rules, answeredBy, declined }: Asked,
  of: { readonly data: DecisionData; readonly at: number; readonly before: number },
): void {
  const { data, at, before } = of
  const waitMs = Math.max(0, at - openedAt)
  const isQuick = at - Math.max(openedAt, before) < quickMsMax
  const add = (counts: AnswerCounts, agrees: boolean): void => {
    if (agrees) counts.agreed += 1
    else counts.declined += 1
    if (isQuick) counts.quick += 1
    counts.waitsMs.push(waitMs)
  }
  answeredBy.add(data.confirmer)
  const agrees = data.answers.every((yes) => yes)
  add(into, agrees)
  add(personIn(into, data.confirmer), agrees)
  for (const [index, yes] of data.answers.entries()) {
    const rule = rules[index]
    if (rule === undefined) continue
    add(rule, yes)
    if (yes || declined.has(index)) continue
    declined.add(index)
    rule.refused += 1
  }
}

// Also of a review that another one replaces: then no one has let it expire.
function close(
  into: AttentionCounts,
  open: Map<string, Asked>,
  of: { readonly address: string; readonly at: number; readonly expired: boolean },
): void {
  const asked = open.get(of.address)
  if (asked === undefined) return
  open.delete(of.address)
  into.waitedMs += Math.max(0, of.at - asked.openedAt)
  if (!of.expired) return
  into.expired += 1
  for (const rule of new Set(asked.rules)) {
    rule.expired += asked.rules.filter((one) => one === rule).length
  }
  for (const id of asked.confirmers) {
    if (!asked.answeredBy.has(id)) personIn(into, id).unanswered += 1
  }
}

// A drill is no review: what is answered to it is counted apart.
function takeDrill(
  into: AttentionCounts,
  drills: Map<string, readonly Question[]>,
  fact: Fact,
): void {
  const drill = readData('drill', fact)
  if (drill !== null) {
    const { questions } = drill.asks
    drills.set(fact.name, questions)
    for (const id of drill.shownTo) {
      personIn(into, id).drills += 1
      for (const rule of new Set(questions.map((one) => ruleIn(into, one)))) rule.drills += 1
    }
  }
  const answered = readData('drillanswer', fact)
  if (answered === null) return
  const came = isCaught(answered) ? 'caught' : 'missed'
  personIn(into, answered.confirmer)[came] += 1
  const questions = drills.get(answered.drill) ?? []
  for (const rule of new Set(questions.map((one) => ruleIn(into, one)))) rule[came] += 1
}

function personIn({ people }: AttentionCounts, id: string): PersonCounts {
  const person = people.get(id) ?? {
    ...newAnswerCounts(),
    ...noDrillCounts(),
    asked: 0,
    unanswered: 0,
    days: new Map(),
  }
  people.set(id, person)
  return person
}

function ruleIn({ rules }: AttentionCounts, question: Question): RuleCounts {
  const of = ruleOf(question)
  const key = JSON.stringify([of.kind, of.rule])
  const rule = rules.get(key) ?? {
    ...newAnswerCounts(),
    ...noDrillCounts(),
    ...of,
    questions: 0,
    refused: 0,
    expired: 0,
  }
  rules.set(key, rule)
  return rule
}
