// What people are asked by one question, in one sentence. A browser draws it at once, so it stands
// on little.
import { quoted } from '#record/quote'
import type { Question } from '#schemas/review'
import { justificationCharacters } from '#schemas/rules/justification'
import { unknownText } from './value-text.ts'

/** What a person is asked by a question. */
export function questionAsked(question: Question): string {
  const { kind, message, policy, source, rule, value, characters, intent, level, quorum } = question
  switch (kind) {
    case 'condition':
      return message ?? `the rule ${quoted(rule ?? '')} asks for confirmation. Proceed?`
    case 'policy':
      return message ?? `${quoted(source ?? policy ?? '')} needs confirmation. Proceed?`
    case 'justification': {
      const min = characters ?? justificationCharacters
      return `why should it run? A reason of at least ${min} characters is needed`
    }
    case 'safety_review':
      return 'the agent marked its own message for review: may it go on?'
    case 'requires_human':
      return 'the agent says that a person must decide: may it go on?'
    case 'unearned_confidence':
      return 'the agent claims high confidence and cites nothing for it: may it go on?'
    case 'released':
      return 'what it lacked was added, and no one saw what it would do: may it go on?'
    case 'value_unknown':
      return value === undefined
        ? 'a value in it is not known: may it go on?'
        : `${unknownText(value)}: may it be used?`
    case 'standing':
      return standingAsked(level ?? 'strict', quorum)
    case 'outcome_unknown':
      return `the same call of ${intent ?? 'an intent'} may have been done: may it run again?`
  }
}

function standingAsked(level: string, quorum: number | undefined): string {
  const many = quorum === undefined || quorum === 1 ? '' : ` At least ${quorum} must agree.`
  return `the agent's standing is ${level}: may it go on?${many}`
}
