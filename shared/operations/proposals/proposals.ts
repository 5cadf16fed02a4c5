// Proposals as people see them: those that are open by the fold, and, read from the log, those that
// were and what became of them. A ruling that counted for nothing is not listed.
import type { MetBy, ProposalData } from '#schemas/learning'
import { readEvent } from '#record/event'
import { isMissing } from '#messages/learning/candidate'
import { kindsAbout } from '#schemas/kinds'
import { noSuggestions } from '#messages/learning/learning'
import type {
  ProposalEnding,
  Learning,
  OpenProposal,
  Suggestions,
} from '#messages/learning/learning'
import { keyOf } from '#messages/learning/template'
import { patternOf, type Place } from '#record/names'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { LoggedFact } from '#state/folded'
import type { LogReader } from '#ports/log'
import { beginningOf } from '#replay/eras/beginning'
import type { OnScreen } from '#present/lines'
import { wantedText, suggestionNote } from '#present/proposal'
import { counted, duration, said, utc } from '#present/wording'
import { releasesOf } from '#runtime/learning/releases'
import { waitingIn, type Waiting } from '#runtime/learning/held'
import type { Page } from '#schemas/operations/operation'
import { proposalsAsked, type ProposalRow } from '#schemas/operations/proposals'
import { releasesMax } from '#schemas/learning'
import { answersOf, listShown, type Columns } from '../answering.ts'
import { firstLogOf, instant, ofLog, pageByName, type Realm, type RealmLog } from '../realm.ts'

/** What a person made of it. */
interface Ruled extends Omit<NonNullable<ProposalRow['ruled']>, 'at'> {
  readonly at: number
}

export interface ShownProposal extends Pick<
  ProposalRow,
  'name' | 'position' | 'data' | 'state' | 'revision'
> {
  readonly id: string
  readonly askedAt: number
  /** Every agent that is known to have met it. */
  readonly met: readonly MetBy[]
  readonly suggestions: Pick<Suggestions, 'usable' | 'failed'>
  readonly ruled: Ruled | null
  readonly waiting: readonly { readonly intent: string; readonly until: number }[]
}

export const proposalsAnswered = answersOf(proposalsAsked, {
  async answer({ realm }, { all, ...page }) {
    const held = await heldIn(realm)
    const shown = await proposalsIn(held, realm.now, all === true)
    const found = pageByName(realm, shown, page, { name: ({ id }) => id, row: (one) => one })
    const rows = await Promise.all(found.rows.map((one) => rowOf(one, held)))
    return { ...found, rows, learning: firstLogOf(realm).state.catalog.learning === true }
  },
  shown: proposalsOnScreen,
})

export function proposalsOnScreen(
  page: Page<ProposalRow> & { readonly learning: boolean },
): readonly OnScreen[] {
  const off = 'learning is off: the catalog does not say `"learning": true`'
  const empty = page.learning ? 'nothing is pending' : off
  return listShown({ ...columnsAt(Date.parse(page.now)), empty }, page)
}

/** The cells have the same questions; who waits is of each. */
export async function proposalsIn(
  held: readonly HeldIn[],
  now: number,
  isAll: boolean,
): Promise<readonly ShownProposal[]> {
  const [here] = held
  if (here === undefined) return []
  const { at, waiting } = here
  const open = openProposals(at.state, waiting)
  if (!isAll) return open
  // Only a fold of everything knows who waits.
  const known = new Map(open.map((shown) => [shown.name, shown]))
  const all = await allProposals(at.log, at.state.place, now)
  return all.map((shown) => known.get(shown.name) ?? shown)
}

export interface HeldIn {
  readonly at: RealmLog
  readonly waiting: ReadonlyMap<string, readonly Waiting[]>
}

/** The cells have the same questions, and each holds intents of its own for them. */
export async function rowOf(shown: ShownProposal, held: readonly HeldIn[]): Promise<ProposalRow> {
  const { id, askedAt, suggestions, ruled, name, position, state, data, met, revision } = shown
  const key = keyOf(data.template)
  const asking = held.filter(({ at }) => at.state.learning.open.has(id))
  const here = asking.map(({ at, waiting }) => ({ at, of: waiting.get(key) ?? [] }))
  const releases = here.map(({ at, of }) => {
    return releasesOf(
      followed(at),
      of.map(({ intent }) => intent),
    )
  })
  return {
    proposal: id,
    name,
    position,
    askedAt: instant(askedAt),
    state,
    data,
    met: [...met],
    suggestions: suggestions.usable.map((one) => ({ ...one })),
    failed: suggestions.failed,
    waiting: here.flatMap(({ at, of }) => {
      return of.map(({ intent, until }) => ({ intent, until: instant(until), ...ofLog(at) }))
    }),
    releases: (await Promise.all(releases))
      .flat()
      .slice(0, releasesMax)
      .map((one) => ({ ...one })),
    ruled: ruled && ruledRow(ruled),
    revision,
  }
}

