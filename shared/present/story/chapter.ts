// The steps of an intent's story that take more than a line to put into words. A decision that
// counts for nothing carries the reason, from the function that refused to count it.
import type {
  GroundingData,
  OutcomeData,
  VerdictData,
  EvaluationResult,
  SearchFound,
} from '#schemas/facts'
import { searchedMax, type Search, type Evaluated, type Subject } from '#schemas/intent'
import type { DecisionData, ReviewData } from '#schemas/review'
import { toolFailureText } from '../action/tool-failure-text.ts'
import { boundTexts } from '../asking/constraint-text.ts'
import { explain } from '../explain.ts'
import { treeOfIntent } from '../grounding-tree.ts'
import { listed, quoted } from '#record/quote'
import { decisionRefusal } from '#state/decision'
import { openingOf } from '#messages/opening'
import { grantIdOf } from './grant.ts'
import { plain, type Phrase } from './said.ts'
import { inPlaceOf, resultsPhrase } from './phrase.ts'
import { demandsText } from './demands-text.ts'
import { workMessageSaid } from './contract-story.ts'
import type { Chapter, Reported } from './reported.ts'
import { requestText } from '../schema-text.ts'
import { issueText } from './vlp-text.ts'
import { isKnown } from '#knowledge/known/known-value'
import { answerText, questionText } from '../question-text.ts'
import { foundText } from '../asking/value-text.ts'
import { actingText, duration, jsonText, said, utc } from '../wording.ts'
import { reasonText } from '../reason-text.ts'

// What is asked about more than one: several evaluations in a message, and what a search found.

const shownMax = 20

/** A message that asks about several calls. */
function evaluationsSaid(sender: string, evaluations: readonly Evaluated[]): Phrase {
  const shown = evaluations.slice(0, shownMax).map(({ tool, args, subject }, index) => {
    return `${index + 1}: ${quoted(tool)} for ${subjectText(subject)}, with ${jsonText(args)}`
  })
  const more = evaluations.length - shown.length
  const details = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  return { title: `${sender} asks about ${evaluations.length} calls at once`, details }
}

function resultsSaid(results: readonly EvaluationResult[]): Phrase {
  const shown = results.slice(0, shownMax).map((one, index) => {
    const why = one.outcome === 'deny' ? `: ${one.reasons.map(reasonText).join('; ')}` : ''
    return `${index + 1}: ${resultWords[one.outcome]}${why}`
  })
  const more = results.length - shown.length
  const details = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  return { title: `It answered: ${resultsPhrase(results)}`, details, tone: 'good' }
}

const resultWords = { allow: 'yes', deny: 'no', alone: 'to be asked alone' } as const

