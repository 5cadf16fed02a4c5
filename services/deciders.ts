// The deciders of the stages that answer for one intent, without what runs them: what derives an
// intent again needs no more, in a browser neither.
import { confirmation } from '#services/confirmation/decider'
import { grounding } from '#services/grounding/decider'
import { learningDecider } from '#services/learning/decider'
import { policy } from '#services/policy/decider'
import type { Stage } from '#core/stages/stage'

export const deciders: readonly Stage[] = [grounding, policy, confirmation, learningDecider]