function ruledRow({ by, byOwner, word, at, note, candidate }: Ruled): ProposalRow['ruled'] {
  return { by, byOwner, word, at: instant(at), note, candidate }
}

function followed({ log, state }: RealmLog) {
  return { log, follower: { state } }
}

export function heldIn({ logs, now }: Realm): Promise<readonly HeldIn[]> {
  return Promise.all(logs.map(async (at) => ({ at, waiting: await waitingIn(followed(at), now) })))
}

/** What waits for people, in the order it was asked. */
function openProposals(state: State, waiting: HeldIn['waiting']): readonly ShownProposal[] {
  return [...state.learning.open.values()].map((open) => shownOpen(state, open, waiting))
}

function shownOpen(
  { graph }: Pick<State, 'graph'>,
  { id, name, position, appendedAt, data, agreed, met, suggestions }: OpenProposal,
  waiting: ReadonlyMap<string, readonly Waiting[]>,
): ShownProposal {
  const shown = {
    id,
    name,
    position,
    askedAt: appendedAt,
    data,
    met,
    suggestions,
    waiting: waiting.get(keyOf(data.template)) ?? [],
    revision: null,
  }
  if (agreed === null) {
    return { ...shown, state: isMissing(graph, data) ? 'open' : 'overtaken', ruled: null }
  }
  const { by, byOwner, word, appendedAt: at, candidate } = agreed
  return { ...shown, state: 'agreed', ruled: { by, byOwner, word, at, note: null, candidate } }
}

/** All that were ever asked, as far as the log goes back, in that order. */
async function allProposals(
  log: LogReader,
  place: Place,
  now: number,
): Promise<readonly ShownProposal[]> {
  const { state } = await beginningOf(log, place, null)
  const reported = new Map<string, Reported>()
  for (const { id, met, suggestions, ...of } of state.learning.open.values()) {
    reported.set(id, { ...shownOf(of, id, of.data), met, suggestions })
  }
  const names = place.era === 1 && state.place.era === 1 ? namesOfLearning(place) : undefined
  for await (const fact of log.read({ from: state.position + 1 }, names)) {
    const before = state.learning
    const { parts, void: why } = evolve(state, fact)
    if (parts === null || why !== null || before === state.learning) continue
    const [id = ''] = parts.tokens
    foldProposal(reported, id, fact)
    foldRuling(reported, id, fact)
    foldGraph(reported, fact)
    foldChange(reported, before, state.learning)
  }
  const waiting = await waitingIn({ log, follower: { state } }, now)
  return [...reported.values()].map((each) => became(state, each, waiting))
}

// What intents do changes nothing of it, and there are many of them; but a snapshot of an era is
// checked against all that was before it.
function namesOfLearning(place: Place): readonly string[] {
  return kindsAbout('knowledge', 'question').map((kind) => patternOf(place, kind))
}

interface Reported extends Omit<ShownProposal, 'state' | 'waiting' | 'ruled'> {
  readonly ruled: (Ruled & { readonly name: string }) | null
  /** How it ended, where it did. */
  readonly ended: ProposalEnding | null
}

function shownOf(
  { name, position, appendedAt: askedAt }: Pick<LoggedFact, 'name' | 'position' | 'appendedAt'>,
  id: string,
  data: ProposalData,
): Reported {
  const { met } = data
  const nothing = { suggestions: noSuggestions, ruled: null, revision: null, ended: null }
  return { id, name, position, askedAt, data, met, ...nothing }
}

function foldProposal(reported: Map<string, Reported>, id: string, fact: LoggedFact): void {
  const reading = readEvent('proposal', fact)
  if (reading.ok) reported.set(id, shownOf(fact, id, reading.event.data))
}

