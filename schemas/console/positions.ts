// Where something stands in the logs of a realm, as one value: in one log it is a plain number, and
// over several cells a text that names each of them, `c0.12,c1.40`.
import { z } from 'zod'
import { later } from '../later.ts'

/** A number in one log; else the text. Who is given one gives it back as it is. */
export const LogPositions = later(() => z.union([z.int(), z.string().max(16_384)]))
export type LogPositions = z.infer<typeof LogPositions>

/** The same as a query has it. */
export const PositionsText = later(() => z.string().min(1).max(16_384))

/** The cell of a row, where the realm has several. */
export const OfCell = { cell: z.int().optional() }

export interface PositionIn {
  readonly position: number
  /** Which cell’s log it is; absent where the realm has one log. */
  readonly cell?: number | undefined
}

const ofOne = /^(0|[1-9][0-9]{0,14})$/
const ofCell = /^c(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,14})$/

/** One alone, as a text by which it is asked for: `17`, or `c1.40`. */
export function momentText(one: PositionIn): string {
  return String(positionsOf([one]))
}

/** In the order in which they are given. */
export function positionsOf(each: readonly PositionIn[]): LogPositions {
  const [first] = each
  if (each.length === 1 && first?.cell === undefined) return first?.position ?? 0
  return each.map(({ cell = 0, position }) => `c${cell}.${position}`).join(',')
}

/** By cell, and by `undefined` in one log; null for what is no such text. */
export function positionsIn(of: LogPositions): ReadonlyMap<number | undefined, number> | null {
  const text = String(of)
  if (ofOne.test(text)) return new Map([[undefined, Number(text)]])
  const found = new Map<number, number>()
  for (const part of text.split(',')) {
    const [, cell, position] = ofCell.exec(part) ?? []
    if (cell === undefined || found.has(Number(cell))) return null
    found.set(Number(cell), Number(position))
  }
  return found
}

/** The next one, in each log that is named. */
export function momentAfter(moment: string): string {
  const each = [...(positionsIn(moment) ?? [])]
  return String(positionsOf(each.map(([cell, position]) => ({ cell, position: position + 1 }))))
}

/** Whether it is behind what is named; also where its cell is not named. */
export function isNewer({ cell, position }: PositionIn, named: LogPositions): boolean {
  return position > (positionsIn(named)?.get(cell) ?? 0)
}

/** How many positions there are from one to the other, in all logs together. */
export function countBetween(from: LogPositions, to: LogPositions): number {
  const before = positionsIn(from)
  const after = [...(positionsIn(to) ?? [])]
  return after.reduce((sum, [cell, position]) => {
    return sum + Math.max(0, position - (before?.get(cell) ?? 0))
  }, 0)
}
