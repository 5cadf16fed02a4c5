// The verdicts that this process has drawn up itself, so that it need not derive one again where
// the stage would still go by the same. It is no proof of a fact that anyone else bound.
import { compareBytes } from '#platform/bytes'
import type { VerdictData } from '#schemas/facts'
import type { Draft, Stamp } from '#record/event'
import type { State } from '../state.ts'

export interface DrawnUp {
  readonly bytes: Uint8Array
  /** The stage that drew it up. */
  readonly by: object
  /** Its basis is the position up to which that knew the log. */
  readonly stamp: Stamp
  /** When its basis was appended. */
  readonly basisAt: number
  /** Whether the stage would go by the same where the fold stands now. */
  holds(state: State): boolean
}

/** With what the bytes say. */
export interface DrawnUpVerdict extends DrawnUp {
  readonly data: VerdictData
}

export interface DrawnUpVerdicts {
  /**
   * Takes any draft. What is no verdict is not kept, nor what callbacks had a part in, since they
   * may answer otherwise.
   */
  remember(draft: Draft, drawnUp: DrawnUp): void
  /** Null unless these are the very bytes. */
  of(fact: { readonly name: string; readonly bytes: Uint8Array }): DrawnUpVerdict | null
  /** To be called where one of that name is folded: what it was drawn up from is dropped. */
  folded(name: string): void
}

/** Of more, the oldest are derived again. */
const keptMax = 1_024

export function drawnUpVerdicts(): DrawnUpVerdicts {
  const kept = new Map<string, DrawnUpVerdict>()
  return {
    remember(draft, drawnUp) {
      if (draft.kind !== 'verdict' || draft.data.callbacks.length > 0) return
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(draft.name, { ...drawnUp, data: draft.data })
    },
    of({ name, bytes }) {
      const found = kept.get(name)
      return found !== undefined && compareBytes(found.bytes, bytes) === 0 ? found : null
    },
    folded(name) {
      const found = kept.get(name)
      if (found !== undefined) found.holds = isPast
    },
  }
}

const isPast = (): boolean => false
