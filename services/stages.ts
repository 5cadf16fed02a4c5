// The stages that this version runs, in the order of the flow. The one place that knows all of
// them.
import { confirmation } from '#services/confirmation/decider'
import { grounding } from '#services/grounding/decider'
import { learning } from '#services/learning/worker'
import { policy } from '#services/policy/decider'
import type { RunnableStage } from '#runtime/engine/worker'

export const stages: readonly RunnableStage[] = [grounding, policy, confirmation, learning]
