// How far long work is. Who does the work reports as often as it likes; the listener makes sure
// that listening costs little.

export interface Progress {
  /** A present participle: `replaying`. */
  readonly doing: string
  /** What is counted, in the plural: `facts`. */
  readonly of: string
  readonly done: number
  /** Null as long as no one knows it. */
  readonly total: number | null
}

export type OnProgress = (progress: Progress) => void
