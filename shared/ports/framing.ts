// Where the frames of large results are made: apart from the thread that serves everyone.
import type { Framed, ToFrame } from '#core/firewall/framed'

/** Results of more bytes are framed apart. */
export const framedHereBytesMax = 262_144

/**
 * What framing promises; `test/adapters/framing/framing.test.ts` has a case for each, and
 * `test/runtime/gateway/large-results.test.ts` for the second.
 *
 * - What it returns is what `framed` would, whatever the value.
 * - It must not hold up the thread that asks, but for handing the value over.
 * - Results wait in turns over their agents, each agent's in order.
 * - It never throws: null where it could not be made, in time and in memory. Then nothing of the
 *   result may be shown or said.
 * - What waits when it is closed comes to null, and so does what is asked for after that.
 */
export interface Framing {
  framed(agent: string, given: ToFrame): Promise<Framed | null>
  close(): Promise<void>
}
