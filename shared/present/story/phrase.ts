// One fact in one phrase, for whoever reads a log line by line. What cannot be read says so.
import type { GroundingData, OutcomeData } from '#schemas/facts'
import type { ContentOf, EventKind } from '#schemas/kinds'
import { readEvent } from '#core/kernel/event'
import { quoted, short } from '#core/kernel/quote'
import { partsInRealm } from '#core/kernel/names'
import { checkBytes } from '#core/messages/check'
import { suggestionFaultText } from '../candidate.ts'
import { resumeText, wantedText } from '../proposal.ts'
import { issueText } from '../vlp-text.ts'
import { counted, duration, jsonText, said } from '../wording.ts'

const argsCharactersMax = 120
const namesShownMax = 4

interface Bytes {
  readonly name: string
  readonly bytes: Uint8Array
}

type Phrase = (fact: Bytes) => string

const phrases: Readonly<Record<EventKind, Phrase>> = {
  withdrawal: phrase('withdrawal', ({ note }) => `no longer wanted${because(note)}`),
  grounding: phrase('grounding', groundingPhrase),
  rate: phrase('rate', ({ use, uses, windowMs, intent }) => {
    return `use ${use}, at most ${uses} in ${duration(windowMs)}, for ${intent.address}`
  }),
  asked: phrase('asked', ({ use, uses, windowMs, intent }) => {
    const limit = `use ${use} of at most ${uses} in ${duration(windowMs)}`
    return `people are asked, ${limit}, for ${intent.address}`
  }),
  hold: phrase('hold', ({ gaps, until }) => {
    return `waits for ${counted(gaps.length, 'gap')} to be closed until ${until}`
  }),
  resume: phrase('resume', ({ attempt, reason }) => {
    return `grounded again after attempt ${attempt}: ${resumeText(reason)}`
  }),
  review: phrase('review', ({ confirmers, questions, quorum, decideBy }) => {
    const asked = counted(questions.length, 'question')
    return `asks ${quorum} of ${shown(confirmers)}: ${asked}, until ${decideBy}`
  }),
  decision: phrase('decision', ({ confirmer, answers, note }) => {
    const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
    return `${quoted(confirmer)} says ${words}${because(note)}`
  }),
  verdict: phrase('verdict', ({ outcome, reasons, observed }) => {
    const codes = reasons.map(({ code }) => code).join(', ')
    const noted = observed ? ' (observed only: nothing was stopped)' : ''
    return `${outcome}${codes === '' ? '' : `: ${codes}`}${noted}`
  }),
  fault: phrase('fault', ({ name, attempts, code, message }) => {
    const tries = counted(attempts, 'attempt')
    return `set ${name} aside after ${tries}: ${code}, ${short(message, argsCharactersMax)}`
  }),
  start: phrase('start', () => 'the warrant was used'),
  outcome: phrase('outcome', outcomePhrase),
  ownstart: phrase('ownstart', () => `the warrant was used${ownReport}`),
  ownoutcome: phrase('ownoutcome', (data) => `${outcomePhrase(data)}${ownReport}`),
  lift: phrase('lift', ({ agent, by, note }) => {
    return `${quoted(by)} lifts the blocks of ${quoted(agent)}${because(note)}`
  }),
  proposal: phrase('proposal', ({ template, intent }) => {
    return `asks people ${wantedText(template)}, for ${intent.address}`
  }),
  meeting: phrase('meeting', ({ met, proposal }) => {
    return `${quoted(met.agent)} has met what ${proposal} asks`
  }),
  suggestion: phrase('suggestion', (data) => {
    const by = quoted(data.by)
    return 'failed' in data
      ? `${by} had no usable answer: ${suggestionFaultText(data.failed)}`
      : `${by} proposes an answer`
  }),
  expiry: phrase('expiry', ({ proposal }) => `${proposal} was open too long`),
  reopening: phrase('reopening', ({ confirmer, proposal, note }) => {
    return `${quoted(confirmer)} has ${proposal} asked again${because(note)}`
  }),
  ruling: phrase('ruling', ({ confirmer, ruling, byOwner, note }) => {
    const owner = byOwner ? ', by the owner' : ''
    return `${quoted(confirmer)} ${ruling} it${owner}${because(note)}`
  }),
  graph: phrase('graph', ({ operations, by, note, ruling }) => {
    const words = operations.map(({ op }) => op)
    const learnt = ruling === undefined ? '' : `, as ${ruling} says`
    return `${changePhrase(words, by, note)}${learnt}`
  }),
  catalog: phrase('catalog', ({ operations, by, note }) => {
    const words = operations.map((one) => {
      if (one.op === 'put') return `put ${one.collection}`
      return one.op === 'set' ? `set ${one.key}` : `${one.op} ${quoted(one.id)}`
    })
    return changePhrase(words, by, note)
  }),
  snapshot: phrase('snapshot', (data) => {
    if (data.step === 'seal') return `${quoted(data.by)} seals era ${data.seals}`
    if (data.step === 'chunk') return `chunk ${data.part} of the world so far`
    if (data.step === 'catalogs') return `change sets of the catalog, part ${data.part}`
    const { by, parts, position } = data
    return `${quoted(by)} signs for ${counted(parts, 'chunk')}, the world at ${position}`
  }),
}

