// What became of a log since a seed folder was last applied to it: a change set names the folder
// that it was made from, and what came after it did not come from there. A hint for people, read
// without folding: whether each of them counts is the business of a replay.
import { readEvent } from '#record/event'
import { patternsOf } from '#record/names'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { changeIn, type ChangeKind, type Moved } from '../moved.ts'

/** The last change set that names a folder. */
export interface Drift {
  /** The digest of the folder. */
  readonly folder: string
  readonly kind: ChangeKind
  readonly revision: number
  readonly by: string
  /** Milliseconds since 1970, by the clock of the log. */
  readonly appendedAt: number
  /** What was changed since, in log order. */
  readonly since: readonly (Moved & { readonly kind: ChangeKind })[]
}

const changesReadMax = 100_000

/** Null where no change set that is here names a folder. */
export async function driftIn(
  log: Pick<LogReader, 'read'>,
  state: Pick<State, 'place' | 'position' | 'graphRevision' | 'catalogRevision'>,
): Promise<Drift | null> {
  const { place, position } = state
  const names = [...patternsOf(place, 'graph'), ...patternsOf(place, 'catalog')]
  let drift: Drift | null = null
  let since: (Moved & { readonly kind: ChangeKind })[] = []
  let read = 0
  for await (const fact of log.read({ to: position }, names)) {
    read += 1
    if (read > changesReadMax) return null
    const kind = kindOf(fact, state)
    const moved = kind === null ? null : changeIn(kind, fact)
    if (kind === null || moved === null) continue
    const folder = folderIn(kind, fact)
    if (folder === null) since.push({ ...moved, kind })
    else {
      const { revision, by } = moved
      since = []
      drift = { folder, kind, revision, by, appendedAt: fact.appendedAt, since }
    }
  }
  return drift === null ? null : { ...drift, since }
}

function kindOf(fact: Fact, state: Parameters<typeof driftIn>[1]): ChangeKind | null {
  const [, , kind, revision] = fact.name.split('.')
  if (kind === 'graph') return Number(revision) <= state.graphRevision ? kind : null
  if (kind === 'catalog') return Number(revision) <= state.catalogRevision ? kind : null
  return null
}

function folderIn(kind: ChangeKind, fact: Fact): string | null {
  const reading = kind === 'graph' ? readEvent('graph', fact) : readEvent('catalog', fact)
  return reading.ok ? (reading.event.data.folder ?? null) : null
}
