// What the work demo came to over all its workers, as it is printed and given as JSON.
import type { SeenWorker, Worker } from '#demo/work-task'
import { workerRows, type ReinstatedRow, type WorkRow } from './rows.ts'
import type { TestPrograms } from './test-programs.ts'

export interface WorkResult {
  readonly isolation: TestPrograms['isolation']
  readonly rows: readonly WorkRow[]
  readonly reinstated: readonly ReinstatedRow[]
  /** Tasks that were played. */
  readonly played: number
  /** Rows in which all is as expected, and in which something is not. */
  readonly asExpected: number
  readonly different: number
}

/** `seen`: by agent. */
export function workResult(
  workers: readonly Worker[],
  seen: ReadonlyMap<string, SeenWorker>,
  isolation: TestPrograms['isolation'],
): WorkResult {
  const unseen: SeenWorker = { tasks: new Map(), reinstated: null }
  const all = workers.map((worker) => workerRows(worker, seen.get(worker.agent) ?? unseen))
  const rows = all.flatMap(({ tasks }) => tasks)
  const reinstated = all.flatMap((one) => (one.reinstated === null ? [] : [one.reinstated]))
  const seenRows = [...rows, ...reinstated].filter((row) => row.seen !== null)
  const different = seenRows.filter(({ differing }) => differing.length > 0).length
  return {
    isolation,
    rows,
    reinstated,
    played: rows.filter((row) => row.seen !== null).length,
    asExpected: seenRows.length - different,
    different,
  }
}

export function workJson({ rows, reinstated, ...counts }: WorkResult): object {
  return {
    ...counts,
    rows: rows.map(({ agent, task, seen, expected, differing }) => {
      const { task: name, way, attempts, next: asksFor } = task
      const claimed = attempts.map(({ report }) => report.status)
      return { task: name, agent, way, claimed, asksFor, seen, expected, differing }
    }),
    reinstated,
  }
}
