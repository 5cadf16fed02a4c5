// One fact of an intent's story in words: a title and what a reader wants to know below it.
// Decisions that count for nothing are told with the reason, by the same function that refused to
// count them.
import type {
  FaultData,
  GraphChangeData,
  GroundingData,
  OutcomeData,
  VerdictData,
} from '#schemas/facts'
import type { DecisionData, ReviewData } from '#schemas/review'
import { explain } from '../explain.ts'
import { listed, quoted } from '#core/kernel/quote'
import { decisionRefusal } from '#core/state/decision'
import { openingOf, type Opening } from '#core/messages/opening'
import { openReview, type OpenReview } from '#core/state/intent'
import { groundingDetails } from './knowledge.ts'
import { resumeText } from '../proposal.ts'
import { questionSaid } from './question.ts'
import { good, plain, read, type Said } from './said.ts'
import type { StoryStep, Told } from './told.ts'
import { requestText } from '../schema-text.ts'
import { issueText } from '../vlp-text.ts'
import { answerText, questionText } from '../question-text.ts'
import { counted, duration, jsonText, said, utc } from '../wording.ts'

/** What later facts of the story need of the earlier ones. */
export interface Chapter {
  opening: Opening | null
  review: OpenReview | null
}

export function stepOf(fact: Told, chapter: Chapter): StoryStep {
  const { position, appendedAt, name } = fact
  const told = saidOf(fact, chapter)
  const why = fact.void ?? told.void ?? null
  const tone = why === null ? (told.tone ?? 'plain') : 'void'
  return { position, appendedAt, name, title: told.title, details: told.details, tone, void: why }
}

function saidOf(fact: Told, chapter: Chapter): Said {
  switch (fact.parts.kind) {
    case 'vlp':
      return messageSaid(fact, chapter)
    case 'grounding':
      return read('grounding', fact, (data) => groundingSaid(data))
    case 'rate':
      return read('rate', fact, ({ use, uses, windowMs }) =>
        plain(`Use ${use} was counted; at most ${uses} in ${duration(windowMs)} are free`),
      )
    case 'asked':
      return read('asked', fact, ({ use, uses, windowMs }) =>
        plain(`People are asked, use ${use} of at most ${uses} in ${duration(windowMs)}`),
      )
    case 'hold':
      return read('hold', fact, ({ until }) =>
        plain(`Only gaps stand in the way: it waits for learning until ${utc(until)}`),
      )
    case 'resume':
      return read('resume', fact, ({ reason }) =>
        plain(`It need not wait any longer, and is grounded again: ${resumeText(reason)}`),
      )
    case 'review':
      return read('review', fact, (data) => {
        if (fact.void === null) chapter.review = openReview(fact, data)
        return reviewSaid(data, fact.appendedAt)
      })
    case 'decision':
      return read('decision', fact, (data) => decisionSaid(fact, data, chapter))
    case 'withdrawal':
      return read('withdrawal', fact, ({ note }) =>
        plain('The agent no longer wants it', note === undefined ? [] : [`note: ${said(note)}`]),
      )
    case 'verdict':
      return read('verdict', fact, verdictSaid)
    case 'start':
    case 'ownstart':
      return read(fact.parts.kind, fact, () =>
        plain(`The warrant was used${ownReport(fact.parts.kind)}`),
      )
    case 'outcome':
    case 'ownoutcome':
      return read(fact.parts.kind, fact, (data) => {
        return outcomeSaid(data, ownReport(fact.parts.kind))
      })
    case 'fault':
      return read('fault', fact, faultSaid)
    case 'proposal':
    case 'meeting':
    case 'suggestion':
    case 'ruling':
    case 'expiry':
    case 'reopening':
      return questionSaid(fact.parts.kind, fact)
    case 'graph':
      return read('graph', fact, graphSaid)
    case 'lift':
      return read('lift', fact, ({ by }) => plain(`${quoted(by)} lifts the agent’s blocks`))
    case 'catalog':
    case 'snapshot':
      return plain(`A ${fact.parts.kind}, which this version does not show`)
  }
}

function graphSaid({ revision, operations, by }: GraphChangeData): Said {
  const title = `What ${quoted(by)} said is known as of revision ${revision}`
  return good(title, [`${counted(operations.length, 'operation')} on the graph`])
}

function faultSaid({ queue, attempts, code, message }: FaultData): Said {
  const title = `The ${queue} stage set it aside after ${counted(attempts, 'attempt')}`
  return { title, details: [`${code}: ${message}`], tone: 'bad' }
}

