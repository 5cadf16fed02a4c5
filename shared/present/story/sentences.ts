// How each kind of fact is put into words: the phrase of a line of the log, and the step of an
// intent's story. A fact that cannot be read reports it.
import type { ContentOf } from '#schemas/contents'
import { isEvent, type EventKind } from '#schemas/kinds'
import { readEvent } from '#record/event'
import { partsInRealm } from '#record/names'
import { quoted, short } from '#record/quote'
import { openReview, succeeding } from '#state/intent'
import { suggestionFaultText } from '../candidate.ts'
import { drillAnswerText, drillText } from '../action/drill-text.ts'
import { grantPhrase, grantUsePhrase, grantUseSaid } from './grant.ts'
import { candidateLines, resumeText, wantedText } from '../proposal.ts'
import { counted, duration, utc } from '../wording.ts'
import {
  decisionSaid,
  groundingSaid,
  messageSaid,
  outcomeSaid,
  reviewSaid,
  verdictSaid,
} from './chapter.ts'
import {
  argsPhraseCharactersMax,
  because,
  inPlaceOf,
  catalogPhrase,
  changePhrase,
  groundingPhrase,
  messagePhrase,
  outcomePhrase,
  shown,
  snapshotPhrase,
  targetPhrase,
  verdictPhrase,
} from './phrase.ts'
import { rulingSaid } from './ruling-said.ts'
import { notificationPhrase } from '../outreach/notification-text.ts'
import { good, noteLines, plain, type Phrase } from './said.ts'
import { workWordings } from './work-words.ts'
import { peopleWordings } from './people-words.ts'
import type { Chapter, StoryStep, Reported } from './reported.ts'

interface Wording<K extends EventKind> {
  phrase(data: ContentOf<K>): string
  said(data: ContentOf<K>, fact: Reported, chapter: Chapter): Phrase
}

const ownPhrase = ' (reported by the agent itself)'
const ownSaid = ', as the agent itself reports'

function expandedText(rows: number, refused: string | undefined): string {
  const looked = 'looked at more of the result'
  return refused === undefined ? `${looked}: ${counted(rows, 'row')}` : `${looked}: ${refused}`
}

function byGateway(gateway: string | undefined): string {
  return gateway === undefined ? '' : ` by gateway ${quoted(gateway)}`
}

