// The stages that answer for intents, in the order of the flow.
import { confirmation } from './confirmation/worker.ts'
import { grounding } from './grounding/decider.ts'
import { learning } from './learning/worker.ts'
import { policy } from './policy/decider.ts'
import type { RunnableStage } from '#runtime/engine/worker'

/** Those that answer for intents: a program may run them beside its own log. */
export const stages: readonly RunnableStage[] = [grounding, policy, confirmation, learning]
