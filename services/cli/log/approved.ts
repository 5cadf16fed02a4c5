// What people approved and nobody has begun: shown beside what is open, since neither side is
// notified of it.
import { duration, utc } from '#present/wording'
import { unusedApprovals, unusedDays, type Approval } from '#runtime/operations/unused-approvals'
import type { Runtime } from '#runtime/engine/runtime'
import { inCell } from '../opening/cells/logs.ts'
import { tableLines } from '../terminal/table.ts'
import { toned, type Line } from '../terminal/line.ts'

export interface ApprovedRow extends Approval {
  readonly cell: number | null
  readonly ageMs: number
  /** Whether it may no longer be begun. */
  readonly isOver: boolean
  /** When it is good until, or since when it no longer is. */
  readonly text: string
}

export async function approvedRows(
  { log, place, clock }: Runtime,
  cell: number | null,
): Promise<readonly ApprovedRow[]> {
  const now = clock.now()
  return (await unusedApprovals(log, place, now)).map((approval) => {
    const { approvedAt, useBy } = approval
    const isOver = now > useBy
    const text = isOver
      ? `approved, never used: it ended ${duration(now - useBy)} ago`
      : `approved, not used yet: good until ${utc(useBy)}`
    return { ...approval, cell, ageMs: Math.max(0, now - approvedAt), isOver, text }
  })
}

export function approvedLines(rows: readonly ApprovedRow[], hasCells: boolean): readonly Line[] {
  if (rows.length === 0) return []
  const head = ['age', 'tool', 'approved by', 'used', 'intent']
  const lines = rows.map(({ ageMs, tool, by, text, intent, cell }) => {
    const row = [duration(ageMs), tool, by.join(', '), text, intent]
    return hasCells ? [String(cell), ...row] : row
  })
  const title = `approved in the last ${unusedDays} days, and not begun`
  return ['', toned('strong', title), ...tableLines(hasCells ? ['cell', ...head] : head, lines)]
}

export function approvedJson({ cell, useBy, by, isOver, text, ...row }: ApprovedRow): object {
  const { intent, position, ageMs, tool } = row
  const approved = { by, until: new Date(useBy).toISOString(), isOver, text }
  return inCell({ intent, position, ageMs, tool, approved }, cell)
}
