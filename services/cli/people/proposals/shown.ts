// Proposals as people see them: those that are open by the fold, and, read from the log, those that
// were and what became of them. A ruling that counted for nothing is not listed.
import type { ProposalData } from '#schemas/learning'
import { readEvent } from '#record/event'
import { isMissing } from '#messages/learning/candidate'
import { kindsAbout } from '#schemas/kinds'
import { noSuggestions } from '#messages/learning/learning'
import type { ProposalEnding, Learning, OpenProposal } from '#messages/learning/learning'
import { keyOf } from '#messages/learning/template'
import { patternOf, type Place } from '#record/names'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { LoggedFact } from '#state/folded'
import type { LogReader } from '#ports/log'
import { beginningOf } from '#replay/eras/beginning'
import type { Runtime } from '#runtime/engine/runtime'
import type { Ruled, ShownProposal } from './print.ts'
import { waitingIn, type Waiting } from '#runtime/learning/held'

/** What waits for people, in the order it was asked. */
export async function openProposals(runtime: Runtime): Promise<readonly ShownProposal[]> {
  const { state } = runtime.follower
  const waiting = await waitingIn(runtime, runtime.clock.now())
  return [...state.learning.open.values()].map((open) => shownOpen(state, open, waiting))
}

export function shownOpen(
  { graph }: Pick<State, 'graph'>,
  { id, name, appendedAt, data, agreed, met, suggestions }: OpenProposal,
  waiting: ReadonlyMap<string, readonly Waiting[]>,
): ShownProposal {
  const shown = {
    id,
    name,
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
export async function allProposals(
  log: LogReader,
  place: Place,
  now: number,
): Promise<readonly ShownProposal[]> {
  const { state } = await beginningOf(log, place, null)
  const reported = new Map<string, Reported>()
  for (const { id, name, appendedAt, data, met, suggestions } of state.learning.open.values()) {
    reported.set(id, { ...shownOf({ name, appendedAt }, id, data), met, suggestions })
  }
  const names = place.era === 1 && state.place.era === 1 ? namesOfLearning(place) : undefined
  for await (const fact of log.read({ from: state.position + 1 }, names)) {
    const before = state.learning
    const { parts, void: why } = evolve(state, fact)
    if (parts === null || why !== null) continue
    const [id = ''] = parts.tokens
    if (parts.kind === 'proposal') foldProposal(reported, id, fact)
    if (parts.kind === 'ruling') foldRuling(reported, id, fact)
    if (parts.kind === 'graph') foldGraph(reported, fact)
    if (before !== state.learning) foldChange(reported, before, state.learning)
  }
  const waiting = await waitingIn({ log, follower: { state } }, now)
  return [...reported.values()].map((each) => became(state, each, waiting))
}

// What intents do changes nothing of it, and there are many of them; but a snapshot of an era is
// checked against all that was before it.
function namesOfLearning(place: Place): readonly string[] {
  return kindsAbout('knowledge', 'question').map((kind) => patternOf(place, kind))
}

interface Reported extends Pick<ShownProposal, 'id' | 'name' | 'askedAt' | 'data' | 'met'> {
  readonly suggestions: ShownProposal['suggestions']
  readonly ruled: (Ruled & { readonly name: string }) | null
  readonly revision: number | null
  /** How it ended, where it did. */
  readonly ended: ProposalEnding | null
}

function shownOf(
  { name, appendedAt: askedAt }: Pick<LoggedFact, 'name' | 'appendedAt'>,
  id: string,
  data: ProposalData,
): Reported {
  const { met } = data
  const suggestions = noSuggestions
  return { id, name, askedAt, data, met, suggestions, ruled: null, revision: null, ended: null }
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
