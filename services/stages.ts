// The stages that this version runs, in the order of the flow. The one place that knows all of
// them.
import { confirmation } from '#services/confirmation/decider'
import { grounding } from '#services/grounding/decider'
import { learning } from '#services/learning/worker'
import { policy } from '#services/policy/decider'
import { verification } from '#services/verification/worker'
import type { RunnableStage } from '#runtime/engine/worker'

/** Those that answer for intents: a program may run them beside its own log. */
export const stages: readonly RunnableStage[] = [grounding, policy, confirmation, learning]

/** All: the last runs programs that agents wrote, and so only where it was asked for. */
export const allStages: readonly RunnableStage[] = [...stages, verification]
