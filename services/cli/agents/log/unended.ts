// Calls that a gateway has begun and not ended, and those of which no one knows whether they were
// done: shown beside what is open, since a person must look.
import { duration } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { inCell } from '#cli/terminal/opening/cells/logs'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

export interface UnendedRow {
  readonly intent: string
  readonly agent: string
  readonly tool: string
  /** Whether it has ended without anyone knowing how. */
  readonly isUnknown: boolean
  /** The gateway that runs it; null where it has ended. */
  readonly gateway: string | null
  /** Since its outcome; null while it runs. */
  readonly ageMs: number | null
  readonly cell: number | null
}

export function unendedRows(
  { follower, clock }: Runtime,
  cell: number | null,
): readonly UnendedRow[] {
  const now = clock.now()
  const { running, unsettled } = follower.state
  return [
    ...[...running.values()].map(({ address: intent, agent, capability: tool, gateway }) => {
      return { intent, agent, tool, isUnknown: false, gateway, ageMs: null, cell }
    }),
    ...[...unsettled.values()].map(({ address: intent, agent, capability: tool, appendedAt }) => {
      const ageMs = Math.max(0, now - appendedAt)
      return { intent, agent, tool, isUnknown: true, gateway: null, ageMs, cell }
    }),
  ]
}

export function unendedLines(rows: readonly UnendedRow[], hasCells: boolean): readonly Line[] {
  if (rows.length === 0) return []
  const head = ['age', 'tool', 'agent', '', 'intent']
  const lines = rows.map(({ ageMs, tool, agent, isUnknown, gateway, intent, cell }) => {
    const text = isUnknown ? 'no one knows whether it was done' : `run by ${gateway ?? 'a gateway'}`
    const row = [ageMs === null ? '' : duration(ageMs), tool, agent, text, intent]
    return hasCells ? [String(cell), ...row] : row
  })
  const isAnyUnknown = rows.some(({ isUnknown }) => isUnknown)
  return [
    '',
    toned('strong', 'begun by a gateway, and not ended or not known'),
    ...tableLines(hasCells ? ['cell', ...head] : head, lines),
    ...(isAnyUnknown ? ['look there, then: warrant settle INTENT --happened yes|no'] : []),
  ]
}

export function unendedJson({ cell, gateway, isUnknown, ...row }: UnendedRow): object {
  const { intent, agent, tool, ageMs } = row
  return inCell({ intent, agent, tool, ageMs, call: { gateway, isUnknown } }, cell)
}
