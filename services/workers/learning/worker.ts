// Learning as it is run: its decider, and the work around it that concerns more than one intent.
import type { RunnableStage } from '#runtime/engine/worker'
import { watchMissed } from './misses.ts'
import { learningDecider as decider } from './decider.ts'
import { learnFrom } from './propose.ts'
import { watchQuestions } from './questions.ts'

export const learning: RunnableStage = {
  ...decider,
  work: {
    job: learnFrom,
    beside(options, signal) {
      const stops = [watchMissed(options, signal), watchQuestions(options, signal)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  },
}
