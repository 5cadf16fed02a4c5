// Where large results are read and their frames are made: apart from the thread that serves
// everyone.
import type { ReadToolAnswer, ToRead } from '#rules/drivers/answer-reading'
import type { WrittenJson } from '#rules/drivers/written-json'
import type { ToPage } from '#firewall/expand'
import type { Frame } from '#firewall/frame'
import type { Framed, ToFrame } from '#firewall/framed'
import type { Json } from '#record/canonical'

/** Results of more bytes are read and framed apart. */
export const framedHereBytesMax = 262_144

/** What `readToolAnswer` gives, with the value as JSON. */
export type ReadApart =
  | { readonly ok: true; readonly value: WrittenJson }
  | Extract<ReadToolAnswer, { ok: false }>

export interface ToFrameApart extends Omit<ToFrame, 'value'> {
  readonly value: Json | WrittenJson
}

export interface ToPageApart extends ToPage {
  readonly json: Uint8Array
}

/**
 * What framing promises; `test/gateway/framing.test.ts` has a case for each, and
 * `test/gateway/session-budget.test.ts` for the second.
 *
 * - What it returns is what `framed`, `readToolAnswer` and `expansionPage` would, whatever the
 *   value.
 * - It must not hold up the thread that asks, but for handing the value over.
 * - Results wait in turns over their agents, each agent's in order.
 * - It never throws: null where it could not be made, in time and in memory. Then nothing of the
 *   result may be shown or said.
 * - What waits when it is closed comes to null, and so does what is asked for after that.
 */
export interface Framing {
  framed(agent: string, given: ToFrameApart): Promise<Framed | null>
  read(agent: string, given: ToRead): Promise<ReadApart | null>
  /** A further look at a kept result. */
  page(agent: string, given: ToPageApart): Promise<Frame | null>
  close(): Promise<void>
}
