// What a worker does when an era is rotated: it goes over to the jobs of the next one, where all
// that is still open is one job. Nothing that the old era left half done is lost or said twice.
import { patternOf, queueOf, type Place } from '#record/names'
import type { Stage } from '#stages/stage'
import { advance, type Advancing } from './advance.ts'
import type { Follower } from './follower.ts'

/** At most so many open intents are advanced at once. */
const atOnceMax = 256

/** The jobs of the stage in the era of that place; from the second on, also what opened it. */
export function jobsOf(
  { name, kinds }: Pick<Stage, 'name' | 'kinds'>,
  place: Place,
): { readonly queue: string; readonly names: readonly string[] } {
  const all = place.era === 1 ? kinds : [...kinds, 'snapshot' as const]
  const names = all.map((kind) => patternOf(place, kind, '>'))
  return { queue: queueOf(name, place.era), names }
}

/** Until an era has turned, or the worker has to begin again for another reason. */
export interface Turn {
  readonly signal: AbortSignal
  /** Ends it, and another follows. */
  end(): void
  /** Listens no longer, and says whether another follows. */
  release(): boolean
}

/** A signal that aborts when the present era has turned, or with the given one. */
export function untilTurned(follower: Follower, stopping: AbortSignal): Turn {
  const { era } = follower.state.place
  const leaving = new AbortController()
  let isTurned = false
  const end = (): void => {
    isTurned = true
    leaving.abort()
  }
  const stop = follower.listen(() => {
    if (follower.state.place.era !== era) end()
  })
  const leave = (): void => leaving.abort()
  stopping.addEventListener('abort', leave)
  if (stopping.aborted) leave()
  return {
    signal: leaving.signal,
    end,
    release(): boolean {
      stop()
      stopping.removeEventListener('abort', leave)
      return isTurned
    },
  }
}

/** Whether the fact at that position began the present era. */
export function hasTurned({ state }: Follower, position: number): boolean {
  return state.place.era > 1 && state.eras.at(-1)?.from === position
}

/** Advances all that is open. Throws what one of them met, when all have been tried. */
export async function advanceOpen(options: Advancing): Promise<void> {
  const open = [...options.follower.state.intents.keys()]
  const errors: unknown[] = []
  for (let from = 0; from < open.length; from += atOnceMax) {
    const some = open.slice(from, from + atOnceMax)
    const tried = await Promise.allSettled(some.map((address) => advance(options, address)))
    for (const each of tried) if (each.status === 'rejected') errors.push(each.reason)
  }
  if (errors.length > 0) throw errors[0]
}
