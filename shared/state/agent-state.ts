// What is kept of one agent as such: how many of its intents are open, and who has stopped it.
import { newSequence, type Sequence } from './sequence.ts'

/** The message that stops, and who sent it. */
export interface Block {
  readonly name: string
  readonly sender: string
  readonly position: number
}

export interface AgentState {
  /** Intents that wait for a verdict. */
  readonly open: number
  /** The latest that is addressed to it, or is its own. */
  readonly block: Block | null
  /** Blocks up to here are lifted. */
  readonly liftedThrough: number
  readonly lifts: Sequence
}

export const newAgent: AgentState = { open: 0, block: null, liftedThrough: 0, lifts: newSequence }
