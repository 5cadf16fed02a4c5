// What a candidate would do before anybody agrees to it: the last verdicts derived again with the
// graph of now and with the proposed one. It binds nothing.
import type { Candidate } from '#schemas/learning'
import { applyChange } from '#core/graph/change'
import { operationsOf } from '#core/learning/candidate'
import type { Runtime } from '#runtime/open'
import { whatIf, type WhatIfReport } from '#runtime/what-if/what-if'
import { note } from '../../terminal.ts'

/** Null where none is wanted, or the graph does not take it. */
export async function previewOf(
  { log, place, callbacks, follower }: Runtime,
  candidate: Candidate,
  last: number,
): Promise<WhatIfReport | null> {
  const { graph: before, rootKey } = follower.world
  const change = applyChange(before, operationsOf(before, candidate, null))
  if (last === 0 || 'refused' in change) return null
  const { stages } = await import('#services/stages')
  const { graph: after } = change
  const progress = (folded: number, of: number): void => {
    note(`preview: ${folded} of ${of} facts`)
  }
  return whatIf({ log, place, rootKey, stages, callbacks, last, before, after, progress })
}
