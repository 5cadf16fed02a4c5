// What people are asked, and what the checks of policies answered, in one line each.
import { quoted, short } from '#record/quote'
import type { Question } from '#schemas/review'
import type { CallbackAnswer } from '#schemas/callbacks'
import { faultText } from './fault-text.ts'
import { questionAsked } from './asking/question-asked.ts'

const textCharactersMax = 400

/** One question as it was put to people, with the rule that wants it. */
export function questionText(question: Question): string {
  const { policy = question.rule, source, target, callback } = question
  const edge = source === undefined ? '' : ` on ${quoted(source)} → ${quoted(target ?? '')}`
  const asked = short(questionAsked(question), textCharactersMax)
  const isNamed = policy === undefined || (edge === '' && asked.includes(quoted(policy)))
  const rule = isNamed ? '' : ` (rule ${quoted(policy)}${edge})`
  const check =
    callback === undefined || callback === null
      ? ''
      : `; its check ${callback.passed ? 'passed' : 'failed'}${whyText(callback.message)}`
  return `${asked}${rule}${check}`
}

/** What the check of one rule said. */
export function answerText(answer: CallbackAnswer): string {
  const { policy, source, target, passed, applies, fault, message, recorded } = answer
  const rule = `rule ${quoted(policy)} on ${quoted(source)} → ${quoted(target)}`
  const noted = recorded === true ? ', as it answered then' : ''
  if (fault !== undefined) return `${rule}: its check did not run: ${faultText(fault)}${noted}`
  if (applies === false) return `${rule}: does not apply here${whyText(message)}${noted}`
  return `${rule}: ${passed === true ? 'holds' : 'is broken'}${whyText(message)}${noted}`
}

function whyText(message: string | undefined): string {
  return message === undefined ? '' : `: ${short(message, textCharactersMax)}`
}
