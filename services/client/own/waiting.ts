// Waits for facts about an agent's own intents without following the log: it looks by name, on a
// notice or a timer, until the time is up. A notice only makes it look sooner.
import { eraOf, nameOf } from '#record/names'
import type { Clock, Timer } from '#ports/clock'
import type { Notices } from '#ports/notices'
import { logClosed } from '#log/refusals'
import { unlessOutOfReach, type OwnEras } from './eras.ts'

const pauseMsMin = 50
const pauseMsMax = 2_000
/** The copy that answers may have the verdict a moment later than its notice came. */
const noticedPauseMs = 2
/** After so long without an answer, the era may have turned. */
const turnedPauseMs = 800

export interface OwnWaiting {
  /**
   * What `look` finds, once it finds anything; null when the time is up. `look` learns whether the
   * next era may have begun.
   */
  until<T>(
    address: string,
    waitMs: number,
    look: (beyond: boolean) => Promise<T | undefined>,
  ): Promise<T | null>
  /** Everyone who waits gets a Fault `log_closed`. */
  stop(): void
}

interface Parts {
  readonly notices: Notices
  readonly clock: Clock
  readonly timer: Timer
  /** The token of the agent; null for a client that does not say who it is. */
  readonly agent: string | null
  readonly realm: string
  readonly eras: Pick<OwnEras, 'current' | 'expectNext'>
}

interface Waiter {
  /** What was believed since the last look. */
  received: 'nothing' | 'notice' | 'notice_of_next_era'
  wake: () => void
}

/** Receives from the moment that it resolves. */
export async function ownWaiting(parts: Parts): Promise<OwnWaiting> {
  const waiting = new Map<string, Set<Waiter>>()
  let isStopped = false
  const receive = ({
    address,
    verdict,
  }: {
    readonly address: string
    readonly verdict: string
  }) => {
    const { realm, eras } = parts
    const era = eraOf(verdict) ?? 0
    // From the one who sent it: it may say anything.
    const isNext =
      era === eras.current + 1 && verdict === nameOf({ realm, era }, 'verdict', address)
    const waiters = waiting.get(address)
    if (isNext && waiters !== undefined) eras.expectNext()
    for (const waiter of waiters ?? []) {
      waiter.received = isNext ? 'notice_of_next_era' : 'notice'
      waiter.wake()
    }
  }
  const { notices, agent } = parts
  const stopListening = agent === null ? () => undefined : await notices.receive(agent, receive)
  return {
    async until(address, waitMs, look) {
      const waiter: Waiter = { received: 'nothing', wake: () => undefined }
      const others = waiting.get(address) ?? new Set()
      waiting.set(address, others.add(waiter))
      try {
        return await lookAgain(parts, waiter, { waitMs, look, isStopped: () => isStopped })
      } finally {
        others.delete(waiter)
        if (others.size === 0) waiting.delete(address)
      }
    },
    stop() {
      isStopped = true
      stopListening()
      for (const others of waiting.values()) for (const { wake } of others) wake()
    },
  }
}

async function lookAgain<T>(
  { clock, timer }: Parts,
  waiter: Waiter,
  {
    waitMs,
    look,
    isStopped,
  }: {
    readonly waitMs: number
    readonly look: (beyond: boolean) => Promise<T | undefined>
    readonly isStopped: () => boolean
  },
): Promise<T | null> {
  const end = clock.now() + waitMs
  let pauseMs = pauseMsMin
  let beyond = false
  for (;;) {
    if (isStopped()) throw logClosed()
    waiter.received = 'nothing'
    const found = await unlessOutOfReach(() => look(beyond))
    if (found !== undefined) return found
    const leftMs = end - clock.now()
    if (leftMs <= 0) return null
    const before = receivedBy(waiter)
    if (before === 'nothing') await woken(timer, waiter, Math.min(pauseMs, leftMs))
    const received = receivedBy(waiter)
    pauseMs = received === 'nothing' ? Math.min(pauseMs * 2, pauseMsMax) : noticedPauseMs
    beyond = received === 'notice_of_next_era' || pauseMs >= turnedPauseMs
  }
}

/** It changes while someone waits, which the compiler cannot know. */
function receivedBy({ received }: Waiter): Waiter['received'] {
  return received
}

function woken(timer: Timer, waiter: Waiter, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(delayMs, resolve)
    waiter.wake = () => {
      cancel()
      resolve()
    }
  })
}
