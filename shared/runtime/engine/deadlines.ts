// Deadlines are timers, one an open intent that has one; a restart finds them again in the fold.
// What is due is advanced, and who does it first binds the name.
import { kinds } from '#schemas/kinds'
import { isStopped } from '#state/agents'
import type { Folded } from '#state/folded'
import type { Fact } from '#ports/log'
import { advance, type Advancing } from './advance.ts'
import { backoffMs } from './backoff.ts'

/** The longest that a timer can wait; a later deadline is looked at again then. */
const timerMsMax = 2_147_483_647

/** Watches until the returned function is called. */
export function watchDeadlines(options: Advancing, signal: AbortSignal): () => void {
  const { stage, follower, clock, timer, logger } = options
  const { state } = follower
  const armed = new Map<string, () => void>()
  const arm = (address: string): void => {
    armed.get(address)?.()
    armed.delete(address)
    const intent = state.intents.get(address)
    const deadline = intent === undefined ? null : stage.deadline(intent, isStopped(state, intent))
    if (deadline === null || signal.aborted) return
    const delay = Math.min(Math.max(0, deadline - clock.now()), timerMsMax)
    if (delay === 0) {
      // What is stopped waits for no timer, but for the fact that stops it to be folded everywhere.
      void Promise.resolve().then(() => due(address, deadline, 0))
      return
    }
    armed.set(
      address,
      timer.after(delay, () => void due(address, deadline, 0)),
    )
  }
  const hasEnded = (): boolean => signal.aborted
  const due = async (address: string, deadline: number, failures: number): Promise<void> => {
    if (hasEnded()) return
    try {
      if (clock.now() >= deadline) await advance(options, address)
      else arm(address)
    } catch (error) {
      if (hasEnded()) return
      const { position } = state
      logger.warn({ intent: address, stage: stage.name, position, error }, 'deadline failed')
      armed.set(
        address,
        timer.after(backoffMs(failures), () => void due(address, deadline, failures + 1)),
      )
    }
  }
  const onFold = (_fact: Fact, { parts, stopped = [] }: Folded): void => {
    for (const address of stopped) arm(address)
    if (parts === null) return
    // Where an era is rotated the log's clock may have been set back, and every deadline with it.
    const { about, movesDeadline } = kinds[parts.kind]
    const hasTurned = about === 'era' && parts.place.era === state.place.era
    if (hasTurned) for (const address of state.intents.keys()) arm(address)
    if (parts.address !== null && movesDeadline === true) arm(parts.address)
  }
  const stop = follower.listen(onFold)
  for (const address of state.intents.keys()) arm(address)
  return () => {
    stop()
    for (const cancel of armed.values()) cancel()
  }
}