function foundSaid({ ids, searched, next }: SearchFound): Phrase {
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

function subjectText({ type, id }: Subject): string {
  return type === undefined ? quoted(id) : `${type} ${quoted(id)}`
}

export function messageSaid(fact: Reported, chapter: Chapter): Phrase {
  const opening = openingOf(fact, fact.catalog)
  chapter.opening = opening
  if (opening === null) return workMessageSaid(fact) ?? plain('A message that asks for nothing')
  const { request, check, refusal } = opening
  const sender = quoted(check.message?.sender ?? fact.parts.tokens[0] ?? '')
  if (request === null) {
    const [issue] = check.issues
    const of = issue === undefined ? 'it is unreadable' : issueText(issue)
    const why = refusal === null ? of : requestText(refusal)
    return { title: `${sender} sent an invalid message`, details: [why], tone: 'bad' }
  }
  const { tool, args, goal, justification, concepts, constraints, scope, observe } = request
  const { delegation, subject, search, evaluations } = request
  if (evaluations !== undefined) return evaluationsSaid(sender, evaluations)
  const session = check.message?.session_id ?? null
  const details = [
    `with: ${jsonText(args)}`,
    ...offeredLines(tool, chapter),
    ...(goal === undefined ? [] : [`goal: ${said(goal)}`]),
    justification === undefined ? 'gives no reason' : `reason: ${said(justification)}`,
    ...(session === null ? [] : [`in session ${quoted(session)}`]),
    ...(delegation === undefined ? [] : [`acting for another, by ${delegation}`]),
    ...(subject === undefined ? [] : [`judged for: ${subjectText(subject)}, and not its own call`]),
    ...(search === undefined ? [] : [searchText(search)]),
    ...(concepts === undefined ? [] : [`adds to what must be known: ${listed(concepts, 'and')}`]),
    ...boundTexts(constraints ?? {}, 'READ', 'asks to be bound to'),
    ...(scope === undefined ? [] : [`scope: ${jsonText(scope)}`]),
    ...(observe === true ? ['to be observed only: nothing is stopped by it'] : []),
  ]
  const asks = search === undefined ? 'asks to use' : 'searches for'
  return { title: `${sender} ${asks} ${soughtText(tool, search)}`, details }
}

function soughtText(tool: string, search: Search | undefined): string {
  if (search === undefined) return quoted(tool)
  const { for: of, type } = search
  if (of === 'actions') return `actions on ${quoted(type)}`
  return `${of} of the type ${quoted(type)} for ${quoted(tool)}`
}

function searchText({ from = 0, limit = searchedMax }: Search): string {
  return `at most ${limit}${from === 0 ? '' : `, after the first ${from}`}: nothing is permitted`
}

/** Where the tool stood among what was offered; it changes nothing of what it comes to. */
function offeredLines(tool: string, { offered }: Chapter): readonly string[] {
  if (offered === null) return []
  const place = offered.indexOf(tool) + 1
  return [place === 0 ? 'it was not offered' : `offered as number ${place} of ${offered.length}`]
}

export function groundingSaid(data: GroundingData): Phrase {
  const { message, ground, attempt, earlier } = data
  if (earlier !== undefined) {
    const title = 'Its address was used in an earlier era, so it opens no intent'
    return { title, details: [`already sent as ${earlier}`], tone: 'bad' }
  }
  const again = attempt === 1 ? '' : ` (attempt ${attempt})`
  const issues = message.issues
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, path, params }) => {
      return `message: ${code}${path === '' ? '' : ` at ${path}`}, ${issueText({ code, params })}`
    })
  if (message.malformed) {
    return { title: `The message is not valid${again}`, details: issues, tone: 'bad' }
  }
  if (!message.senderMatches) {
    const title = `The message is not from whose name it came under${again}`
    return { title, details: issues, tone: 'bad' }
  }
  if (ground === null) return plain(`Nothing has to be known for it${again}`, issues)
  const title = ground.grounded
    ? `What it needs is known${again}`
    : `What it needs is not all known${again}`
  const details = [...issues, ...treeOfIntent(ground, data.intent.address).split('\n')]
  return { title, details, tone: ground.grounded ? 'good' : 'bad' }
}

function ownerText({ subject }: ReviewData['terms']): string {
  return subject === undefined ? 'The agent’s owner' : `The owner of ${quoted(subject)},`
}

export function reviewSaid(data: ReviewData, openedAt: number): Phrase {
  const { confirmers, excluded, quorum, tier, questions, decideBy, callbacks, terms } = data
  const who =
    tier === 'confirm'
      ? `${ownerText(terms)} ${listed(confirmers, 'or')} must approve`
      : `${quorum} of ${listed(confirmers, 'and')} must approve`
  const left = duration(Date.parse(decideBy) - openedAt)
  const excludedNote = `does not count, being on the agent’s side: ${listed(excluded, 'and')}`
  const again = data.previous === null ? [] : [againText(data)]
  return plain(who, [
    ...again,
    ...(terms.chain === undefined ? [] : [actingText(terms.chain)]),
    ...(terms.subject === undefined ? [] : [`asked for ${quoted(terms.subject)}`]),
    ...questions.map((question) => `asked: ${questionText(question)}`),
    ...(data.values ?? []).filter(isKnown).map((value) => `known: ${foundText(value)}`),
    ...callbacks.filter(({ applies }) => applies !== false).map(answerText),
    ...(excluded.length === 0 ? [] : [excludedNote]),
    ...(data.demands === undefined ? [] : [`takes: ${demandsText(data.demands)}`]),
    `until ${utc(decideBy)} (${left})`,
  ])
}

