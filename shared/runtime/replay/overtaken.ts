// Facts that derive at their basis and would not at their own position, since something stands
// between that changes the answer: an allow that was drawn up before people declined, and bound
// after. Only where something that the decider reads has changed is anything derived again.
import { decidesTheSame } from '#core/stage/decided'
import { viewOf, type View } from '#core/stage/view'
import { namesReferred } from '#core/vlp/session'
import type { Folded, World } from '#core/world/world'
import { derivedAgain, type Derived, type Deriving, type Due } from './derive.ts'

/** A fact whose basis the fold has passed and whose position it has not reached. */
interface Standing {
  readonly due: Due
  /** Null until it is derived, and where it does not derive. */
  derived: Derived | null
  /** The session, and the messages that the opening one refers to. */
  readonly listensTo: readonly string[]
  readonly seen: Seen
  /** Null where no stage drew it up. */
  readonly view: View | null
  /** Whether something was said there since. */
  heard: boolean
}

/** What a decider looks at; each part is replaced, and never changed in place. */
type Seen = View | Pick<World, 'catalog' | 'graph' | 'learning'>

export interface Standings {
  readonly byPosition: Map<number, Standing>
  readonly bySaid: Map<string, Set<Standing>>
}

export function noStandings(): Standings {
  return { byPosition: new Map(), bySaid: new Map() }
}

/**
 * To be called where the fold has reached the basis of a fact; returns what is to be called once it
 * has been derived from there. `view` is null where no stage has drawn it up.
 */
export function stand(
  { byPosition, bySaid }: Standings,
  world: World,
  { due, view }: { readonly due: Due; readonly view: View | null },
): (derived: Derived) => void {
  const { position } = due.fact
  if (position === world.position + 1) return () => undefined
  const seen = view ?? partsOfWorld(world)
  const listensTo = view === null ? [] : saidTo(view)
  const standing: Standing = { due, view, derived: null, listensTo, seen, heard: false }
  byPosition.set(position, standing)
  for (const said of listensTo) {
    const others = bySaid.get(said)
    if (others === undefined) bySaid.set(said, new Set([standing]))
    else others.add(standing)
  }
  return (derived) => {
    standing.derived = derived
  }
}

/** To be called for each fact that was folded. */
export function hear({ bySaid }: Standings, name: string, { parts }: Folded): void {
  if (bySaid.size === 0 || parts?.kind !== 'vlp') return
  for (const said of [name, parts.tokens[1] ?? '']) {
    for (const standing of bySaid.get(said) ?? []) standing.heard = true
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
  const { seen, heard } = standing
  const now = seenNow(deriving.world, standing)
  if (now === null || (!heard && isSame(seen, now))) return false
  return derivedOtherwise(deriving, standing, underWay)
}

async function derivedOtherwise(
  deriving: Deriving,
  standing: Standing,
  underWay: Promise<void> | undefined,
): Promise<boolean> {
  const { due } = standing
  await underWay
  const { derived: before } = standing
  if (before === null) return false
  const again = await derivedAgain({ ...deriving, counted: { readBack: 0 } }, due)
  if (again === null || before.of === null) return again === null
  return !decidesTheSame(before.of.draft, again.of?.draft ?? null)
}

function seenNow(world: World, { view: before, due }: Standing): Seen | null {
  if (before === null) return world.sealed === null ? partsOfWorld(world) : null
  const view = viewOf(world, due.address, before.opening)
  const isOver = view === null || view.place !== before.place
  return isOver ? null : view
}

function partsOfWorld({ catalog, graph, learning }: World): Seen {
  return { catalog, graph, learning }
}

// INVARIANT: whatever is added to a view is compared. What is left out says where the fold stands,
// or only ever refuses more as the log goes on: each use of a limit has its own number.
const aside: ReadonlySet<string> = new Set(['basis', 'now', 'opening', 'ref', 'uses', 'asks'])

function isSame<T extends Seen>(before: T, after: T): boolean {
  for (const key in after) {
    if (!isOne(before[key], after[key]) && !aside.has(key)) return false
  }
  return true
}

/** A list that is drawn up for each view is often empty, and then always the same. */
function isOne(before: unknown, after: unknown): boolean {
  const areEmpty = isEmptyList(before) && isEmptyList(after)
  return before === after || areEmpty
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function saidTo({ intent, opening }: View): readonly string[] {
  const { message } = opening.check
  const refs = message === null ? [] : namesReferred(message)
  const session = intent.address.split('.', 2)[1] ?? '-'
  return session === '-' ? refs : [session, ...refs]
}
