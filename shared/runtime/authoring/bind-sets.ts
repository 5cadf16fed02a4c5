// Binds several change sets that were planned together, one after the other.
import type { Operations } from './change-check.ts'
import { change, type Author, type ChangeOptions } from './change.ts'
import type { Moved } from './moved.ts'
import type { Runtime } from '../open.ts'

export interface BoundSets {
  readonly revisions: readonly number[]
  /** What others changed in between. */
  readonly moved: readonly Moved[]
}

export async function bindSets(
  runtime: Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>,
  sets: readonly Operations[],
  { author, base, note }: ChangeOptions & { readonly author: Author },
): Promise<BoundSets> {
  const revisions: number[] = []
  const moved: Moved[] = []
  for (const set of sets) {
    // Once it has begun, half of it would be worse than all of it beside what others do.
    const seen = revisions.length === 0 && base !== undefined ? { base } : {}
    const options = { ...seen, ...(note !== undefined && { note }) }
    const changed = await change(runtime, set, author, options)
    revisions.push(changed.revision)
    moved.push(...(changed.moved ?? []))
  }
  return { revisions, moved }
}