const wordings: { readonly [K in EventKind]: Wording<K> } = {
  withdrawal: {
    phrase: ({ note }) => `no longer wanted${because(note)}`,
    said: ({ note }) => plain('The agent no longer wants it', noteLines(note)),
  },
  grounding: { phrase: groundingPhrase, said: groundingSaid },
  rate: {
    phrase: ({ use, uses, windowMs, intent }) =>
      `use no. ${use} so far, at most ${uses} in ${duration(windowMs)}, for ${intent.address}`,
    said: ({ use, uses, windowMs }) =>
      plain(`Use no. ${use} so far; at most ${uses} within ${duration(windowMs)} are free`),
  },
  asked: {
    phrase: ({ use, uses, windowMs, intent }) => {
      const limit = `at most ${uses} times in ${duration(windowMs)}`
      return `people are asked, no. ${use} so far, ${limit}, for ${intent.address}`
    },
    said: ({ use, uses, windowMs }) =>
      plain(`People are asked, no. ${use} so far; at most ${uses} times in ${duration(windowMs)}`),
  },
  budget: {
    phrase: ({ budget, key, amount, max, windowMs, intent }) => {
      const whose = key === null ? '' : ` for ${quoted(key)}`
      const limit = `of ${max} in ${duration(windowMs)}`
      return `takes ${amount} ${limit} of ${quoted(budget)}${whose}, for ${intent.address}`
    },
    said: ({ budget, key, amount, max, windowMs }) => {
      const whose = key === null ? '' : ` for ${quoted(key)}`
      const limit = `${max} in ${duration(windowMs)} are free`
      return plain(`It takes ${amount} of ${quoted(budget)}${whose}; at most ${limit}`)
    },
  },
  use: { phrase: grantUsePhrase, said: grantUseSaid },
  hold: {
    phrase: ({ gaps, until }) =>
      `waits for ${counted(gaps.length, 'gap')} to be closed until ${utc(until)}`,
    said: ({ until }) =>
      plain(`Only gaps stand in the way: it waits for learning until ${utc(until)}`),
  },
  resume: {
    phrase: ({ attempt, reason }) =>
      `grounded again after attempt ${attempt}: ${resumeText(reason)}`,
    said: ({ reason }) =>
      plain(`It need not wait any longer, and is grounded again: ${resumeText(reason)}`),
  },
  review: {
    phrase: ({ confirmers, questions, quorum, decideBy }) => {
      const asked = counted(questions.length, 'question')
      return `asks ${quorum} of ${shown(confirmers)}: ${asked}, until ${utc(decideBy)}`
    },
    said: (data, fact, chapter) => {
      if (fact.void === null) {
        chapter.review = succeeding(chapter.review, openReview(fact, data), data)
        if (chapter.review.reopens === undefined) chapter.decisions = []
      }
      return reviewSaid(data, fact.appendedAt)
    },
  },
  decision: {
    phrase: ({ confirmer, answers, note, for: of }) => {
      const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
      return `${quoted(confirmer)}${inPlaceOf(of)} says ${words}${because(note)}`
    },
    said: decisionSaid,
  },
  ...peopleWordings,
  ...workWordings,
  verdict: { phrase: verdictPhrase, said: verdictSaid },
  fault: {
    phrase: ({ name, attempts, code, message }) => {
      const tries = counted(attempts, 'attempt')
      return `set ${name} aside after ${tries}: ${code}, ${short(message, argsPhraseCharactersMax)}`
    },
    said: ({ queue, attempts, code, message }) => {
      const title = `The ${queue} stage set it aside after ${counted(attempts, 'attempt')}`
      return { title, details: [`${code}: ${message}`], tone: 'bad' }
    },
  },
  start: {
    phrase: ({ gateway }) => `the warrant was used${byGateway(gateway)}`,
    said: ({ gateway }) => plain(`The warrant was used${byGateway(gateway)}`),
  },
  outcome: { phrase: outcomePhrase, said: (data) => outcomeSaid(data, '') },
  ownstart: {
    phrase: () => `the warrant was used${ownPhrase}`,
    said: () => plain(`The warrant was used${ownSaid}`),
  },
  ownoutcome: {
    phrase: (data) => `${outcomePhrase(data)}${ownPhrase}`,
    said: (data) => outcomeSaid(data, ownSaid),
  },
  lift: {
    phrase: ({ agent, by, note }) =>
      `${quoted(by)} lifts the blocks of ${quoted(agent)}${because(note)}`,
    said: ({ by }) => plain(`${quoted(by)} lifts the agent’s blocks`),
  },
  expansion: {
    phrase: ({ rows, refused }) => expandedText(rows, refused),
    said: ({ rows, refused }) => plain(`It ${expandedText(rows, refused)}`),
  },
  routing: {
    phrase: ({ candidates }) =>
      `offered ${counted(candidates.length, 'candidate')}${best(candidates)}`,
    said: ({ candidates, model }, { void: why }, chapter) => {
      if (why === null) chapter.offered = candidates.map(({ id }) => id)
      const by = model === undefined ? '' : `, in the order of ${quoted(model)}`
      const title = `It was offered ${counted(candidates.length, 'candidate')} for its goal${by}`
      return plain(
        title,
        candidates.map(({ id, score }) => `${id} (${score})`),
      )
    },
  },
  // About a review, and in no story: its name says no intent.
  notification: { phrase: notificationPhrase, said: () => plain('Someone was to be notified') },
  proposal: {
    phrase: ({ template, intent }) => `asks people ${wantedText(template)}, for ${intent.address}`,
    said: ({ template }) => plain(`People are asked ${wantedText(template)}`),
  },
  meeting: {
    phrase: ({ met, proposal }) => `${quoted(met.agent)} has met what ${proposal} asks`,
    said: ({ met }) => plain(`${quoted(met.agent)} has met what is asked, too`),
  },
  suggestion: {
    phrase: (data) => {
      const by = quoted(data.by)
      return 'failed' in data
        ? `${by} had no usable answer: ${suggestionFaultText(data.failed)}`
        : `${by} proposes an answer`
    },
    said: (data) => {
      const by = quoted(data.by)
      if ('candidate' in data) return plain(`${by} proposes`, candidateLines(data.candidate))
      return plain(`${by} had no usable answer`, [suggestionFaultText(data.failed)])
    },
  },
  ruling: {
    phrase: ({ confirmer, ruling, byOwner, note }) => {
      const owner = byOwner ? ', by the owner' : ''
      return `${quoted(confirmer)} ${ruling} it${owner}${because(note)}`
    },
    said: rulingSaid,
  },
  expiry: {
    phrase: ({ proposal }) => `${proposal} was open too long`,
    said: () => plain('No one answered what was asked in time'),
  },
  reopening: {
    phrase: ({ confirmer, proposal, note }) =>
      `${quoted(confirmer)} has ${proposal} asked again${because(note)}`,
    said: ({ confirmer, note }) =>
      plain(`${quoted(confirmer)} has it asked again`, noteLines(note)),
  },
  grant: { phrase: grantPhrase, said: (data) => plain(`A grant of ${quoted(data.confirmer)}`) },
  graph: {
    phrase: ({ operations, by, note, ruling }) => {
      const words = operations.map(({ op }) => op)
      const learnt = ruling === undefined ? '' : `, as ${ruling} says`
      return `${changePhrase(words, by, note)}${learnt}`
    },
    said: ({ revision, operations, by }) => {
      const title = `What ${quoted(by)} said is known as of revision ${revision}`
      return good(title, [`${counted(operations.length, 'operation')} on the graph`])
    },
  },
  // These are about no intent, and so in no story.
  catalog: { phrase: catalogPhrase, said: () => plain('A change set of the catalog') },
  revocation: {
    phrase: ({ target, by, note }) =>
      `${quoted(by)} takes back ${targetPhrase(target)}${because(note)}`,
    said: ({ target, by, note }) =>
      plain(`${quoted(by)} takes back ${targetPhrase(target)}`, noteLines(note)),
  },
  drill: {
    phrase: (data) => `${drillText(data)}${because(data.note)}`,
    said: (data) => plain(drillText(data), noteLines(data.note)),
  },
  drillanswer: {
    phrase: (data) => `${drillAnswerText(data)}${because(data.note)}`,
    said: (data) => plain(drillAnswerText(data), noteLines(data.note)),
  },
  snapshot: { phrase: snapshotPhrase, said: () => plain('The snapshot of an era') },
}

