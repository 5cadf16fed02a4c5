// The stages that answer for intents, in the order of the flow.
import { confirmation } from '#services/confirmation/decider'
import { grounding } from '#services/grounding/decider'
import { learning } from '#services/learning/worker'
import { policy } from '#services/policy/decider'
import type { RunnableStage } from '#runtime/engine/worker'

/** Those that answer for intents: a program may run them beside its own log. */
export const stages: readonly RunnableStage[] = [grounding, policy, confirmation, learning]
