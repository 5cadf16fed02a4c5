// Counts what people make of the questions that they are asked, as the facts are folded: by person
// and by rule. It counts answers that count alone; who may see what is counted of a person is
// decided elsewhere.
import {
  attentionTaken,
  quickMsMax,
  type AskingRule,
  type AttentionTaken,
} from '#state/slices/attention/taken'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import type { Question } from '#schemas/review'
import type { MeantOptions } from '../finding/filter.ts'
import { isOfAgents, isInTime } from '../finding/meant-of.ts'

const dayMs = 86_400_000

export interface AnswerCounts {
  agreed: number
  declined: number
  /** Within three seconds of the question, or of the same person’s answer before. */
  quick: number
  /** From the question to the answer, each in milliseconds. */
  readonly waitsMs: number[]
}

export interface PersonCounts extends AnswerCounts {
  /** Reviews that this person might answer. */
  asked: number
  /** Of these: those that expired without an answer of this person. */
  unanswered: number
  /** How many came on each day, by days since 1970. */
  readonly days: Map<number, number>
}

export interface RuleCounts extends AnswerCounts {
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

function newAnswerCounts(): AnswerCounts {
  return { agreed: 0, declined: 0, quick: 0, waitsMs: [] }
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

/**
 * Takes each fact once it is folded, or what was read of it. A review counts when people were asked
 * within the time.
 */
export function countingAttention(into: AttentionCounts, options: MeantOptions) {
  const open = new Map<string, Asked>()
  const answeredAt = new Map<string, number>()
  const add = (taken: AttentionTaken): void => {
    switch (taken.what) {
      case 'asked': {
        close(into, open, { address: taken.address, at: taken.at, expired: false })
        if (isMeant(options, taken)) open.set(taken.address, asking(into, taken))
        return
      }
      case 'answered': {
        const asked = open.get(taken.address)
        const before = answeredAt.get(taken.confirmer) ?? 0
        answeredAt.set(taken.confirmer, taken.at)
        const isMeantOf = options.askedOf === undefined || options.askedOf === taken.confirmer
        if (asked?.name === taken.review && isMeantOf) answer(into, asked, { ...taken, before })
        return
      }
      case 'ended':
        close(into, open, taken)
    }
  }
  return {
    add,
    take(fact: Fact, folded: Pick<Folded, 'parts' | 'void'>, state: State): void {
      const taken = attentionTaken(fact, folded, state)
      if (taken !== null) add(taken)
    },
  }
}

type TakenOf<What> = Extract<AttentionTaken, { readonly what: What }>

function isMeant(options: MeantOptions, asked: TakenOf<'asked'>): boolean {
  if (!isInTime(options, asked.at) || !isOfAgents(options, asked.agent)) return false
  if (options.askedOf !== undefined && !asked.people.includes(options.askedOf)) return false
  return options.tool?.includes(asked.capability) !== false
}

function asking(into: AttentionCounts, taken: TakenOf<'asked'>): Asked {
  const { name, at: openedAt, people: confirmers } = taken
  into.reviews += 1
  into.firstAt ??= openedAt
  into.firstAt = Math.min(into.firstAt, openedAt)
  into.lastAt = Math.max(into.lastAt, openedAt)
  const day = Math.floor(openedAt / dayMs)
  for (const id of confirmers) {
    const person = personIn(into, id)
    person.asked += 1
    person.days.set(day, (person.days.get(day) ?? 0) + 1)
  }
  const rules = taken.rules.map((of) => {
    const rule = ruleIn(into, of)
    rule.questions += 1
    return rule
  })
  return { name, openedAt, confirmers, rules, answeredBy: new Set(), declined: new Set() }
}

function answer(
  into: AttentionCounts,
  { openedAt, rules, answeredBy, declined }: Asked,
  of: Pick<TakenOf<'answered'>, 'at' | 'confirmer' | 'answers'> & { readonly before: number },
): void {
  const { confirmer, answers, at, before } = of
  const waitMs = Math.max(0, at - openedAt)
  const isQuick = at - Math.max(openedAt, before) < quickMsMax
  const add = (counts: AnswerCounts, agrees: boolean): void => {
    if (agrees) counts.agreed += 1
    else counts.declined += 1
    if (isQuick) counts.quick += 1
    counts.waitsMs.push(waitMs)
  }
  answeredBy.add(confirmer)
  const agrees = answers.every((yes) => yes)
  add(into, agrees)
  add(personIn(into, confirmer), agrees)
  for (const [index, yes] of answers.entries()) {
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

function personIn({ people }: AttentionCounts, id: string): PersonCounts {
  const person = people.get(id) ?? {
    ...newAnswerCounts(),
    asked: 0,
    unanswered: 0,
    days: new Map(),
  }
  people.set(id, person)
  return person
}

function ruleIn({ rules }: AttentionCounts, of: AskingRule): RuleCounts {
  const key = JSON.stringify([of.kind, of.rule])
  const rule = rules.get(key) ?? {
    ...newAnswerCounts(),
    ...of,
    questions: 0,
    refused: 0,
    expired: 0,
  }
  rules.set(key, rule)
  return rule
}