function best([first]: readonly { readonly id: string }[]): string {
  return first === undefined ? '' : `, first ${quoted(first.id)}`
}

interface Bytes {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What the fact says, in one phrase; of what is known to count for nothing, why. */
export function phraseOf(fact: Bytes, realm: string, why: string | null = null): string {
  if (why !== null) return `counts for nothing: ${why}`
  const parts = partsInRealm(fact.name, realm)
  if (parts === null) return 'its name is of no kind of this realm'
  const { kind } = parts
  if (!isEvent(kind)) return messagePhrase(fact)
  const phrase = worded(kind, fact, (wording, data) => wording.phrase(data))
  return 'words' in phrase ? phrase.words : `unreadable: ${phrase.why}`
}

/** The fact as a step of the story that the chapter has come to. */
export function stepOf(fact: Reported, chapter: Chapter): StoryStep {
  const { position, appendedAt, name } = fact
  const reported = saidOf(fact, chapter)
  const why = fact.void ?? reported.void ?? null
  const tone = why === null ? (reported.tone ?? 'plain') : 'void'
  return {
    position,
    appendedAt,
    name,
    title: reported.title,
    details: reported.details,
    tone,
    void: why,
  }
}

function saidOf(fact: Reported, chapter: Chapter): Phrase {
  const { kind } = fact.parts
  if (!isEvent(kind)) return messageSaid(fact, chapter)
  const step = worded(kind, fact, (wording, data) => wording.said(data, fact, chapter))
  return 'words' in step
    ? step.words
    : { ...plain(`A ${kind} that cannot be read`), void: step.why }
}

/** The content in words, or why it cannot be read. */
function worded<K extends EventKind, Words>(
  kind: K,
  fact: Bytes,
  say: (wording: Wording<K>, data: ContentOf<K>) => Words,
): { readonly words: Words } | { readonly why: string } {
  const reading = readEvent(kind, fact)
  if (!reading.ok) return { why: reading.why }
  return { words: say(wordings[kind], reading.event.data) }
}
