// Who is asked what, in the order in which it expires: an index beside the fold, so that a page of
// the inbox costs the same however much is open.
import { standsInFor } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import type { OpenIntent } from '#state/intent'
import { waitsOf } from '#present/story/waits-of'
import type { Runtime } from '#runtime/engine/runtime'

/** A review that waits for someone. */
export interface WaitingReview {
  /** The address of the intent. */
  readonly intent: string
  /** Milliseconds since 1970. */
  readonly decideBy: number
  readonly position: number
  /** In whose place the person may answer it; absent where it asks them. */
  readonly for?: string
}

export interface Inbox {
  /** What that person may answer, for another too, and is not late, the first to expire first. */
  of(person: string, now: number): readonly WaitingReview[]
  stop(): void
}

/** A later moment than any: whether someone is in time is asked at each look. */
const never = 0

export function inboxOn({ follower }: Pick<Runtime, 'follower'>): Inbox {
  const byPerson = new Map<string, WaitingReview[]>()
  const placed = new Map<
    string,
    { readonly asked: WaitingReview; readonly people: readonly string[] }
  >()
  const remove = (address: string): void => {
    const there = placed.get(address)
    if (there === undefined) return
    placed.delete(address)
    for (const person of there.people) {
      const list = byPerson.get(person) ?? []
      const at = placeOf(list, there.asked)
      if (list[at] === there.asked) list.splice(at, 1)
      if (list.length === 0) byPerson.delete(person)
    }
  }
  const place = (address: string): void => {
    remove(address)
    const intent = follower.state.intents.get(address)
    const found = intent === undefined ? null : askedBy(follower.state, intent)
    if (found === null) return
    placed.set(address, found)
    for (const person of found.people) {
      const list = byPerson.get(person) ?? []
      list.splice(placeOf(list, found.asked), 0, found.asked)
      byPerson.set(person, list)
    }
  }
  const replace = (): void => Array.from(placed.keys()).forEach(place)
  for (const address of follower.state.intents.keys()) place(address)
  const stop = follower.listen((_fact, { parts, void: why }) => {
    if (parts === null || why !== null) return
    if (parts.address !== null) place(parts.address)
    // Whose answer counts is in the catalog.
    else if (parts.kind === 'catalog') replace()
  })
  return {
    of(person, now) {
      const own = inTime(byPerson.get(person) ?? [], now)
      const { people } = follower.state
      const absent = standsInFor(people, person, now)
      if (absent.length === 0) return own
      const instead = absent.map(({ person: of }) =>
        inTime(byPerson.get(of) ?? [], now)
          .filter(({ intent }) => mayStandIn(follower.state, intent, { deputy: person, of, now }))
          .map((asked) => ({ ...asked, for: of })),
      )
      return merged([own, ...instead])
    },
    stop,
  }
}

function askedBy(state: Runtime['follower']['state'], intent: OpenIntent) {
  const { review, address } = intent
  if (review === null) return null
  const { people } = waitsOf(state, intent, never)
  if (people.length === 0) return null
  const { decideBy, position } = review
  return { asked: { intent: address, decideBy, position }, people }
}

function inTime(list: readonly WaitingReview[], now: number): readonly WaitingReview[] {
  const first = placeOf(list, { intent: '', decideBy: now, position: 0 })
  return first === 0 ? list : list.slice(first)
}

/** One person answers a review once, for themselves or for another. */
function mayStandIn(
  state: Runtime['follower']['state'],
  address: string,
  { deputy, of, now }: { readonly deputy: string; readonly of: string; readonly now: number },
): boolean {
  const { review = null, decisions = [] } = state.intents.get(address) ?? {}
  if (review === null || decisions.some(({ data }) => data.confirmer === deputy)) return false
  return deputyRefusal(state, review, { deputy, absent: of, at: now }) === null
}

/** Each review once, as in the first of the lists that has it. */
function merged(lists: readonly (readonly WaitingReview[])[]): readonly WaitingReview[] {
  const byIntent = new Map<string, WaitingReview>()
  for (const asked of lists.flat()) {
    if (!byIntent.has(asked.intent)) byIntent.set(asked.intent, asked)
  }
  return [...byIntent.values()].toSorted((one, other) => {
    return one.decideBy - other.decideBy || one.position - other.position
  })
}

/** Where it stands in the list, or would. */
function placeOf(list: readonly WaitingReview[], { decideBy, position }: WaitingReview): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const one = list[middle]
    const isBefore =
      one !== undefined &&
      (one.decideBy < decideBy || (one.decideBy === decideBy && one.position < position))
    if (isBefore) low = middle + 1
    else high = middle
  }
  return low
}
