// Looks after open contracts beside all jobs: claims whose verifier was lost, contracts that no
// claim came for, and suspensions that have lasted as long as the catalog says. When is up to the
// log, so a restart goes on where another process was.
import type { Draft } from '#core/kernel/event'
import { claimBy } from '#core/contracts/contracts'
import {
  nothingLooked,
  reinstatementDrafts,
  verificationDraft,
  workDueAt,
} from '#core/state/work/drafts'
import { kindsAbout, type Kind } from '#schemas/kinds'
import type { Appended } from '#ports/log'
import type { Advancing } from '#runtime/engine/advance'
import { backoffMs } from '#runtime/engine/backoff'

interface Doing {
  verifyContract(options: Advancing, address: string): Promise<void>
  bindWork(options: Advancing, draft: Draft): Promise<Appended>
}

const watched: ReadonlySet<Kind> = new Set([
  'vlp',
  ...kindsAbout('work', 'knowledge', 'era', 'agent'),
])
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
    const delay = Math.max(0, due - clock.now()) + failures * backoffMs(failures)
    cancel = timer.after(Math.min(delay, timerMsMax), () => void look())
  }
  const look = async (): Promise<void> => {
    isAt = true
    try {
      await lookAfter(options, doing)
      failures = 0
    } catch (error) {
      failures += 1
      if (!signal.aborted)
        logger.warn({ stage: 'verification', error }, 'could not look after work')
    } finally {
      isAt = false
      arm()
    }
  }
  const stop = follower.listen((_fact, { parts }) => {
    if (parts !== null && watched.has(parts.kind)) arm()
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

async function lookAfter(options: Advancing, doing: Doing): Promise<void> {
  const { state } = options.follower
  const now = options.clock.now()
  for (const contract of state.contracts.values()) {
    const { address, pending, started } = contract
    const [claim] = pending
    if (claim !== undefined) {
      const isLost = now > started.until && now >= claim.appendedAt + jobMs
      if (isLost) await doing.verifyContract(options, address)
    } else if (now >= claimBy(contract)) {
      const looked = { completion: null, sources: [], found: nothingLooked }
      const draft = verificationDraft(state, address, { looked, now })
      if (draft !== null) await doing.bindWork(options, draft)
    }
  }
  for (const draft of reinstatementDrafts(state, now)) await doing.bindWork(options, draft)
}
