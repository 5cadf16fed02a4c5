// What rules that a log would get newly let through, and which tests of a folder they break: one
// search for all commands that change rules, by one set of judges. It binds nothing.
import type { Rules } from '#authoring/allowed/guards'
import { newlyAllowed } from '#authoring/allowed/newly'
import type { SeedFiles } from '#authoring/seed-files'
import { letThrough, type LetThrough, type TrialJudges } from '#replay/what-if/let-through'
import type { Runtime } from '#runtime/engine/runtime'
import { withCallbacks } from '#cli/offline/callback-file'
import type { Line } from '#cli/terminal/line'
import { letThroughLines } from '../editing/newly-let.ts'
import { servedBy } from '../editing/served-callbacks.ts'
import { neversNotKept, notKeptLines, type NotKept } from './nevers.ts'

export interface Letting {
  /** Null where nothing changes, or nothing is there yet that a change could be held against. */
  readonly letThrough: LetThrough | null
  /** What the tests of the folder say is never allowed, and is then. */
  readonly notKept: readonly NotKept[]
}

interface Looked {
  /** Where the tests are; absent where there are none. */
  readonly folder: string | undefined
  /** The callbacks of a folder that is not applied yet. */
  readonly module?: SeedFiles['callbacks']
  /** Whether the rules are those of the log. */
  readonly isSame?: boolean
}

export async function lettingOf(
  { follower, callbacks, clock }: Pick<Runtime, 'follower' | 'callbacks' | 'clock'>,
  after: Rules,
  { folder, module = null, isSame = false }: Looked,
): Promise<Letting> {
  const { catalog, graph, catalogRevision } = follower.state
  const isHeld = !isSame && catalogRevision > 0
  if (!isHeld && folder === undefined) return { letThrough: null, notKept: [] }
  const { stages } = await import('#workers/stages')
  return withCallbacks(module, async (opened) => {
    const callbacksThen = servedBy(callbacks, opened)
    const judging: TrialJudges = { stages, callbacks: callbacksThen, at: clock.now() }
    const before = { catalog, graph }
    return {
      letThrough: isHeld
        ? await letThrough(before, after, newlyAllowed(before, after), judging)
        : null,
      notKept: folder === undefined ? [] : await neversNotKept(folder, after, judging),
    }
  })
}

export function lettingLines({ letThrough: found, notKept }: Letting): readonly Line[] {
  return [...letThroughLines(found), ...notKeptLines(notKept)]
}
