// Replays every cell of a realm, each in a thread of its own, and the control log that they share.
import { availableParallelism } from 'node:os'
import { assert } from '#record/fault'
import { realmOfCell } from '#record/names'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import type { LogReport } from './in-thread.ts'
import { inThread, sumOfProgress, type ReplayError } from './in-thread.ts'

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
      const outcome = await inThread(given, {
        onProgress(progress) {
          far.set(one, progress)
          onProgress(sumOfProgress(far.values(), progress))
        },
      })
      assert(!('range' in outcome), 'it was given a log')
      reports.push({ cell: one, ...outcome })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return reports.toSorted((one, other) => (one.cell ?? -1) - (other.cell ?? -1))
}
