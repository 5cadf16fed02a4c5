// The story of one intent, from the facts about it: who wanted what and why, what was known, which
// rules spoke, who was asked and answered, and what came of it. It shows what the log says and
// judges nothing.
import { readData, readEvent } from '#record/event'
import { quoted } from '#record/quote'
import { partsInRealm, type NameParts } from '#record/names'
import { openingOf } from '#messages/opening'
import { reasonText } from '../reason-text.ts'
import { stepOf } from './sentences.ts'
import type { Chapter, StoryStep, Reported } from './reported.ts'
import { claimsUnder, contractAbout, contractEnding } from './contract-story.ts'
import { foundPhrase, resultsPhrase } from './phrase.ts'
import { waitsText, type Waits } from './waits.ts'
import { utc } from '../wording.ts'
import type { State } from '#state/state'
import type { Folded, LoggedFact } from '#state/folded'
import type { Intent } from '#schemas/intent'
import type { NoteData } from '#schemas/people/said'
import { isUse, kinds } from '#schemas/kinds'
import { offerCited } from '#messages/offer'
import { checkBytes } from '#messages/check'
import type { Catalog } from '#rules/catalog/catalog'
import type { GroundingData } from '#schemas/facts'
import { keyOf, templatesFor } from '#messages/learning/template'
import { queryOf } from '#stages/teachable'

// Which offer an intent cites: what its agent was offered for a goal, in the same session and
// before it asked.

interface WithParts extends LoggedFact {
  readonly parts: NameParts
  readonly catalog: Catalog
}

interface Offers<Fact> {
  /** The offer that this fact cites where it is the intent's message; else null. */
  citedBy(fact: Fact): Fact | null
}

/** The latest of one agent in one session that may still be cited. */
const offersMax = 64

function offersFor<Fact extends WithParts>(address: string): Offers<Fact> {
  const [agent = '', session = ''] = address.split('.')
  const offers = new Map<string, Fact>()
  return {
    citedBy(fact) {
      const { kind, tokens } = fact.parts
      if (kind === 'routing' && tokens[0] === agent && tokens[1] === session) {
        offers.set(tokens.join('.'), fact)
        const [oldest] = offers.keys()
        if (offers.size > offersMax && oldest !== undefined) offers.delete(oldest)
        return null
      }
      if (kind !== 'vlp' || fact.parts.address !== address || offers.size === 0) return null
      const cited = offerCited(checkBytes(fact.bytes, fact.catalog).message)
      return cited === null ? null : (offers.get(cited) ?? null)
    },
  }
}

export interface Story {
  readonly intent: string
  readonly outcome: 'allow' | 'deny' | 'open' | 'none'
  readonly summary: string
  readonly steps: readonly StoryStep[]
}

export interface Listener {
  /** Receives each fact once it is folded, in order. */
  receive(state: State, fact: LoggedFact, folded: Folded): void
  /** What was notified of the intent so far. */
  readonly reported: readonly Reported[]
}

/** Picks what a log says of one intent while someone folds it. */
export function listenerFor(address: string): Listener {
  const reported: Reported[] = []
  const added = addedFor(address)
  const offers = offersFor<Reported>(address)
  const claims = claimsUnder(address)
  return {
    reported,
    receive(state, fact, { parts, void: why }) {
      if (parts === null) return
      const { catalog, log, people } = state
      const reportedFact = { ...fact, parts, void: why, catalog, log, people }
      const offer = offers.citedBy(reportedFact)
      if (offer !== null) reported.push(offer)
      const isAdded =
        added.isAbout(state, fact, parts) ||
        isNoteOn(fact, parts, reported) ||
        claims.isClaim(fact, parts)
      if (!isAdded && !isAbout(fact, parts, address)) return
      reported.push(reportedFact)
    },
  }
}

/**
 * Without what others noted for themselves or asked each other, and without questions of learning
 * that were asked for another intent.
 */
export function ofItsParty(
  facts: readonly Reported[],
  address: string,
  id: string,
): readonly Reported[] {
  const questions = new Set<string>()
  let isAsked = false
  return facts.filter((fact) => {
    const { kind, tokens } = fact.parts
    const [token = ''] = tokens
    if (kind === 'note') return readData(kind, fact)?.by === id
    if (kind === 'handover') return isAsked
    if (kind === 'graph') return questions.has(ruledBy(fact))
    if (kind === 'review') isAsked ||= readData(kind, fact)?.confirmers.includes(id) === true
    if (kind === 'proposal' && readData(kind, fact)?.intent.address === address)
      questions.add(token)
    return kinds[kind].about !== 'question' || (kind !== 'meeting' && questions.has(token))
  })
}

/** The address of the intent or contract that a fact is about, or null. */
export function addressAbout(fact: LoggedFact, parts: NameParts): string | null {
  if (parts.address !== null) return parts.address
  const contract = contractAbout(parts)
  if (contract !== null) return contract
  if (isUse(parts.kind)) return readData(parts.kind, fact)?.intent.address ?? null
  if (parts.kind === 'note') return notedIntent(readData('note', fact)?.about)
  if (parts.kind !== 'fault') return null
  const name = readData('fault', fact)?.name ?? ''
  return partsInRealm(name, parts.place.realm)?.address ?? null
}

function notedIntent(about: NoteData['about'] | undefined): string | null {
  return about !== undefined && 'intent' in about ? about.intent : null
}

/** Whether it notes something on one of those facts. */
function isNoteOn(fact: LoggedFact, { kind }: NameParts, facts: readonly Reported[]): boolean {
  if (kind !== 'note') return false
  const about = readData('note', fact)?.about
  if (about === undefined || 'intent' in about) return false
  return facts.some(({ position }) => position === about.position)
}

