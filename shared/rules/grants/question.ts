// Which questions a grant can answer, and whether it answers one. What a rule asks about a class
// of calls can be answered beforehand; what a message asks for itself, and a check that failed,
// cannot.
import type { GrantData, GrantedQuestion } from '#schemas/action/grant'
import type { Question } from '#schemas/review'
import { canonical, jsonOf } from '#record/canonical'
import { kindOfValue } from '#knowledge/known/kinds'
import { tokensOf } from '#knowledge/known/pointer'

/** The question as a grant names it; null for one that is asked each time. */
export function grantable(question: Question): GrantedQuestion | null {
  const { kind, confirmation, message, callback, value } = question
  const { policy, source, target, rule } = question
  const by = confirmation === undefined ? {} : { confirmation }
  const text = message === undefined ? by : { ...by, message }
  if (kind === 'value_unknown') {
    if (value === undefined || value.found === 'beyond') return null
    return { kind, arg: value.arg, value: value.kind, ...by }
  }
  if (kind === 'condition') return rule === undefined ? null : { kind, rule, ...text }
  if (policy === undefined || source === undefined || target === undefined) return null
  // Who overrules a check overrules it for this call.
  if (callback?.passed === false) return null
  return { kind: 'policy', policy, source, target, ...text }
}

/** Whether the grant answers it: a question that says something else than it did is a new one. */
export function answersQuestion(
  { questions, values = [] }: Pick<GrantData, 'questions' | 'values'>,
  question: Question,
): boolean {
  const asked = grantable(question)
  if (asked === null) return false
  if (asked.kind !== 'value_unknown') return questions.some((one) => isSame(one, asked))
  const text = question.value?.value ?? ''
  return questions.some((one) => {
    if (one.kind !== 'value_unknown' || one.value !== asked.value) return false
    if (one.confirmation !== asked.confirmation || !isAt(one.arg, asked.arg)) return false
    return values.some(({ arg, kind, among }) => {
      return arg === one.arg && kind === one.value && isAmong(kind, text, among)
    })
  })
}

function isSame(one: GrantedQuestion, other: GrantedQuestion): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
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
