// Every stage of this version. Apart from those that answer for intents, since verification loads
// far more than what asks and answers needs.
import { stages } from './stages.ts'
import { verification } from './verification/worker.ts'
import type { RunnableStage } from '#runtime/engine/worker'

/** All: the last runs programs that agents wrote, and so only where it was asked for. */
export const allStages: readonly RunnableStage[] = [...stages, verification]
