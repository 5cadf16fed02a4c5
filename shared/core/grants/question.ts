// Which questions a grant can answer, and whether it answers one. What a rule asks about a class of
// calls can be answered beforehand; what a message asks for itself, and a check that failed, cannot.
import type { GrantedQuestion } from '#schemas/action/grant'
import type { Question } from '#schemas/review'
import { kindOfValue } from '../known/kinds.ts'
import { tokensOf } from '../known/pointer.ts'
import type { GrantData } from '#schemas/action/grant'

/** The question as a grant names it; null for one that is asked each time. */
export function grantable(question: Question): GrantedQuestion | null {
  const { confirmation, message } = question
  const by = confirmation === undefined ? {} : { confirmation }
  const said = message === undefined ? by : { ...by, message }
  switch (question.kind) {
    case 'policy': {
      const { policy, source, target, callback } = question
      // Who overrules a check overrules it for this call.
      if (policy === undefined || callback?.passed === false) return null
      if (source === undefined || target === undefined) return null
      return { kind: 'policy', policy, source, target, ...said }
    }
    case 'condition': {
      const { rule } = question
      return rule === undefined ? null : { kind: 'condition', rule, ...said }
    }
    case 'value_unknown': {
      const { value } = question
      if (value === undefined || value.found === 'beyond') return null
      return { kind: 'value_unknown', arg: value.arg, value: value.kind, ...by }
    }
    default:
      return null
  }
}

/** Whether the grant answers it: a question that says something else than it did is a new one. */
export function answersQuestion(
  { questions, values = [] }: Pick<GrantData, 'questions' | 'values'>,
  question: Question,
): boolean {
  const asked = grantable(question)
  if (asked === null) return false
  return questions.some((one) => {
    if (one.confirmation !== asked.confirmation) return false
    if (one.kind === 'policy' && asked.kind === 'policy') {
      const isSame = one.policy === asked.policy && one.source === asked.source
      return isSame && one.target === asked.target && one.message === asked.message
    }
    if (one.kind === 'condition' && asked.kind === 'condition') {
      return one.rule === asked.rule && one.message === asked.message
    }
    if (one.kind !== 'value_unknown' || asked.kind !== 'value_unknown') return false
    if (one.value !== asked.value || !isAt(one.arg, asked.arg)) return false
    const text = question.value?.value ?? ''
    return values.some(({ arg, kind, among }) => {
      return arg === one.arg && kind === one.value && isAmong(kind, text, among)
    })
  })
}

/** Whether one of the values is the same by the rules of that kind. */
export function isAmong(
  kind: Parameters<typeof kindOfValue>[0],
  text: string,
  among: readonly string[],
): boolean {
  const of = kindOfValue(kind)
  const wanted = of.form(text)
  return wanted !== null && among.some((one) => of.form(one) === wanted)
}

// A token `*` of the pattern stands for every item or member.
function isAt(pattern: string, pointer: string): boolean {
  const wanted = tokensOf(pattern)
  const found = tokensOf(pointer)
  if (wanted.length !== found.length) return false
  return wanted.every((token, index) => token === '*' || token === found[index])
}
