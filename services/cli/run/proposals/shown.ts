// Proposals as people see them: those that are open by the fold, and, read from the log, those that
// were and what became of them. A ruling that counted for nothing is not told.
import { GraphChangeData } from '#schemas/facts'
import { ProposalData, RulingData } from '#schemas/learning'
import { readEvent } from '#core/event'
import { isMissing } from '#core/learning/candidate'
import type { OpenProposal } from '#core/learning/state'
import { keyOf } from '#core/learning/template'
import { patternOf, type Place } from '#core/names'
import { evolve } from '#core/world/evolve'
import type { LoggedFact, World } from '#core/world/world'
import type { Log } from '#ports/log'
import { beginningOf } from '#runtime/beginning'
import type { Runtime } from '#runtime/open'
import type { Ruled, ShownProposal } from '../../text/proposal-text.ts'
import { waitingIn, type Waiting } from './waiting.ts'

/** What waits for people, in the order it was asked. */
export function openProposals({ follower, clock }: Runtime): readonly ShownProposal[] {
  const { world } = follower
  const waiting = waitingIn(world, clock.now())
  return [...world.learning.open.values()].map((open) => shownOpen(world, open, waiting))
}

export function shownOpen(
  { graph }: Pick<World, 'graph'>,
  { id, name, appendedAt, data, agreed }: OpenProposal,
  waiting: ReadonlyMap<string, readonly Waiting[]>,
): ShownProposal {
  const shown = {
    id,
    name,
    askedAt: appendedAt,
    data,
    waiting: waiting.get(keyOf(data.template)) ?? [],
    revision: null,
  }
  if (agreed === null) {
    return { ...shown, state: isMissing(graph, data) ? 'open' : 'overtaken', ruled: null }
  }
  const { by, word, appendedAt: at, candidate } = agreed
  return { ...shown, state: 'agreed', ruled: { by, word, at, note: null, candidate } }
}

/** All that were ever asked, as far as the log goes back, in that order. */
export async function allProposals(
  log: Pick<Log, 'read' | 'get'>,
  place: Place,
  now: number,
): Promise<readonly ShownProposal[]> {
  const { world } = await beginningOf(log, place, null)
  const told = new Map<string, Told>()
  for (const { id, name, appendedAt, data } of world.learning.open.values()) {
    told.set(id, { id, name, askedAt: appendedAt, data, ruled: null, revision: null })
  }
  const names = place.era === 1 && world.place.era === 1 ? namesOfLearning(place) : undefined
  for await (const fact of log.read({ from: world.position + 1 }, names)) {
    const { parts, void: why } = evolve(world, fact)
    if (parts === null || why !== null) continue
    const [id = ''] = parts.tokens
    if (parts.kind === 'proposal') hearProposal(told, id, fact)
    if (parts.kind === 'ruling') hearRuling(told, id, fact)
    if (parts.kind === 'graph') hearGraph(told, fact)
  }
  const waiting = waitingIn(world, now)
  return [...told.values()].map((each) => became(world, each, waiting))
}

// What intents do changes nothing of it, and there are many of them; but a snapshot of an era is
// checked against all that was before it.
function namesOfLearning(place: Place): readonly string[] {
  const kinds = ['graph', 'catalog', 'proposal', 'ruling'] as const
  return kinds.map((kind) => patternOf(place, kind))
}

interface Told {
  readonly id: string
  readonly name: string
  readonly askedAt: number
  readonly data: ProposalData
  readonly ruled: (Ruled & { readonly name: string }) | null
  readonly revision: number | null
}

function hearProposal(told: Map<string, Told>, id: string, fact: LoggedFact): void {
  const reading = readEvent('proposal', ProposalData, fact)
  if (!reading.ok) return
  const { name, appendedAt: askedAt } = fact
  told.set(id, { id, name, askedAt, data: reading.event.data, ruled: null, revision: null })
}

function hearRuling(told: Map<string, Told>, id: string, fact: LoggedFact): void {
  const reading = readEvent('ruling', RulingData, fact)
  const proposal = told.get(id)
  if (!reading.ok || proposal === undefined) return
  const { confirmer: by, ruling: word, note = null, candidate = null } = reading.event.data
  const ruled = { name: fact.name, by, word, at: fact.appendedAt, note, candidate }
  told.set(id, { ...proposal, ruled })
}

function hearGraph(told: Map<string, Told>, fact: LoggedFact): void {
  const reading = readEvent('graph', GraphChangeData, fact)
  if (!reading.ok || reading.event.data.ruling === undefined) return
  const { ruling, revision } = reading.event.data
  const proposal = [...told.values()].find(({ ruled }) => ruled?.name === ruling)
  if (proposal !== undefined) told.set(proposal.id, { ...proposal, revision })
}

function became(
  world: World,
  told: Told,
  waiting: ReadonlyMap<string, readonly Waiting[]>,
): ShownProposal {
  const open = world.learning.open.get(told.id)
  if (open !== undefined) {
    const shown = shownOpen(world, open, waiting)
    return told.ruled === null ? shown : { ...shown, ruled: told.ruled }
  }
  const { ruled, revision } = told
  const isTurnedDown = ruled?.word === 'skipped' || ruled?.word === 'rejected'
  const state = revision !== null ? 'taught' : isTurnedDown ? ruled.word : 'overtaken'
  return { ...told, state, waiting: [] }
}
