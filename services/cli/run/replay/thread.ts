// One log of a realm of cells, or one range of a log, replayed in a thread: it is given the
// options, and gives how far it is and at the end its report, or why there is none.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { loadModule } from '#authoring/callback-store'
import { assert, Fault } from '#record/fault'
import { headOf } from '#replay/chain'
import { walkRange } from '#replay/ranges/range'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { openLog } from '#runtime/logs/log-url'
import type { OnProgress } from '#runtime/reporting/progress'
import { stages } from '#workers/stages'
import type { ThreadMessage, ThreadOutcome } from './in-thread.ts'
import { replayOne } from './one.ts'

const GivenLog = z.object({
  realm: z.string(),
  stages: z.boolean(),
  cells: z.number(),
  log: z.string().optional(),
  rootKey: z.string().optional(),
})

const GivenRange = z.object({
  range: z.object({ after: z.number(), through: z.number().nullable() }),
  file: z.string(),
  folder: z.string().nullable(),
  realm: z.string(),
  era: z.number(),
  rootKey: z.string().nullable(),
  cells: z.number().nullable(),
  head: z.string().nullable(),
})
type GivenRange = z.infer<typeof GivenRange>

const Given = z.union([GivenRange, GivenLog])

/** Progress is passed on so often at most. */
const betweenMs = 200

async function run(): Promise<ThreadOutcome> {
  let saidAt = 0
  const onProgress: OnProgress = (progress) => {
    const now = performance.now()
    if (now - saidAt < betweenMs) return
    saidAt = now
    say({ progress })
  }
  try {
    const given = Given.parse(workerData)
    if ('range' in given) return { range: await walked(given, onProgress) }
    const { log, rootKey, ...of } = given
    const options = { ...of, threads: 1, ...(log !== undefined && { log }) }
    const rooted = { ...options, ...(rootKey !== undefined && { rootKey }) }
    return { report: await replayOne(rooted, onProgress) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

async function walked(given: GivenRange, onProgress: OnProgress) {
  const { range, file, folder, realm, era, rootKey, cells, head } = given
  const wanted = head === null ? null : headOf(head)
  const { log } = await openLog({ url: file, folder: folder ?? '' }, realm, { reads: true })
  const callbacks = threadCallbacks((digest) =>
    folder === null ? Promise.resolve(null) : loadModule(folder, digest),
  )
  try {
    const of = { log, place: { realm, era }, rootKey, cells, stages, callbacks }
    const options = { ...of, ...(wanted !== null && { head: wanted }) }
    return await walkRange(options, range, ({ position }) => {
      const done = position - range.after
      onProgress({ doing: 'replaying', of: 'facts', done, total: null })
    })
  } finally {
    await callbacks.close()
    await log.close()
  }
}

function say(message: ThreadMessage): void {
  assert(parentPort !== null, 'it runs in a thread')
  parentPort.postMessage(message)
}

say(await run())