function phrase<K extends EventKind>(kind: K, say: (data: ContentOf<K>) => string): Phrase {
  return (fact) => {
    const reading = readEvent(kind, fact)
    return reading.ok ? say(reading.event.data) : `unreadable: ${reading.why}`
  }
}

/** What the fact says, in one phrase. */
export function phraseOf(fact: Bytes, realm: string): string {
  const parts = partsInRealm(fact.name, realm)
  if (parts === null) return 'its name is of no kind of this realm'
  if (parts.kind === 'vlp') return messagePhrase(fact)
  return phrases[parts.kind](fact)
}

function messagePhrase(fact: Bytes): string {
  const { message, issues } = checkBytes(fact.bytes, { knownConstraints: [] })
  const [first] = issues
  if (message === null)
    return `no valid message: ${first === undefined ? 'unreadable' : issueText(first)}`
  const intent: unknown = message.type === 'query' ? message.payload?.['intent'] : undefined
  if (typeof intent !== 'object' || intent === null)
    return `${message.type}: ${contentText(message.content)}`
  const tool: unknown = Object.getOwnPropertyDescriptor(intent, 'tool')?.value
  const args: unknown = Object.getOwnPropertyDescriptor(intent, 'args')?.value ?? {}
  const named = typeof tool === 'string' ? quoted(tool) : 'something that it does not name'
  return `asks to use ${named} ${jsonText(args, argsCharactersMax)}`
}

function contentText(content: unknown): string {
  return typeof content === 'string' ? said(content) : jsonText(content)
}

function groundingPhrase({ message, ground, attempt, earlier }: GroundingData): string {
  if (earlier !== undefined) return `it was said before, as ${earlier}: this opens nothing`
  const again = attempt === 1 ? '' : ` at attempt ${attempt}`
  if (message.malformed || !message.senderMatches) return `the message is not valid${again}`
  if (ground === null) return `nothing has to be known${again}`
  const names = shown([...new Set(ground.resolved)])
  const gaps = ground.gaps.length + (ground.gapsOmitted ?? 0)
  return ground.grounded ? `known: ${names}${again}` : `${counted(gaps, 'gap')} in ${names}${again}`
}

function changePhrase(words: readonly string[], by: string, note: string | undefined): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const changes = [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`))
  return `${quoted(by)}: ${changes.join(', ')}${because(note)}`
}

function because(why: string | undefined): string {
  return why === undefined ? '' : `: ${said(why)}`
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, namesShownMax).map(quoted).join(', ')
  const left = names.length - namesShownMax
  return left > 0 ? `${first} and ${left} more` : first
}

const ownReport = ' (reported by the agent itself)'

function outcomePhrase({ outcome, code, detail }: OutcomeData): string {
  return `${outcome}${code === undefined ? '' : ` ${quoted(code)}`}${because(detail)}`
}
