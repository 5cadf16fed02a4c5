// A list of misses: the latest intents that were denied for gaps alone, and the latest calls that
// failed, which learning may take up though no one waits for it. What it has forgotten is asked
// when it is met again.

export type Miss =
  /** By the name of the grounding that found the gaps, or of the outcome. */
  | { readonly kind: 'denied'; readonly grounding: string }
  | { readonly kind: 'failed'; readonly outcome: string }

const keptMax = 256

export interface MissList {
  readonly size: number
  note(miss: Miss): void
  /** All of them, oldest first; they are forgotten with this. */
  take(): readonly Miss[]
}

export function missList(): MissList {
  let kept: Miss[] = []
  return {
    get size() {
      return kept.length
    },
    note(miss) {
      kept.push(miss)
      if (kept.length > 2 * keptMax) kept = kept.slice(-keptMax)
    },
    take() {
      const taken = kept.slice(-keptMax)
      kept = []
      return taken
    },
  }
}
