// Replays every cell of a realm, each in a thread of its own, and the control log that they share.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FaultCode } from '#schemas/faults/registry'
import { realmOfCell } from '#record/names'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import type { LogReport } from './one.ts'
import type { ThreadMessage } from './thread.ts'

/** Why a log could not be replayed. */
export interface ReplayError {
  readonly code: FaultCode
  readonly message: string
}

/** The report of one log, or why there is none; the cell is null for the control log. */
export type CellReport = { readonly cell: number | null } & (
  | { readonly report: LogReport }
  | { readonly error: ReplayError }
)

/** As many at a time as there are cores, the control log first. */
export async function replayCells(
  { realm, log, rootKey, stages }: GlobalOptions,
  cells: number,
  onProgress: OnProgress,
): Promise<readonly CellReport[]> {
  const wanted = [null, ...Array.from({ length: cells }, (_, index) => index)]
  const far = new Map<number | null, Progress>()
  const reports: CellReport[] = []
  const next = async (): Promise<void> => {
    for (let cell = wanted.shift(); cell !== undefined; cell = wanted.shift()) {
      const one = cell
      const of = one === null ? realm : realmOfCell({ of: realm, index: one })
      const given = { realm: of, cells, stages, log, rootKey }
      const outcome = await inThread(given, (progress) => {
        far.set(one, progress)
        onProgress(sumOf([...far.values()], progress))
      })
      reports.push({ cell: one, ...outcome })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return reports.toSorted((one, other) => (one.cell ?? -1) - (other.cell ?? -1))
}

function sumOf(all: readonly Progress[], like: Progress): Progress {
  const done = all.reduce((sum, each) => sum + each.done, 0)
  return { ...like, done, total: all.reduce((sum, { total }) => sum + (total ?? 0), 0) }
}

const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'
const entry = new URL(file, import.meta.url)

type Outcome = { readonly report: LogReport } | { readonly error: ReplayError }

function inThread(workerData: object, onProgress: OnProgress): Promise<Outcome> {
  const worker = new Worker(entry, { workerData })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if ('progress' in message) onProgress(message.progress)
      else resolve(message)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a thread ended without a report')))
  })
}
