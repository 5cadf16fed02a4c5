// Looks after open contracts beside all jobs: claims whose verifier was lost, contracts that no
// claim came for, and suspensions that have lasted as long as the catalog says. When is up to the
// log, so a restart goes on where another process was.
import type { Draft } from '#record/event'
import { claimBy } from '#work/contracts/contracts'
import {
  nothingLooked,
  reinstatementDrafts,
  verificationDraft,
  workDueAt,
} from '#state/slices/work/drafts'
import type { Appended } from '#ports/log'
import type { Advancing } from '#runtime/engine/advance'
import { backoffMs } from '#runtime/engine/backoff'

interface Doing {
  verifyContract(options: Advancing, address: string): Promise<void>
  bindWork(options: Advancing, draft: Draft): Promise<Appended>
}

const timerMsMax = 2_147_483_647
/** A claim is a job first: only what no one has taken by then is looked after here. */
const jobMs = 60_000

/** Looks after them until the returned function is called. */
export function watchWork(options: Advancing, signal: AbortSignal, doing: Doing): () => void {
  const { follower, clock, timer, logger } = options
  const { state } = follower
  let cancel = (): void => undefined
  let isAt = false
  let failures = 0
  const arm = (): void => {
    cancel()
    if (signal.aborted || state.sealed !== null || isAt) return
    const due = workDueAt(state, jobMs)
    if (due === null) return
    const delay = Math.max(failures === 0 ? 0 : backoffMs(failures), due - clock.now())
    cancel = timer.after(Math.min(delay, timerMsMax), () => void look())
  }
  const look = async (): Promise<void> => {
    isAt = true
    try {
      await lookAfter(options, doing)
      // What is due still came to nothing: by another clock, or by a name that is not free.
      const due = workDueAt(state, jobMs)
      failures = due !== null && due <= clock.now() ? failures + 1 : 0
    } catch (error) {
      failures += 1
      if (!signal.aborted)
        logger.warn({ stage: 'verification', error }, 'could not look after work')
    } finally {
      isAt = false
      arm()
    }
  }
  let seen = [state.contracts, state.standings, state.catalog, state.sealed]
  const stop = follower.listen(() => {
    const now = [state.contracts, state.standings, state.catalog, state.sealed]
    if (now.every((part, index) => part === seen[index])) return
    seen = now
    arm()
  })
  const end = (): void => {
    stop()
    cancel()
  }
  signal.addEventListener('abort', end, { once: true })
  arm()
  return () => {
    signal.removeEventListener('abort', end)
    end()
  }
}

// What fails for one contract keeps no other from its end.
async function lookAfter(options: Advancing, doing: Doing): Promise<void> {
  const { state } = options.follower
  const now = options.clock.now()
  const failed: unknown[] = []
  const each = async (act: Promise<unknown>): Promise<void> => {
    await act.catch((error: unknown) => failed.push(error))
  }
  for (const contract of state.contracts.values()) {
    const { address, pending, started } = contract
    const [claim] = pending
    if (claim !== undefined) {
      const isLost = now > started.until && now >= claim.appendedAt + jobMs
      if (isLost) await each(doing.verifyContract(options, address))
    } else if (now >= claimBy(contract)) {
      const looked = { completion: null, sources: [], found: nothingLooked }
      const draft = verificationDraft(state, address, { looked, now })
      if (draft !== null) await each(doing.bindWork(options, draft))
    }
  }
  for (const draft of reinstatementDrafts(state, now)) await each(doing.bindWork(options, draft))
  if (failed.length > 0) throw failed[0]
}
