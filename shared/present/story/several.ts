// What is asked about more than one: several evaluations in a message, and what a search found.
import { quoted } from '#record/quote'
import type { EvaluationResult, SearchFound } from '#schemas/facts'
import type { Evaluated, Subject } from '#schemas/intent'
import { reasonText } from '../reason-text.ts'
import { jsonText } from '../wording.ts'
import { resultsPhrase } from './phrase.ts'
import type { Phrase } from './said.ts'

const shownMax = 20

/** A message that asks about several calls. */
export function evaluationsSaid(sender: string, evaluations: readonly Evaluated[]): Phrase {
  const shown = evaluations.slice(0, shownMax).map(({ tool, args, subject }, index) => {
    return `${index + 1}: ${quoted(tool)} for ${subjectText(subject)}, with ${jsonText(args)}`
  })
  const more = evaluations.length - shown.length
  const details = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  return { title: `${sender} asks about ${evaluations.length} calls at once`, details }
}

export function resultsSaid(results: readonly EvaluationResult[]): Phrase {
  const shown = results.slice(0, shownMax).map((one, index) => {
    const why = one.outcome === 'deny' ? `: ${one.reasons.map(reasonText).join('; ')}` : ''
    return `${index + 1}: ${resultWords[one.outcome]}${why}`
  })
  const more = results.length - shown.length
  const details = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  return { title: `It answered: ${resultsPhrase(results)}`, details, tone: 'good' }
}

const resultWords = { allow: 'yes', deny: 'no', alone: 'to be asked alone' } as const

export function foundSaid({ ids, searched, next }: SearchFound): Phrase {
  const shown = ids.slice(0, shownMax).map((id) => quoted(id))
  const more = ids.length - shown.length
  const details = [
    ...(shown.length === 0
      ? []
      : [`found: ${shown.join(', ')}${more > 0 ? `, ${more} more` : ''}`]),
    ...(next === undefined ? [] : ['there are more to look at']),
  ]
  const title = `It found ${ids.length} of ${searched} that it looked at`
  return { title, details, tone: 'good' }
}

export function subjectText({ type, id }: Subject): string {
  return type === undefined ? quoted(id) : `${type} ${quoted(id)}`
}
