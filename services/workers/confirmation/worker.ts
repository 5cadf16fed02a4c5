// Confirmation as it is run: its decider, and beside it the reviews that are sent to the people
// whom they ask, where the log is on a server that carries such.
import type { RunnableStage } from '#runtime/engine/worker'
import { confirmationDecider as decider } from './decider.ts'
import { sendOpened, watchAsking } from './to-people.ts'

export const confirmation: RunnableStage = {
  ...decider,
  work: { after: sendOpened, beside: watchAsking },
}
