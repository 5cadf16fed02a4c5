// What pages are sent as it comes: the last events of all logs are kept here, once for all pages,
// so one that was away for a moment goes on where it was. One that was away for longer reads again.
// With each is kept whose business it is: a verdict ends what the state knows of its review.
import { readData } from '#record/event'
import { token } from '#record/names'
import { isAskedBy, isOwn } from '#operations/finding/theirs'
import { addressAbout } from '#present/story/story'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { OpenReview } from '#state/intent'
import type { State } from '#state/state'
import type { ConsoleEvent } from '#schemas/console/reading'
import { cellAmong } from './cell-among.ts'

export interface Broadcast {
  /**
   * Begins behind these positions, one for each log in their order, or with what comes from now on.
   * Rings when there are more.
   */
  read(after: readonly number[] | null, ring: () => void): PageReading
  /** How many listen. */
  listening(): number
  stop(): void
}

/** One page, and how far it has read. */
export interface PageReading {
  /** Up to where it has read each log. */
  readonly at: readonly number[]
  /** The next one; undefined where there is none yet. */
  next(): News | undefined
  /** Whether some of what it has not read is not kept any more; then it goes on from now. */
  hasMissed(): boolean
  end(): void
}

export interface News {
  readonly event: ConsoleEvent
  /** Whether it is about what that person is asked, or does, or is of an agent of theirs. */
  isOf(person: string, now: number): boolean
}

interface Kept extends News {
  /** Which of the logs has it. */
  readonly of: number
}

const keptMax = 4_096

/** What counts for nothing is no one’s news. */
export function broadcastOn(runtimes: readonly Runtime[]): Broadcast {
  const kept: Kept[] = []
  // How many were kept before those, and where each log was with the last of them.
  let gone = 0
  const before = runtimes.map(({ follower }) => follower.state.position)
  const rings = new Set<() => void>()
  const keep = (one: Kept): void => {
    kept.push(one)
    // A part at a time, so that keeping costs little.
    if (kept.length > keptMax * 2) {
      const cut = kept.splice(0, kept.length - keptMax)
      gone += cut.length
      for (const { event, of } of cut) before[of] = event.position
    }
    for (const ring of rings) ring()
  }
  const stops = runtimes.map((runtime, of) => {
    const cell = cellAmong(runtimes, runtime)
    const whose = concerning(runtime.follower.state)
    return runtime.follower.listen((fact, { parts, void: why }) => {
      if (parts === null || why !== null) return
      const { position, name } = fact
      const { kind } = parts
      // The name of a note does not say what it is about.
      const intent = kind === 'note' ? addressAbout(fact, parts) : parts.address
      const event = { position, kind, name, ...(intent !== null && { intent }), ...cell }
      keep({ event, of, isOf: whose(event, { fact, about: parts.tokens }) })
    })
  })
  const now = (): number[] => runtimes.map(({ follower }) => follower.state.position)
  const begin: Broadcast['read'] = (after, ring) => {
    const at = after === null ? now() : [...after]
    // What it has read is a part of each log, so what is left may lie anywhere among what is kept.
    let read = after === null ? gone + kept.length : gone
    let isMissed = at.some((position, of) => position < (before[of] ?? 0))
    rings.add(ring)
    return {
      at,
      next() {
        while (read < gone + kept.length) {
          const one = kept[read - gone]
          read += 1
          if (one === undefined || one.event.position <= (at[one.of] ?? 0)) continue
          at[one.of] = one.event.position
          return one
        }
        return undefined
      },
      hasMissed() {
        if (!isMissed && read >= gone) return false
        isMissed = false
        read = gone + kept.length
        at.splice(0, at.length, ...now())
        return true
      },
      end: () => void rings.delete(ring),
    }
  }
  return { read: begin, listening: () => rings.size, stop: () => stops.forEach((stop) => stop()) }
}

interface FactAbout {
  readonly fact: Fact
  /** The tokens of its name. */
  readonly about: readonly string[]
}

/** Asked of each fact right after it is folded. */
function concerning(state: State): (event: ConsoleEvent, of: FactAbout) => News['isOf'] {
  const asking = new Map<string, OpenReview>()
  const deputies = new Map<string, string | null>()
  const note = (address: string): readonly OpenReview[] => {
    const before = asking.get(address)
    const now = state.intents.get(address)?.review ?? null
    if (now === null) asking.delete(address)
    else asking.set(address, now)
    return [before, now].filter((one) => one !== undefined && one !== null)
  }
  for (const address of state.intents.keys()) note(address)
  for (const [person, { data }] of state.people.absences) deputies.set(person, data.deputy)
  return ({ kind, intent }, { fact, about }) => {
    // What all are judged by is everyone’s.
    if (kind === 'catalog') return () => true
    if (kind === 'note') return (id) => about.at(-1) === token(id)
    if (kind === 'lift') return (id) => isOwn(state, id, `${about[0]}.`)
    if (intent !== undefined) {
      const reviews = note(intent)
      return (id, now) => {
        if (reviews.some((one) => isAskedBy(state, one, { id, now }))) return true
        // Its side does not see who asks whom to look.
        return kind !== 'handover' && isOwn(state, id, intent)
      }
    }
    const { confirmer, deputy = null } = readData('absence', fact) ?? {}
    if (kind !== 'absence' || confirmer === undefined) return () => false
    const people = [confirmer, deputy, deputies.get(confirmer)]
    deputies.set(confirmer, deputy)
    return (id) => people.includes(id)
  }
}