function againText({ spoiltBy }: ReviewData): string {
  return spoiltBy === undefined
    ? 'what is asked has changed since people were asked'
    : `asked again: ${spoiltBy} counts for nothing; what was answered before counts on`
}

export function decisionSaid(data: DecisionData, fact: Reported, chapter: Chapter): Phrase {
  const { review, decisions } = chapter
  const { answers, note, for: absent } = data
  const who = `${quoted(data.confirmer)}${inPlaceOf(absent)}`
  const agrees = answers.length > 0 && answers.every((answer) => answer)
  const mixed = answers.some((answer) => answer) && !agrees
  const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
  const title = agrees ? `${who} agrees` : `${who} does not agree${mixed ? ` (${words})` : ''}`
  const details = note === undefined ? [] : [`note: ${said(note)}`]
  const placed = { ...fact, data }
  const refusal =
    review === null ? 'no one had been asked' : decisionRefusal(fact, review, placed, decisions)
  chapter.decisions = [...decisions, placed]
  if (refusal !== null) return { title, details, void: refusal }
  return { title, details, tone: agrees ? 'good' : 'bad' }
}

export function verdictSaid(data: VerdictData): Phrase {
  const { outcome, reasons, release, terms, observed, callbacks, grants = [] } = data
  const { found, results } = data
  const rules = callbacks.filter(({ applies }) => applies !== false).map(answerText)
  const noted = observed ? ['observed only: nothing was stopped or permitted by it'] : []
  const agreed = release === null ? [] : [approvedText(release)]
  if (found !== undefined) return foundSaid(found)
  if (results !== undefined) return resultsSaid(results)
  if (outcome === 'allow') {
    const bound = terms === null ? [] : [`to be used once, until ${utc(terms.useBy)}`]
    const limits = boundTexts(terms?.constraints ?? {}, null)
    const acting = terms?.chain === undefined ? [] : [actingText(terms.chain)]
    const rests = grants.map(({ grant, confirmer }) => {
      return `rests on the grant ${grantIdOf(grant)} of ${quoted(confirmer)}`
    })
    const known = (data.values ?? []).map((value) => `known: ${foundText(value)}`)
    const held = [...acting, ...agreed, ...rests, ...known]
    const details = [...noted, ...held, ...bound, ...limits, ...rules]
    return { title: observed ? 'It would be allowed' : 'Allowed', details, tone: 'good' }
  }
  const step = { outcome, reasons, questions: [], constraints: {} }
  const lines = explain(step)
    .slice(1)
    .map((line) => line.replace(/^- /, ''))
  const details = [...noted, ...agreed, ...lines, ...rules]
  return { title: observed ? 'It would be denied' : 'Denied', details, tone: 'bad' }
}

function approvedText({ confirmedBy, deputies = [] }: NonNullable<VerdictData['release']>): string {
  const stood = deputies.map(({ by, for: person }) => `${quoted(by)} for ${quoted(person)}`)
  return [`approved by ${listed(confirmedBy, 'and')}`, ...stood].join(', ')
}

function codeSaid(code: string): string {
  const text = toolFailureText(code)
  return text === null ? `code: ${quoted(code)}` : `${text} (${quoted(code)})`
}

export function outcomeSaid({ outcome, code, detail }: OutcomeData, reported: string): Phrase {
  const details = [
    ...(code === undefined ? [] : [codeSaid(code)]),
    ...(detail === undefined ? [] : [said(detail)]),
  ]
  const title = {
    succeeded: 'It succeeded',
    failed: 'It failed',
    refused: 'It was refused before it ran',
    unknown: 'No one knows what came of it',
  }
  const tone = outcome === 'succeeded' ? 'good' : 'bad'
  return { title: `${title[outcome]}${reported}`, details, tone }
}