// The names of uses of a capability begin with the agent, which spares reading all others.
function isAbout(fact: LoggedFact, parts: NameParts, address: string): boolean {
  const isOfAgent = parts.kind === 'rate' || parts.kind === 'asked'
  if (isOfAgent && !address.startsWith(`${parts.tokens[0]}.`)) return false
  return addressAbout(fact, parts) === address
}

/** The story of these facts; `waits` is null where the intent is not open. */
export function storyOf(
  address: string,
  reported: readonly Reported[],
  waits: Waits | null,
): Story {
  const chapter: Chapter = { opening: null, review: null, decisions: [], offered: null }
  const steps = reported.map((fact) => stepOf(fact, chapter))
  const contract = contractEnding(address, reported)
  if (contract !== null) return { intent: address, ...contract, steps }
  const { outcome, ending } = endingOf(reported, waits)
  const asked = chapter.opening?.request ?? null
  const [agent = ''] = address.split('.')
  const who = quoted(chapter.opening?.check.message?.sender ?? agent)
  const what = asked === null ? 'sent an invalid message' : askedText(asked)
  const summary = outcome === 'none' ? ending : `${who} ${what}: ${ending}`
  return { intent: address, outcome, summary, steps }
}

function askedText({ tool, search, evaluations }: Intent): string {
  if (evaluations !== undefined) return `asked about ${evaluations.length} calls at once`
  const asked = search === undefined ? 'asked to use' : `searched for ${search.for} by`
  return `${asked} ${quoted(tool)}`
}

function endingOf(
  reported: readonly Reported[],
  waits: Waits | null,
): { readonly outcome: Story['outcome']; readonly ending: string } {
  const verdicts = reported.filter(({ parts }) => parts.kind === 'verdict')
  // Where the intent is open or has another, one that counts for nothing ends nothing.
  const fact =
    verdicts.find(({ void: why }) => why === null) ?? (waits === null ? verdicts[0] : undefined)
  if (fact === undefined) {
    if (waits !== null)
      return { outcome: 'open', ending: `still open, it waits for ${waitsText(waits)}` }
    const message = reported.find(({ parts }) => parts.kind === 'vlp')
    if (message === undefined) return { outcome: 'none', ending: 'the log has no such intent' }
    const opening = openingOf(message, message.catalog)
    if (opening !== null) return { outcome: 'open', ending: 'still open' }
    return { outcome: 'none', ending: 'a message that asks for nothing and needs no verdict' }
  }
  const reading = readEvent('verdict', fact)
  if (!reading.ok)
    return { outcome: 'deny', ending: 'its verdict cannot be read, so it may not act' }
  if (fact.void !== null) {
    return {
      outcome: 'deny',
      ending: `its verdict counts for nothing (${fact.void}), so it may not act`,
    }
  }
  const { outcome, reasons, observed, release, terms, found, results } = reading.event.data
  if (found !== undefined) return { outcome, ending: foundPhrase(found) }
  if (results !== undefined) return { outcome, ending: resultsPhrase(results) }
  const noted = observed ? ', observed only: nothing was stopped' : ''
  if (outcome === 'allow') {
    // People were asked for nothing, and neither side would know.
    const isUsed = reported.some(({ parts: { kind } }) => kind === 'start' || kind === 'ownstart')
    const isUnused = terms !== null && (release?.confirmedBy.length ?? 0) > 0 && !isUsed
    const unused = isUnused ? `; approved and not used, good until ${utc(terms.useBy)}` : ''
    return { outcome, ending: `allowed${noted}${unused}` }
  }
  const [first] = reasons
  const why = first === undefined ? '' : `, because ${reasonText(first)}`
  return { outcome, ending: `denied${why}${noted}` }
}

// Which proposals an intent waits for, and which facts say what became of them: others may have
// been asked the same before it came.

interface AddedFor {
  /** Whether the fact is about something that the intent waits for, right after it was folded. */
  isAbout(state: State, fact: LoggedFact, parts: NameParts): boolean
}

function addedFor(address: string): AddedFor {
  const ids = new Set<string>()
  let grounding: GroundingData | null = null
  return {
    isAbout(state, fact, parts) {
      const [id = ''] = parts.tokens
      switch (parts.kind) {
        case 'grounding':
          if (state.intents.get(address)?.grounding?.name === fact.name)
            grounding = readData('grounding', fact)
          return false
        case 'hold':
        case 'proposal':
          for (const each of waitedFor(state, address, grounding)) ids.add(each)
          return parts.kind === 'proposal' && ids.has(id)
        case 'meeting':
        case 'suggestion':
        case 'expiry':
        case 'reopening':
        case 'ruling':
          return ids.has(id)
        case 'graph':
          return ids.size > 0 && ids.has(ruledBy(fact))
        default:
          return false
      }
    },
  }
}

function* waitedFor(
  state: State,
  address: string,
  grounding: GroundingData | null,
): Generator<string> {
  const hold = state.intents.get(address)?.hold ?? null
  const query = queryOf({ grounding: hold === null ? null : grounding })
  const keys = new Set(query === null ? [] : templatesFor(state.graph, query).map(keyOf))
  for (const { id, data } of state.learning.open.values()) {
    if (data.intent.address === address || keys.has(keyOf(data.template))) yield id
  }
}

/** The id of the proposal whose ruling the change set follows from. */
function ruledBy(fact: LoggedFact): string {
  const ruling = readData('graph', fact)?.ruling ?? ''
  const realm = fact.name.slice(0, fact.name.indexOf('.'))
  return partsInRealm(ruling, realm)?.tokens[0] ?? ''
}
