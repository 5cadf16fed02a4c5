// Notices: hints to clients that do not follow the log that a verdict may be there. Nothing may
// depend on one: a waiting client also looks by itself.

export interface Notices {
  /**
   * Says that the verdict of that name on the intent of that address is durable. It never throws
   * and never waits; a notice may be lost, may come twice, and is kept for no one.
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
}