function messageSaid(fact: Told, chapter: Chapter): Said {
  const opening = openingOf(fact, fact.catalog.knownConstraints)
  chapter.opening = opening
  if (opening === null) return plain('A message that asks for nothing')
  const { request, check, refusal } = opening
  const sender = quoted(check.message?.sender ?? fact.parts.tokens[0] ?? '')
  if (request === null) {
    const [issue] = check.issues
    const of = issue === undefined ? 'it is unreadable' : issueText(issue)
    const why = refusal === null ? of : requestText(refusal)
    return { title: `${sender} sent an invalid message`, details: [why], tone: 'bad' }
  }
  const { tool, args, goal, justification, concepts, constraints, scope, observe } = request
  const session = check.message?.session_id ?? null
  const details = [
    `with: ${jsonText(args)}`,
    ...(goal === undefined ? [] : [`goal: ${said(goal)}`]),
    justification === undefined ? 'gives no reason' : `reason: ${said(justification)}`,
    ...(session === null ? [] : [`in session ${quoted(session)}`]),
    ...(concepts === undefined ? [] : [`adds to what must be known: ${listed(concepts, 'and')}`]),
    ...(constraints === undefined ? [] : [`asks to be bound to: ${jsonText(constraints)}`]),
    ...(scope === undefined ? [] : [`scope: ${jsonText(scope)}`]),
    ...(observe === true ? ['to be observed only: nothing is stopped by it'] : []),
  ]
  return { title: `${sender} asks to use ${quoted(tool)}`, details }
}

function groundingSaid(data: GroundingData): Said {
  const { message, ground, attempt, earlier } = data
  if (earlier !== undefined) {
    const title = 'Its address was used in an earlier era, so it opens nothing'
    return { title, details: [`said before as ${earlier}`], tone: 'bad' }
  }
  const again = attempt === 1 ? '' : ` (attempt ${attempt})`
  const issues = message.issues
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, path, params }) => {
      return `message: ${code}${path === '' ? '' : ` at ${path}`}, ${issueText({ code, params })}`
    })
  if (message.malformed) {
    return { title: `The message is not sound${again}`, details: issues, tone: 'bad' }
  }
  if (!message.senderMatches) {
    const title = `The message is not from whose name it came under${again}`
    return { title, details: issues, tone: 'bad' }
  }
  if (ground === null) return plain(`Nothing has to be known for it${again}`, issues)
  const title = ground.grounded
    ? `What it needs is known${again}`
    : `What it needs is not all known${again}`
  const details = [...issues, ...groundingDetails(ground)]
  return { title, details, tone: ground.grounded ? 'good' : 'bad' }
}

function reviewSaid(data: ReviewData, openedAt: number): Said {
  const { confirmers, excluded, quorum, tier, questions, decideBy, callbacks } = data
  const who =
    tier === 'confirm'
      ? `The agent’s owner ${listed(confirmers, 'or')} must agree`
      : `${quorum} of ${listed(confirmers, 'and')} must agree`
  const left = duration(Date.parse(decideBy) - openedAt)
  const excludedNote = `does not count, being on the agent’s side: ${listed(excluded, 'and')}`
  const again = data.previous === null ? [] : ['what is asked has changed since people were asked']
  return plain(who, [
    ...again,
    ...questions.map((question) => `asked: ${questionText(question)}`),
    ...callbacks.filter(({ applies }) => applies !== false).map(answerText),
    ...(excluded.length === 0 ? [] : [excludedNote]),
    `until ${utc(decideBy)} (${left})`,
  ])
}

function decisionSaid(fact: Told, data: DecisionData, { review }: Chapter): Said {
  const { confirmer, answers, note } = data
  const agrees = answers.length > 0 && answers.every((answer) => answer)
  const mixed = answers.some((answer) => answer) && !agrees
  const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
  const title = agrees
    ? `${quoted(confirmer)} agrees`
    : `${quoted(confirmer)} does not agree${mixed ? ` (${words})` : ''}`
  const details = note === undefined ? [] : [`note: ${said(note)}`]
  const placed = { ...fact, data }
  const refusal = review === null ? 'no one had been asked' : decisionRefusal(fact, review, placed)
  if (refusal !== null) return { title, details, void: refusal }
  return { title, details, tone: agrees ? 'good' : 'bad' }
}

function verdictSaid(data: VerdictData): Said {
  const { outcome, reasons, release, terms, observed, callbacks } = data
  const rules = callbacks.filter(({ applies }) => applies !== false).map(answerText)
  const noted = observed ? ['observed only: nothing was stopped or permitted by it'] : []
  const agreed = release === null ? [] : [`agreed to by ${listed(release.confirmedBy, 'and')}`]
  if (outcome === 'allow') {
    const bound = terms === null ? [] : [`to be used once, until ${utc(terms.useBy)}`]
    const limits = terms === null ? [] : [`bound to: ${jsonText(terms.constraints)}`]
    const details = [...noted, ...agreed, ...bound, ...limits, ...rules]
    return { title: observed ? 'It would be allowed' : 'Allowed', details, tone: 'good' }
  }
  const told = { outcome, reasons, questions: [], constraints: {} }
  const lines = explain(told)
    .slice(1)
    .map((line) => line.replace(/^- /, ''))
  const details = [...noted, ...agreed, ...lines, ...rules]
  return { title: observed ? 'It would be denied' : 'Denied', details, tone: 'bad' }
}

function outcomeSaid({ outcome, code, detail }: OutcomeData, reported: string): Said {
  const details = [
    ...(code === undefined ? [] : [`code: ${quoted(code)}`]),
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

function ownReport(kind: Told['parts']['kind']): string {
  return kind === 'ownstart' || kind === 'ownoutcome' ? ', as the agent itself reports' : ''
}
