// What a change would newly let through, in words, and for programs.
import type { LetThrough, Way } from '#replay/what-if/let-through'
import { counted, jsonText } from '#present/wording'
import { reasonText } from '#present/reason-text'
import { questionText } from '#present/question-text'
import { indentedLines, toned, type Line } from '#cli/terminal/line'

/** For programs: with each way a case of a test that shows it. */
export function letThroughJson(found: LetThrough | null): object | null {
  if (found === null) return null
  const { isExact, ways, cannotTell, calls } = found
  const shown = ways.map((way) => {
    const { tool, agents, stoppedBy, values, before } = way
    return { tool, agents, stoppedBy, values, before, case: wayCase(way) }
  })
  return { exact: isExact, ways: shown, cannotTell, calls }
}

const shownMax = 12
const casesShownMax = 3

export function letThroughLines(found: LetThrough | null): readonly Line[] {
  if (found === null) return []
  const { isExact, ways, cannotTell } = found
  if (ways.length === 0 && isExact) return [toned('good', 'it newly allows nothing')]
  const more = ways.length - shownMax
  const shown = ways.slice(0, shownMax)
  return [
    ...(ways.length === 0 ? ['no call is known that it newly allows'] : [headOf(ways, isExact)]),
    ...indentedLines(shown.map((way) => toned('warn', wayText(way)))),
    ...(more > 0 ? [toned('dim', `  … and ${counted(more, 'more way')}`)] : []),
    ...unclearLines(cannotTell),
    ...casesLines(shown),
  ]
}

function headOf({ length }: readonly Way[], isExact: boolean): string {
  return `it newly allows, in ${counted(length, 'way')}${isExact ? ', and in no other' : ''}:`
}

/** Such as `refund by bot, args.amount 201 to 500: it was denied (large)`. */
function wayText({ tool, agents, values, before, witness }: Way): string {
  const [first = '', ...others] = agents
  const who = others.length === 0 ? first : `${first} and ${counted(others.length, 'other')}`
  const where = Object.entries(values).map(([place, some]) => `, ${place} ${valuesText(some)}`)
  const { now, uses } = witness
  const when = now === undefined ? '' : `, such as at ${now.slice(11, 16)} UTC`
  const after = uses === undefined ? '' : `, after ${counted(uses, 'use')}`
  return `${tool} by ${who}${where.join('')}${when}${after}: ${beforeText(before)}`
}

const valuesShownMax = 6

/** Numbers as a span where nothing of what was tried lies between. */
function valuesText(values: readonly unknown[]): string {
  const numbers = values.filter((one) => typeof one === 'number')
  const [first] = numbers
  if (first !== undefined && numbers.length === values.length && numbers.length > 2) {
    return `${first} to ${numbers.at(-1) ?? first}`
  }
  const shown = values.slice(0, valuesShownMax).map((one) => {
    return one === null ? 'absent' : jsonText(one)
  })
  return [...shown, ...(values.length > valuesShownMax ? ['…'] : [])].join(', ')
}

function beforeText({ outcome, reasons, questions }: Way['before']): string {
  const why = reasons.length > 0 ? reasons.map(reasonText) : questions.map(questionText)
  const words = { deny: 'it was denied', ask: 'people were asked', hold: 'it waited' }
  const was = outcome === 'allow' || outcome === 'nothing' ? 'it was not answered' : words[outcome]
  return why.length === 0 ? was : `${was} (${why.join('; ')})`
}

/** The call as a case that a person can keep. */
function wayCase({ witness, before, ...way }: Way): object {
  const { agent, request, now, uses } = witness
  const earlier = { ...request, times: uses }
  return {
    name: `${way.tool} is allowed, and before it was ${before.outcome}`,
    agent,
    ...(now !== undefined && { now }),
    ...(uses !== undefined && { given: { before: [earlier] } }),
    request,
    expect: 'allow',
  }
}

function casesLines(ways: readonly Way[]): readonly Line[] {
  if (ways.length === 0) return []
  const more = ways.length - casesShownMax
  return [
    'as cases of a test:',
    ...ways.slice(0, casesShownMax).flatMap(caseLines),
    ...(more > 0 ? [toned('dim', `  … and ${more} more with --json`)] : []),
  ]
}

function caseLines(way: Way): readonly Line[] {
  return caseText(wayCase(way)).map((line) => `  ${line}`)
}

/** In YAML: a member on each line, and what is within it in the form of JSON. */
export function caseText(of: object): readonly string[] {
  return Object.entries(of).map(([name, value], index) => {
    return `${index === 0 ? '- ' : '  '}${name}: ${JSON.stringify(value)}`
  })
}

const causes: Readonly<Record<LetThrough['cannotTell'][number]['cause'], string>> = {
  budget: 'what a budget leaves',
  callback: 'what a callback answers',
  condition: 'a condition that no one value decides',
  known_values: 'which values are known',
  limit: 'how often it was used',
  schema: 'which values the schema takes',
  setting: 'a setting that is not looked into',
  standing: 'what the agent has earned',
  time: 'when it is asked',
  too_many_agents: 'more kinds of agents than are looked at',
  too_many_calls: 'more kinds of calls than are tried',
  too_many_ways: 'more ways than are shown',
}

export function unclearLines(cannotTell: LetThrough['cannotTell']): readonly Line[] {
  const more = cannotTell.length - shownMax
  const lines = cannotTell.slice(0, shownMax).map(({ tool, cause, of }) => {
    const where = tool === null ? '' : ` of ${tool}`
    return toned('warn', `  cannot tell${where}: ${causes[cause]} (${of})`)
  })
  return more > 0 ? [...lines, toned('dim', `  … and ${more} more`)] : lines
}
