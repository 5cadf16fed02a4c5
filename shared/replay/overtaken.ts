// Facts that derive at their basis and would not at their own position, since something stands
// between that changes the answer: an allow that was drawn up before people declined, and bound
// after. Only where something that the decider reads has changed is anything derived again.
import { isMessage } from '#record/names'
import type { Draft } from '#record/event'
import { decidesTheSame } from '#stages/decided'
import { isStillSeen, type View } from '#stages/view'
import { namesReferred } from '#messages/session'
import type { State } from '#state/state'
import type { Folded } from '#state/folded'
import { derivedAgain, type Derived, type Deriving, type Due } from './derive.ts'

/** A fact whose basis the fold has passed and whose position it has not reached. */
export interface PendingFact {
  readonly due: Due
  /** What was derived; undefined until then, and null for what no stage drew up. */
  draft: Draft | null | undefined
  /** The session, and the messages that the opening one refers to. */
  readonly listensTo: readonly string[]
  /** Null where a stage drew it up. */
  readonly parts: PartsOfState | null
  /** Null where no stage drew it up. */
  readonly view: View | null
  /** Whether a message was received there since. */
  received: boolean
}

/** What is drawn up for no intent goes by these; each is replaced, and never changed in place. */
type PartsOfState = Pick<State, 'catalog' | 'graph' | 'learning'>

export interface Standings {
  readonly byPosition: Map<number, PendingFact>
  readonly bySaid: Map<string, Set<PendingFact>>
}

export function noStandings(): Standings {
  return { byPosition: new Map(), bySaid: new Map() }
}

/**
 * To be called where the fold has reached the basis of a fact; anyone who derives it from there
 * reports it to what is returned. `view` is null where no stage has drawn it up.
 */
export function stand(
  { byPosition, bySaid }: Standings,
  state: State,
  { due, view }: { readonly due: Due; readonly view: View | null },
): PendingFact | null {
  const { position } = due.fact
  if (position === state.position + 1) return null
  const listensTo = view === null ? nothing : saidTo(view)
  const parts = view === null ? partsOf(state) : null
  const standing: PendingFact = { due, view, draft: undefined, listensTo, parts, received: false }
  byPosition.set(position, standing)
  for (const said of listensTo) {
    const others = bySaid.get(said)
    if (others === undefined) bySaid.set(said, new Set([standing]))
    else others.add(standing)
  }
  return standing
}

/** What it was derived as, from where it stands. */
export function derivesSo(standing: PendingFact | null, { of }: Derived): void {
  if (standing !== null) standing.draft = of?.draft ?? null
}

/** To be called for each fact that was folded. */
export function receive({ bySaid }: Standings, name: string, { parts }: Folded): void {
  if (bySaid.size === 0 || !isMessage(parts)) return
  for (const said of [name, parts.tokens[1] ?? '']) {
    for (const standing of bySaid.get(said) ?? []) standing.received = true
  }
}

/**
 * Whether the fact of that position was overtaken; to be called before it is folded. What counts
 * for nothing there, since its intent or its era is closed by then, was not.
 */
export function overtaken(
  standings: Standings,
  deriving: Deriving,
  {
    position,
    underWay,
  }: { readonly position: number; readonly underWay?: Promise<void> | undefined },
): Promise<boolean> | boolean {
  const standing = standings.byPosition.get(position)
  if (standing === undefined) return false
  standings.byPosition.delete(position)
  for (const said of standing.listensTo) {
    const others = standings.bySaid.get(said)
    others?.delete(standing)
    if (others?.size === 0) standings.bySaid.delete(said)
  }
  const { state } = deriving
  if (hasEnded(state, standing) || (!standing.received && isUnchanged(state, standing)))
    return false
  return derivedOtherwise(deriving, standing, underWay)
}

async function derivedOtherwise(
  deriving: Deriving,
  standing: PendingFact,
  underWay: Promise<void> | undefined,
): Promise<boolean> {
  const { due } = standing
  await underWay
  const { draft } = standing
  if (draft === undefined) return false
  const again = await derivedAgain({ ...deriving, counted: { readBack: 0 } }, due)
  if (again === null || draft === null) return again === null
  return !decidesTheSame(draft, again.of?.draft ?? null)
}

// What counts for nothing any more was not overtaken.
function hasEnded({ sealed, place, intents }: State, { view }: PendingFact): boolean {
  if (sealed !== null) return true
  return view !== null && (view.place !== place || !intents.has(view.intent.address))
}

function isUnchanged(state: State, { view, parts }: PendingFact): boolean {
  if (view !== null) return isStillSeen(view, state)
  if (parts === null) return false
  const { catalog, graph, learning } = parts
  return catalog === state.catalog && graph === state.graph && learning === state.learning
}

function partsOf({ catalog, graph, learning }: State): PartsOfState {
  return { catalog, graph, learning }
}

const nothing: readonly string[] = []

function saidTo({ intent, opening, ref }: View): readonly string[] {
  const { message } = opening.check
  const cites = message !== null && (message.refers_to ?? null) !== null
  if (!cites && ref.session === null) return nothing
  const refs = cites ? namesReferred(message) : nothing
  const session = intent.address.split('.', 2)[1] ?? '-'
  return session === '-' ? refs : [session, ...refs]
}
