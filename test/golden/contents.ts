// What a golden log has of all that a log can have: what is not in it, no replay of it proves.
import { readEvent } from '#record/event'
import { partsInRealm } from '#record/names'
import type { ContentOf } from '#schemas/contents'
import { allKinds, type EventKind, type Kind } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import { OutcomeData } from '#schemas/facts'
import { ReviewData } from '#schemas/review'
import { ResumeReason, RulingWord } from '#schemas/learning'
import { reasonCodes } from '#schemas/reasons'
import { ValueFound, ValueKind } from '#schemas/values'

/** Settings that a catalog has from the start, or that a story changes. */
const settingKeys = [
  'limits',
  'trustedEvidence',
  'learning',
  'conditions',
  'defaults',
  'attention',
  'work',
]

/** Names of what has to be there, such as `kind hold` or `reason declined`. */
export function everything(): readonly string[] {
  return [
    ...allKinds.map((kind) => `kind ${kind}`),
    ...reasonCodes.map((code) => `reason ${code}`),
    ...ResumeReason.shape.code.options.map((code) => `resume ${code}`),
    ...RulingWord.options.map((word) => `ruling ${word}`),
    ...OutcomeData.shape.outcome.options.flatMap((word) => [
      `outcome ${word}`,
      `ownoutcome ${word}`,
    ]),
    ...ReviewData.shape.tier.options.map((tier) => `tier ${tier}`),
    ...ValueFound.shape.found.options.map((found) => `value ${found}`),
    ...ValueKind.options.map((kind) => `value of kind ${kind}`),
    'operation leave',
    'operation stay',
    'operation arrive',
    ...settingKeys.map((key) => `set ${key}`),
    'verdict allow',
    'verdict observed',
    'verdict released',
    'verdict found',
    'review again',
    'era 2',
  ]
}

/** What is there, by the same names. */
export function found(facts: readonly Fact[], realm: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const fact of facts) {
    const parts = partsInRealm(fact.name, realm)
    if (parts === null) continue
    names.add(`kind ${parts.kind}`)
    names.add(`era ${parts.place.era}`)
    for (const name of foundIn(parts.kind, fact)) names.add(name)
  }
  return names
}

function foundIn(kind: Kind, fact: Fact): readonly string[] {
  switch (kind) {
    case 'verdict': {
      const { outcome, observed, release, reasons, found: sought } = dataOf(kind, fact)
      return [
        `verdict ${outcome}`,
        ...(observed ? ['verdict observed'] : []),
        ...(release === null ? [] : ['verdict released']),
        ...(sought === undefined ? [] : ['verdict found']),
        ...reasons.map(({ code }) => `reason ${code}`),
        ...reasons.flatMap(({ params: { value } }) => {
          return value === undefined ? [] : [`value ${value.found}`]
        }),
      ]
    }
    case 'review': {
      const { tier, number, values = [] } = dataOf(kind, fact)
      return [
        `tier ${tier}`,
        ...(number > 1 ? ['review again'] : []),
        ...values.map(({ found }) => `value ${found}`),
        ...values.map((value) => `value of kind ${value.kind}`),
      ]
    }
    case 'catalog':
      return dataOf(kind, fact).operations.map((operation) => {
        return operation.op === 'set' ? `set ${operation.key}` : `operation ${operation.op}`
      })
    case 'resume':
      return [`resume ${dataOf(kind, fact).reason.code}`]
    case 'ruling':
      return [`ruling ${dataOf(kind, fact).ruling}`]
    case 'outcome':
    case 'ownoutcome':
      return [`${kind} ${dataOf(kind, fact).outcome}`]
    default:
      return []
  }
}

function dataOf<K extends EventKind>(kind: K, fact: Fact): ContentOf<K> {
  const reading = readEvent(kind, fact)
  if (!reading.ok) throw new Error(`\`${fact.name}\`: ${reading.why}`)
  return reading.event.data
}
