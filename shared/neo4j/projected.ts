// What is projected into one database: one log, or the control log of a realm and those of its
// cells. Each log has a position of its own there.
import { cellOfMarks, type LogMark, type Marks } from './driver/mark.ts'
import type { Log } from '#ports/log'

/** A log with all that is about its intents. */
export interface ProjectedLog {
  /** Null of the one log, and of the control log, from which the graph is. */
  readonly cell: number | null
  readonly realm: string
  readonly log: Log
}

export interface CellLog extends ProjectedLog {
  readonly cell: number
}

export interface Projected {
  /** The one log, or the control log first and those of the cells in their order. */
  readonly logs: readonly [ProjectedLog, ...CellLog[]]
  readonly rootKey: string | null
}

export function projectedLogs({
  log,
  realm,
  cells = [],
}: Omit<ProjectedLog, 'cell'> & { readonly cells?: readonly CellLog[] }): Projected['logs'] {
  return [{ cell: null, realm, log }, ...cells]
}

export async function projectedHead({ log }: Pick<ProjectedLog, 'log'>): Promise<number> {
  return (await log.head()).position
}

/** How far the database is with that log. */
export function markOfLog(marks: Marks, { cell }: Pick<ProjectedLog, 'cell'>): LogMark {
  return cell === null ? marks.control : cellOfMarks(marks, cell)
}

/** Where the logs ended when the check began. */
export type Heads = ReadonlyMap<ProjectedLog, number>

export function headIn(heads: Heads, of: ProjectedLog): number {
  return heads.get(of) ?? 0
}
