// What a golden log has of all that a log can have: what is not in it, no replay of it proves.
import { readEvent } from '#core/kernel/event'
import { kindTokens, partsInRealm, type Kind } from '#core/kernel/names'
import type { Fact } from '#ports/log'
import { OutcomeData, ResumeData, VerdictData, type DataKind } from '#schemas/facts'
import { ReviewData } from '#schemas/review'
import { ResumeReason, RulingData, RulingWord } from '#schemas/learning'
import { reasonCodes } from '#schemas/reasons'
import type { z } from 'zod'

/** Names of what has to be there, such as `kind hold` or `reason declined`. */
export function everything(): readonly string[] {
  return [
    ...Object.keys(kindTokens).map((kind) => `kind ${kind}`),
    ...reasonCodes.map((code) => `reason ${code}`),
    ...ResumeReason.shape.code.options.map((code) => `resume ${code}`),
    ...RulingWord.options.map((word) => `ruling ${word}`),
    ...OutcomeData.shape.outcome.options.flatMap((word) => [
      `outcome ${word}`,
      `ownoutcome ${word}`,
    ]),
    ...ReviewData.shape.tier.options.map((tier) => `tier ${tier}`),
    'verdict allow',
    'verdict observed',
    'verdict released',
    'review again',
    'era 2',
  ]
}

/** What is there, by the same names. */
export function found(facts: readonly Fact[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const fact of facts) {
    const parts = partsInRealm(fact.name, 'main')
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
      const { outcome, observed, release, reasons } = dataOf(kind, VerdictData, fact)
      return [
        `verdict ${outcome}`,
        ...(observed ? ['verdict observed'] : []),
        ...(release === null ? [] : ['verdict released']),
        ...reasons.map(({ code }) => `reason ${code}`),
      ]
    }
    case 'review': {
      const { tier, number } = dataOf(kind, ReviewData, fact)
      return [`tier ${tier}`, ...(number > 1 ? ['review again'] : [])]
    }
    case 'resume':
      return [`resume ${dataOf(kind, ResumeData, fact).reason.code}`]
    case 'ruling':
      return [`ruling ${dataOf(kind, RulingData, fact).ruling}`]
    case 'outcome':
    case 'ownoutcome':
      return [`${kind} ${dataOf(kind, OutcomeData, fact).outcome}`]
    default:
      return []
  }
}

function dataOf<T>(kind: DataKind, schema: z.ZodType<T>, fact: Fact): T {
  const reading = readEvent(kind, schema, fact)
  if (!reading.ok) throw new Error(`\`${fact.name}\`: ${reading.why}`)
  return reading.event.data
}
