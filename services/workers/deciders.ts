// The deciders of the stages that answer for one intent, without what runs them: what derives an
// intent again needs no more, in a browser neither.
import { confirmationDecider } from './confirmation/decider.ts'
import { grounding } from './grounding/decider.ts'
import { learningDecider } from './learning/decider.ts'
import { policy } from './policy/decider.ts'
import type { Stage } from '#stages/stage'

export const deciders: readonly Stage[] = [grounding, policy, confirmationDecider, learningDecider]
