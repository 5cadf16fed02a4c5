// One log of a realm of cells, replayed in a thread: it is given the options, and gives how far it
// is and at the end its report, or why there is none.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { assert, Fault } from '#record/fault'
import type { FaultCode } from '#schemas/faults/registry'
import type { Progress } from '#runtime/reporting/progress'
import { replayOne, type LogReport } from './one.ts'

const Given = z.object({
  realm: z.string(),
  stages: z.boolean(),
  cells: z.number(),
  log: z.string().optional(),
  rootKey: z.string().optional(),
})

export type ThreadMessage =
  | { readonly progress: Progress }
  | { readonly report: LogReport }
  | { readonly error: { readonly code: FaultCode; readonly message: string } }

/** Progress is passed on so often at most. */
const betweenMs = 200

async function run(): Promise<ThreadMessage> {
  let saidAt = 0
  const onProgress = (progress: Progress): void => {
    const now = performance.now()
    if (now - saidAt < betweenMs) return
    saidAt = now
    say({ progress })
  }
  try {
    const { log, rootKey, ...given } = Given.parse(workerData)
    const options = { ...given, ...(log !== undefined && { log }) }
    const rooted = { ...options, ...(rootKey !== undefined && { rootKey }) }
    return { report: await replayOne(rooted, onProgress) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

function say(message: ThreadMessage): void {
  assert(parentPort !== null, 'it runs in a thread')
  parentPort.postMessage(message)
}

say(await run())
