// Binds several change sets that were planned together, one after the other.
import type { Operations } from './change-check.ts'
import { change, type Author, type ChangeOptions } from './change.ts'
import type { Moved } from './moved.ts'
import type { Runtime } from '#runtime/engine/runtime'
import type { OnProgress } from '#runtime/reporting/progress'

export interface BoundSets {
  readonly revisions: readonly number[]
  /** What others changed in between. */
  readonly moved: readonly Moved[]
}

interface BindingSets extends ChangeOptions {
  readonly author: Author
  readonly onProgress?: OnProgress
}

export async function bindSets(
  runtime: Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>,
  sets: readonly Operations[],
  { author, base, note, onProgress }: BindingSets,
): Promise<BoundSets> {
  const revisions: number[] = []
  const moved: Moved[] = []
  const total = sets.reduce((sum, { operations }) => sum + operations.length, 0)
  let done = 0
  for (const set of sets) {
    onProgress?.({ doing: 'writing', of: 'operations', done, total })
    // Once it has begun, half of it would be worse than all of it beside what others do.
    const seen = revisions.length === 0 && base !== undefined ? { base } : {}
    const options = { ...seen, ...(note !== undefined && { note }) }
    const changed = await change(runtime, set, author, options)
    revisions.push(changed.revision)
    moved.push(...(changed.moved ?? []))
    done += set.operations.length
  }
  return { revisions, moved }
}
