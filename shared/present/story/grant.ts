// Grants in words: the text that a person signs, with every part of it in full, and what a use says
// in the story of an intent.
import type { GrantData, GrantedQuestion, RestsOn, UseData } from '#schemas/action/grant'
import { quoted, short } from '#record/quote'
import { routineWords } from '#knowledge/routine/routine-words'
import { counted, utc } from '../wording.ts'
import { plain, type Phrase } from './said.ts'

/** More than any part of a grant has: nothing of it is cut. */
const wholeMax = 10_000

/** The id of a grant, of its name. */
export function grantIdOf(name: string): string {
  return name.split('.')[3] ?? name
}

/** All that is signed, line by line. */
export function grantLines(id: string, grant: Omit<GrantData, 'signature'>): readonly string[] {
  const { capability, safetyClass, agents, when, values = [], questions, note, review } = grant
  const { uses, until, budget, perCell, cell, confirmer } = grant
  const each = perCell === true ? ' in each cell' : cell === undefined ? '' : ` in cell ${cell}`
  return [
    line('grant', id),
    line('signer', whole(confirmer)),
    line('capability', `${whole(capability)}  ${safetyClass}`),
    line('agents', agents.map(whole).join(', ')),
    ...callsLines(when),
    ...values.map(({ arg, kind, among }) => {
      return line(
        'values',
        `${arg === '' ? 'all' : arg} is one of ${among.map(inMarks).join(', ')} (${kind})`,
      )
    }),
    ...questions.map((question) => line('answers', questionLine(question))),
    line('uses', `${counted(uses, 'call')}${each}`),
    ...(budget === undefined ? [] : [line('budget', `${budget.max}${each} of ${budget.of}`)]),
    line('until', `${utc(until)} (${until})`),
    ...(note === undefined ? [] : [line('note', inMarks(note))]),
    ...(review === null ? [] : [line('beside', review)]),
  ]
}

/** In words first, where there are some: the condition itself is what is signed. */
function callsLines(when: string): readonly string[] {
  const words = routineWords(when)
  return words === null ? [line('calls', when)] : [line('calls', words), line('in CEL', when)]
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(11)} ${text}`
}

function whole(text: string): string {
  return short(text, wholeMax)
}

function inMarks(text: string): string {
  return `“${whole(text)}”`
}

function questionLine(question: GrantedQuestion): string {
  const by = question.confirmation === undefined ? 'the owner' : quoted(question.confirmation)
  const asked = ` (asks ${by})`
  switch (question.kind) {
    case 'policy': {
      const { policy, source, target, message } = question
      const says = message === undefined ? '' : `: ${inMarks(message)}`
      return `the policy ${quoted(policy)} on ${quoted(source)} → ${quoted(target)}${says}${asked}`
    }
    case 'condition': {
      const { rule, message } = question
      const says = message === undefined ? '' : `: ${inMarks(message)}`
      return `the condition ${quoted(rule)}${says}${asked}`
    }
    case 'value_unknown':
      return `that ${question.arg} is not known, for the values above${asked}`
  }
}

/** Of a verdict: why no one was asked. */
export function restsOnText({ grant, confirmer }: Pick<RestsOn, 'grant' | 'confirmer'>): string {
  return `no one was asked: the grant ${grantIdOf(grant)} of ${quoted(confirmer)} covers it`
}

export function grantPhrase({
  confirmer,
  capability,
  agents,
  when,
  uses,
  until,
}: GrantData): string {
  const who = agents.map(quoted).join(', ')
  const calls = `${quoted(capability)} of ${who} where ${short(when, 120)}`
  return `${quoted(confirmer)} answers for ${counted(uses, 'call')} of ${calls}, until ${until}`
}

export function grantUsePhrase({ grant, confirmer, taken, uses, intent }: UseData): string {
  const of = `the grant ${grantIdOf(grant)} of ${quoted(confirmer)}`
  return `rests on ${of}, use ${taken} of ${uses}, for ${intent.address}`
}

export function grantUseSaid({ grant, confirmer, taken, uses, amount, max }: UseData): Phrase {
  const of = `the grant ${grantIdOf(grant)} of ${quoted(confirmer)} covers it`
  const takes = amount === undefined || max === undefined ? [] : [`takes ${amount} of ${max}`]
  return plain(`No one was asked: ${of}, use ${taken} of ${uses}`, takes)
}