/** What the fold made of those that were open before the fact. */
function foldChange(reported: Map<string, Reported>, before: Learning, after: Learning): void {
  for (const [id, { data }] of before.open) {
    const one = reported.get(id)
    if (one === undefined) continue
    const open = after.open.get(id)
    if (open !== undefined) {
      reported.set(id, { ...one, met: open.met, suggestions: open.suggestions })
      continue
    }
    const asked = after.history.get(keyOf(data.template))
    // Where the same is asked again already, no one says how it ended but that it did.
    reported.set(id, { ...one, ended: asked?.id === id ? asked.ended : 'expired' })
  }
}

function foldRuling(reported: Map<string, Reported>, id: string, fact: LoggedFact): void {
  const reading = readEvent('ruling', fact)
  const proposal = reported.get(id)
  if (!reading.ok || proposal === undefined) return
  const { confirmer: by, byOwner, ruling: word, note = null, candidate = null } = reading.event.data
  const ruled = { name: fact.name, by, byOwner, word, at: fact.appendedAt, note, candidate }
  reported.set(id, { ...proposal, ruled })
}

function foldGraph(reported: Map<string, Reported>, fact: LoggedFact): void {
  const reading = readEvent('graph', fact)
  if (!reading.ok || reading.event.data.ruling === undefined) return
  const { ruling, revision } = reading.event.data
  const proposal = [...reported.values()].find(({ ruled }) => ruled?.name === ruling)
  if (proposal !== undefined) reported.set(proposal.id, { ...proposal, revision })
}

function became(
  state: State,
  reported: Reported,
  waiting: ReadonlyMap<string, readonly Waiting[]>,
): ShownProposal {
  const open = state.learning.open.get(reported.id)
  if (open !== undefined) {
    const shown = shownOpen(state, open, waiting)
    return reported.ruled === null ? shown : { ...shown, ruled: reported.ruled }
  }
  const { ended, revision, ...shown } = reported
  const isOvertaken = ended === null || ended === 'reopened' || ended === 'applied'
  const now = revision !== null ? 'applied' : isOvertaken ? 'overtaken' : ended
  return { ...shown, revision, state: now, waiting: [] }
}

const shownCharacters = 8

/** The end of an id, which the commands take for the whole. */
export function shortProposal(id: string): string {
  return id.slice(-shownCharacters)
}

function columnsAt(now: number): Omit<Columns<ProposalRow>, 'empty'> {
  return {
    columns: [
      ['proposal', ({ proposal }) => shortProposal(proposal)],
      ['gap', ({ data }) => data.template.kind],
      ['age', ({ askedAt }) => duration(Math.max(0, now - Date.parse(askedAt)))],
      ['met by', ({ met }) => agentsText(met)],
      ['waiting', waitsForIt],
      [
        'asked',
        ({ data, suggestions: usable, failed }) => {
          return `${wantedText(data.template)}${suggestionNote({ usable, failed })}`
        },
      ],
      ['became', (row) => (row.state === 'open' ? '' : becameText(row, now))],
    ],
  }
}

function agentsText(met: readonly MetBy[]): string {
  const [first, ...others] = met.map(({ agent }) => agent)
  return others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`
}

export function waitsForIt({ state, waiting }: ProposalRow): string {
  if (waiting.length === 0) return state === 'overtaken' ? 'nothing: it is known by now' : 'nothing'
  const until = Math.max(...waiting.map((one) => Date.parse(one.until)))
  return `${counted(waiting.length, 'intent')} until ${utc(until).slice(11)}`
}

/** Such as `added by olga 3 min ago, revision 4 (modified): “as the manual says”`. */
export function becameText({ state, ruled, revision }: ProposalRow, now: number): string {
  if (state === 'expired') return 'expired: no one answered in time'
  if (ruled === null) return state === 'open' ? 'open' : 'overtaken: the graph knows it otherwise'
  const owner = ruled.byOwner ? ', the owner,' : ''
  const ago = duration(Math.max(0, now - Date.parse(ruled.at)))
  const when = `by ${ruled.by}${owner} ${ago} ago`
  const note = ruled.note === null ? '' : `: ${said(ruled.note)}`
  switch (state) {
    case 'applied':
      return `added ${when}, revision ${revision} (${ruled.word})${note}`
    case 'agreed':
      return `${ruled.word} ${when}, not in the graph yet${note}`
    case 'overtaken':
      return `${ruled.word} ${when}, but it could no longer be applied${note}`
    default:
      return `${ruled.word} ${when}${note}`
  }
}
