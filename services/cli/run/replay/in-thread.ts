// Gives a thread what it is to derive, and waits for what it found. One that ends without a word
// has found nothing: that is an error, and never a success.
import { Worker } from 'node:worker_threads'
import { Fault } from '#record/fault'
import type { WalkedRange } from '#replay/ranges/range'
import type { ReplayReport } from '#replay/replay'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import type { FaultCode } from '#schemas/faults/registry'

/** What a replay of a log came to, and why it is not what this user saw of it before. */
export interface LogReport extends ReplayReport {
  /** Absent where it goes on from there. */
  readonly rolledBack?: string
}

/** Why a log could not be replayed. */
export interface ReplayError {
  readonly code: FaultCode
  readonly message: string
}

export type ThreadMessage =
  | { readonly progress: Progress }
  | { readonly report: LogReport }
  | { readonly range: WalkedRange }
  | { readonly error: ReplayError }

export type ThreadOutcome = Exclude<ThreadMessage, { readonly progress: Progress }>

const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'
const program = new URL(file, import.meta.url)

export interface InThread {
  readonly onProgress: OnProgress
  /** Ends the thread when it aborts. */
  readonly signal?: AbortSignal
  /** The program of the thread; for tests. */
  readonly entry?: URL
}

export function inThread(
  workerData: object,
  { onProgress, signal, entry = program }: InThread,
): Promise<ThreadOutcome> {
  const worker = new Worker(entry, { workerData })
  signal?.addEventListener('abort', () => void worker.terminate(), { once: true })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if ('progress' in message) onProgress(message.progress)
      else resolve(message)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a thread ended without a report')))
  })
}

/** How far all of them are together. */
export function sumOfProgress(all: Iterable<Progress>, like: Progress): Progress {
  let [done, total] = [0, 0]
  for (const each of all) {
    done += each.done
    total += each.total ?? 0
  }
  return { ...like, done, total }
}

export function replayFault({ code, message }: ReplayError): Fault {
  return new Fault(code, message)
}
