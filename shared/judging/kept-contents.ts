// All of what a call of a coding agent would write, where people are shown only its beginning: kept
// beside the log for the card until the review ends, and encrypted as results are. The log has its
// digest, so nothing else is ever shown in its place.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openResultFolder } from '#gateway/results/folder'
import { valueOfJson } from '#rules/drivers/written-json'
import { digestOf } from '#record/digest'
import type { ResultLimits, ResultStore } from '#ports/results'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export interface ContentsToKeep {
  readonly intent: string
  /** The principal whose call it is. */
  readonly owner: string
  readonly capability: string
  readonly text: string
  /** Until when people may answer; milliseconds since 1970. */
  readonly decideBy: number
}

/** `changed`: what is there is not what the intent binds, or cannot be read. */
export type FoundContents =
  | { readonly is: 'whole'; readonly text: string }
  | { readonly is: 'gone' | 'changed' }

export interface KeptContents {
  /** It never throws: without it people see the excerpt. */
  keep(contents: ContentsToKeep): Promise<void>
  find(of: { readonly intent: string; readonly digest: string }): Promise<FoundContents>
  /** Removes what no one is asked about any more, and returns how many are left. */
  sweep(): Promise<number>
  /** Removes what ends, until it is stopped. */
  watch(): { stop(): Promise<void> }
}

const mebibyte = 1024 * 1024

const limits: ResultLimits = {
  resultsMax: 10_000,
  bytesMax: 512 * mebibyte,
  resultBytesMax: 4 * mebibyte,
  ownerBytesMax: 32 * mebibyte,
}

const soonMs = 1_000
const laterMs = 60_000

type Beside = Pick<Runtime, 'folder' | 'clock' | 'timer' | 'log' | 'follower' | 'logger'>

/** Where the log has no folder nothing is kept. */
export function contentsBeside(runtime: Beside): KeptContents {
  const { folder: beside, clock, follower, logger } = runtime
  const folder = beside === null ? null : join(beside, 'contents')
  // Other processes put and remove as well, so what is there is looked at each time.
  const opened = async <T>(use: (store: ResultStore) => Promise<T>, none: T): Promise<T> => {
    if (folder === null || !existsSync(folder)) return none
    return using(await openResultFolder({ folder, clock, limits }), use)
  }
  const nameOf = (intent: string): string => `${follower.state.log ?? ''} ${intent}`
  const looking = async (look: (store: ResultStore) => Promise<number>): Promise<number> => {
    try {
      return await opened(look, 0)
    } catch (error) {
      logger.warn({ error }, 'contents that were kept could not be looked through')
      return 0
    }
  }
  const sweep = () => looking((store) => swept(store, runtime, nameOf))
  const remove = (intents: readonly string[]) =>
    looking(async (store) => {
      for (const intent of intents) await store.remove(store.idOf(nameOf(intent)))
      return store.ids().length
    })
  return {
    async keep({ text, decideBy, ...of }) {
      if (folder === null) return
      const result = { ...of, value: text, expiresAt: decideBy, name: nameOf(of.intent) }
      try {
        const store = await openResultFolder({ folder, clock, limits })
        await using(store, () => store.put(result))
      } catch (error) {
        logger.warn({ error, intent: of.intent }, 'the whole text of a call could not be kept')
      }
    },
    async find({ intent, digest }) {
      try {
        const kept = await opened((store) => store.get(store.idOf(nameOf(intent))), null)
        if (kept === null) return { is: 'gone' }
        const text = valueOfJson(kept.json)
        const isIt = typeof text === 'string' && kept.intent === intent
        return isIt && digestOf(text) === digest ? { is: 'whole', text } : { is: 'changed' }
      } catch (error) {
        logger.warn({ error, intent }, 'the whole text of a call could not be read')
        return { is: 'changed' }
      }
    },
    sweep,
    watch: () => watched(runtime, { sweep, remove }),
  }
}

async function using<T>(store: ResultStore, use: (store: ResultStore) => Promise<T>): Promise<T> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

async function swept(
  store: ResultStore,
  runtime: Beside,
  nameOf: (intent: string) => string,
): Promise<number> {
  let left = 0
  for (const id of store.ids()) {
    // What has expired goes by being looked at.
    const kept = await store.get(id).catch(() => null)
    if (kept === null) continue
    // Another log may have the same folder.
    const isOwn = store.idOf(nameOf(kept.intent)) === id
    const hasEnded = isOwn && (await factAbout(runtime, 'verdict', kept.intent)) !== undefined
    if (hasEnded) await store.remove(id)
    else left += 1
  }
  return left
}

interface Removing {
  readonly sweep: () => Promise<number>
  readonly remove: (intents: readonly string[]) => Promise<number>
}

function watched({ follower, timer }: Beside, { sweep, remove }: Removing) {
  const ended = new Set<string>()
  let working: Promise<unknown> = Promise.resolve()
  let cancelSoon: (() => void) | null = null
  const removeEnded = (): void => {
    cancelSoon = null
    const intents = [...ended]
    ended.clear()
    working = working.then(() => remove(intents))
  }
  const sweepAll = (): void => {
    working = working.then(sweep)
    cancelLater = timer.after(laterMs, sweepAll)
  }
  let cancelLater = timer.after(soonMs, sweepAll)
  const stopListening = follower.listen((_fact, { parts }) => {
    const address = parts?.address ?? null
    if (address === null || follower.state.intents.has(address)) return
    // The rest goes when all is looked through.
    if (ended.size < endedMax) ended.add(address)
    cancelSoon ??= timer.after(soonMs, removeEnded)
  })
  return {
    async stop() {
      stopListening()
      cancelSoon?.()
      cancelLater()
      await working
    },
  }
}

const endedMax = 1_000
