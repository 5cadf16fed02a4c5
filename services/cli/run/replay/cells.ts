// Replays every cell of a realm, each in a thread of its own, and the control log that they share.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Fault } from '#record/fault'
import { realmOfCell } from '#record/names'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import type { ReplayReport } from '#replay/replay'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import type { ThreadMessage } from './thread.ts'

/** The report of one log; the cell is null for the control log. */
export interface CellReport {
  readonly cell: number | null
  readonly report: ReplayReport
}

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
      const report = await inThread(given, (progress) => {
        far.set(one, progress)
        onProgress(sumOf([...far.values()], progress))
      })
      reports.push({ cell: one, report })
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

function inThread(workerData: object, onProgress: OnProgress): Promise<ReplayReport> {
  const worker = new Worker(entry, { workerData })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if ('progress' in message) onProgress(message.progress)
      else if ('report' in message) resolve(message.report)
      else reject(new Fault(message.fault.code, message.fault.message))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a thread ended without a report')))
  })
}
