// The verdicts that this process has drawn up itself, so that it need not derive one again that
// stands right behind what it was drawn up from. It is no proof of a fact that anyone else bound.
import { compareBytes } from '#platform/bytes'
import type { VerdictData } from '#schemas/facts'
import type { Draft, Stamp } from '#record/event'

export interface DrawnUp {
  readonly bytes: Uint8Array
  /** The stage that drew it up. */
  readonly by: object
  /** Its basis is the position up to which that knew the log. */
  readonly stamp: Stamp
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
}

/** Of more, the oldest are derived again. */
const keptMax = 1_024

export function drawnUpVerdicts(): DrawnUpVerdicts {
  const kept = new Map<string, DrawnUpVerdict>()
  return {
    remember(draft, { bytes, by, stamp }) {
      if (draft.kind !== 'verdict' || draft.data.callbacks.length > 0) return
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(draft.name, { bytes, by, stamp, data: draft.data })
    },
    of({ name, bytes }) {
      const found = kept.get(name)
      return found !== undefined && compareBytes(found.bytes, bytes) === 0 ? found : null
    },
  }
}
