// Keeps the eras of one log: rotates each once it is due, on the terms that the catalog has, and
// archives what is sealed. Several processes may do it at once: names make a turn happen once, and
// where one was killed another goes on. Nothing is ever taken away.
import { Fault } from '#record/fault'
import type { KeyAuthor } from '#authoring/change'
import type { Rotation } from '#ports/rotation'
import type { Runtime } from '#runtime/engine/runtime'
import { pause } from '#runtime/engine/timeout'
import { allowsKeepers } from '#state/eras/due'
import type { State } from '#state/state'
import { isDue, rotate } from './rotate.ts'

/** So often it is looked at. */
export const lookMs = 60_000

export interface EraKeeping {
  /** Who signs; null where no keeper's key is here, which may come later. */
  readonly author: () => Promise<KeyAuthor | null>
  readonly rotation: () => Promise<Rotation | null>
  /** Archives a sealed era; null where that was done, or it is not here any more. */
  readonly archive: (state: State, era: number) => Promise<Archived | null>
}

export interface Archived {
  readonly file: string
  readonly bytes: number
  readonly facts: number
  readonly derived: number
  /** Facts that do not derive as they were recorded. */
  readonly differences: number
  /** Facts that rest on eras before it, or on a module that is not here. */
  readonly unchecked: number
}

export interface EraKeeper {
  /** Resolves when what is under way has ended, which another may begin again. */
  stop(): Promise<void>
}

type Kept = Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer' | 'logger'>

/** `load` gives what it is done by, once the catalog allows it: mostly it never does. */
export function keepEras(runtime: Kept, load: () => Promise<EraKeeping>): EraKeeper {
  const { timer, logger } = runtime
  const stopping = new AbortController()
  const { signal } = stopping
  const archived = new Set<number>()
  let isSettled = false
  let loaded: EraKeeping | null = null
  const look = async (): Promise<void> => {
    if (!allowsKeepers(runtime.follower.state.catalog)) {
      if (loaded !== null) await refuseHalf(runtime, loaded)
      return
    }
    const keeping = (loaded ??= await load())
    const author = await keeping.author()
    if (author === null) return
    if (!isSettled || (await isDue(runtime))) {
      isSettled = false
      await turn(runtime, author, keeping)
      isSettled = true
    }
    await release(runtime, keeping)
    await archiveSealed(runtime, keeping, { archived, signal })
  }
  const all = async (): Promise<void> => {
    do {
      try {
        await look()
      } catch (error) {
        isSettled = false
        // Stages run beside it, which must not end for it.
        if (error instanceof Fault) logger.warn({ error }, 'eras not kept')
        else logger.error({ error }, 'eras not kept')
      }
    } while (!(await pause(timer, lookMs, signal)))
  }
  const ends = all()
  return {
    async stop() {
      stopping.abort()
      await ends
    },
  }
}

/** A catalog that forbade it meanwhile leaves a turn half done, which only a person can end. */
async function refuseHalf({ follower }: Kept, { rotation }: EraKeeping): Promise<void> {
  const { place } = follower.state
  if ((await (await rotation())?.isSealed(place)) !== true) return
  const what = `era ${place.era} takes nothing any more, and the next is not open`
  const why = 'the catalog lets no era keeper rotate eras any more'
  throw new Fault('rotation_void', `${what}: ${why}, so a policy admin runs \`warrant log rotate\``)
}

/** Rotates what is due, and ends what was begun; else it does nothing. */
async function turn(runtime: Kept, author: KeyAuthor, keeping: EraKeeping): Promise<void> {
  const { follower, logger } = runtime
  const rotation = await keeping.rotation()
  const { era } = follower.state.place
  if (follower.state.sealed === null && !(await isDue(runtime))) {
    // Of the last turn only the last step may be left to do.
    if (era > 1) await rotation?.admit(follower.state.place)
    return
  }
  const { sealed, snapshot, open } = await rotate(runtime, author, rotation)
  const { parts: chunks } = snapshot
  logger.info({ ...sealed, chunks, open }, 'era rotated')
}

async function release({ follower, logger }: Kept, { rotation }: EraKeeping): Promise<void> {
  const released = (await (await rotation())?.release(follower.state.place)) ?? []
  if (released.length > 0) logger.warn({ queues: released.join(', ') }, 'stood still, and goes on')
}

async function archiveSealed(
  { follower, logger }: Kept,
  { archive }: EraKeeping,
  { archived, signal }: { readonly archived: Set<number>; readonly signal: AbortSignal },
): Promise<void> {
  const { state } = follower
  for (let era = 1; era < state.place.era && !signal.aborted; era += 1) {
    if (archived.has(era)) continue
    const made = await archive(state, era)
    archived.add(era)
    if (made === null) continue
    if (made.differences > 0) logger.warn({ era, ...made }, 'era archived, and it differs')
    else logger.info({ era, ...made }, 'era archived')
  }
}
