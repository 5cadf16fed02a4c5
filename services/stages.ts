// The stages that this version runs, in the order of the flow. The one place that knows all of
// them.
import { confirmation } from '#services/confirmation/decider'
import { grounding } from '#services/grounding/decider'
import { learning } from '#services/learning/decider'
import { policy } from '#services/policy/decider'
import type { Stage } from '#core/stages/stage'

export const stages: readonly Stage[] = [grounding, policy, confirmation, learning]
