// What goes beside the log: hints to those who do not follow it. Nothing may depend on one: who
// waits also looks, or asks, by itself. It is kept for no one, may be lost, and may come twice.

export interface Notices {
  /**
   * Says that the verdict of that name on the intent of that address is durable. It never throws
   * and never waits.
   */
  report(address: string, verdict: string): void

  /**
   * Calls for every notice about an intent of that agent, by its token, from the moment that this
   * resolves until the returned function is called. What is believed may come from anyone, so it
   * must never be taken for an answer. Never rejects: who may not receive receives nothing.
   */
  receive(
    agent: string,
    received: (notice: { readonly address: string; readonly verdict: string }) => void,
  ): Promise<() => void>

  /** Sends someone a review that asks them. It never throws and never waits. */
  toReview(sent: SentReview): void

  /**
   * Calls when a person, by their token, asks for all that waits for them, at one of those who
   * listen so, until the returned function is called. Never throws.
   */
  missed(asked: (person: string) => void): () => void
}

export interface SentReview {
  /** The token of whom it is sent to. */
  readonly person: string
  /** In whose place that person may answer it, if it is not their own. */
  readonly for?: string | undefined
  /** The name of the review, and its bytes as they are bound. */
  readonly name: string
  readonly bytes: Uint8Array
}
