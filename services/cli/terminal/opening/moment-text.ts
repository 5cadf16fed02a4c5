// Where in a log's history something stands, for people and for programs.
import { utc } from '#present/wording'
import type { KnownAt, Revised } from '#replay/eras/state-at'

function revisionOf(known: KnownAt, of: Revised): number {
  return of === 'graph' ? known.graphRevision : known.catalogRevision
}

/** `revision 3 at position 17, 2026-05-01 12:03:11 UTC`. */
export function standText(known: KnownAt, of: Revised): string {
  const { position, appendedAt } = known
  const when = position === 0 ? '' : `, ${utc(appendedAt)}`
  return `revision ${revisionOf(known, of)} at position ${position}${when}`
}

export function standJson(known: KnownAt, of: Revised): unknown {
  const { position, appendedAt } = known
  const time = position === 0 ? null : new Date(appendedAt).toISOString()
  return { revision: revisionOf(known, of), position, appendedAt: time }
}
