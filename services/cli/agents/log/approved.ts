// What people approved and that were not begun: shown beside what is open, since neither side is
// notified of it.
import { duration, utc } from '#present/wording'
import { approvedUnused, unusedDays, type ApprovedCall } from '#health/approved-unused'
import type { Runtime } from '#runtime/engine/runtime'
import { weighingOn } from '#replay/verdicts/forged'
import { stages } from '#workers/stages'
import { inCell } from '#cli/terminal/opening/cells/logs'
import { tableLines } from '#cli/terminal/table'
import { toned, type Line } from '#cli/terminal/line'

export interface ApprovedRow extends ApprovedCall {
  readonly cell: number | null
  readonly ageMs: number
  /** Whether it may no longer be begun. */
  readonly hasEnded: boolean
  /** When it is good until, or since when it no longer is. */
  readonly text: string
}

export async function approvedRows(
  { log, place, clock, callbacks }: Runtime,
  cell: number | null,
): Promise<readonly ApprovedRow[]> {
  const now = clock.now()
  const weighing = weighingOn(log, place, { stages, callbacks })
  return (await approvedUnused(log, place, { now, weighing })).map((call) => {
    const { approvedAt, useBy } = call
    const hasEnded = now > useBy
    const text = hasEnded
      ? `approved, never used: it ended ${duration(now - useBy)} ago`
      : `approved, not used yet: good until ${utc(useBy)}`
    return { ...call, cell, ageMs: Math.max(0, now - approvedAt), hasEnded, text }
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

export function approvedJson({ cell, useBy, by, hasEnded, text, ...row }: ApprovedRow): object {
  const { intent, position, ageMs, tool } = row
  const approved = { by, until: new Date(useBy).toISOString(), hasEnded, text }
  return inCell({ intent, position, ageMs, tool, approved }, cell)
}
