// What a stage declares: which facts give it work, which callbacks it needs, and its decider. A
// decider is pure: the same inputs give the same draft, live, in a simulation and on replay.
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Draft } from '#record/event'
import type { Kind } from '#schemas/kinds'
import type { OpenIntent } from '#state/intent'
import type { CallbackCall } from './policies.ts'
import type { Context, View } from './view.ts'

export interface Inputs {
  readonly view: View
  readonly context: Context
  /** The answers to exactly the calls that the stage asked for. */
  readonly answers: readonly CallbackAnswer[]
  /** The time that the fact will carry: RFC 3339, UTC. */
  readonly time: string
}

export interface Stage {
  /** The queue, and the source of its facts. */
  readonly name: 'grounding' | 'policy' | 'confirmation' | 'learning' | 'verification'
  /** Facts of these kinds are its jobs. */
  readonly kinds: readonly Kind[]
  /**
   * The callbacks that `decide` needs at this view; none is called for what it would not use.
   * Absent where the stage never calls any.
   */
  calls?(view: View, context: Context, time: string): readonly CallbackCall[]
  /** The next fact about the intent, or null where this stage has nothing to say now. */
  decide(inputs: Inputs): Draft | null
  /**
   * When the stage must look again though no fact came, in milliseconds; null for never. `stopped`
   * says that the intent's agent was suspended or blocked, or took it back by a correction.
   */
  deadline(intent: OpenIntent, stopped: boolean): number | null
}
