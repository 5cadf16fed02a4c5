// What has changed between two reviews of one intent, in lines: people agreed to the first, and are
// asked again because of these.
import { canonical, jsonOf } from '#record/canonical'
import { quoted } from '#record/quote'
import type { Question, ReviewData, TriggeredPolicy } from '#schemas/review'
import { questionText } from './question-text.ts'
import { constraintsText } from './asking/constraint-text.ts'
import { foundText } from './asking/value-text.ts'
import { actingText, jsonText } from './wording.ts'

export function reviewChanges(before: ReviewData, after: ReviewData): readonly string[] {
  return [
    ...changed(before.questions, after.questions, (question: Question) => {
      return `question ${questionText(question)}`
    }),
    ...changed(before.policies, after.policies, policyText),
    ...changed(before.values ?? [], after.values ?? [], (value) => `value ${foundText(value)}`),
    ...termChanges(before.terms, after.terms),
    ...(before.quorum === after.quorum ? [] : [`quorum ${before.quorum} → ${after.quorum}`]),
    ...changed(before.confirmers, after.confirmers, (id: string) => `confirmer ${quoted(id)}`),
  ]
}

function changed<Item>(
  before: readonly Item[],
  after: readonly Item[],
  text: (item: Item) => string,
): readonly string[] {
  const had = new Set(before.map(keyOf))
  const has = new Set(after.map(keyOf))
  return [
    ...before.filter((item) => !has.has(keyOf(item))).map((item) => `removed: ${text(item)}`),
    ...after.filter((item) => !had.has(keyOf(item))).map((item) => `added: ${text(item)}`),
  ]
}

function keyOf(item: unknown): string {
  return canonical(jsonOf(item))
}

function policyText({ policy, source, target, result }: TriggeredPolicy): string {
  const said = result === null || 'fault' in result ? '' : result.passed ? ' passes' : ' fails'
  return `policy ${quoted(policy)} on ${quoted(source)} → ${quoted(target)}${said}`
}

function termText(terms: ReviewData['terms'], name: (typeof termNames)[number]): string {
  return name === 'constraints' ? constraintsText(terms.constraints) : jsonText(terms[name])
}

const termNames = ['capability', 'args', 'constraints', 'scope', 'useWithinMs'] as const

function termChanges(before: ReviewData['terms'], after: ReviewData['terms']): readonly string[] {
  const chains = [before, after].map(({ chain }) => (chain === undefined ? '' : actingText(chain)))
  const [had = '', has = ''] = chains.map((text) => (text === '' ? 'the agent alone' : text))
  return [
    ...termNames.flatMap((name) => {
      if (keyOf(before[name]) === keyOf(after[name])) return []
      return [`${name}: ${termText(before, name)} → ${termText(after, name)}`]
    }),
    ...(had === has ? [] : [`for whom: ${had} → ${has}`]),
  ]
}
