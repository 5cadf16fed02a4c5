// What a projector does while the database is out of reach: it waits, and reports it once.
import { Fault } from '#record/fault'
import type { Timer } from '#ports/clock'
import { backoffMs } from '#runtime/engine/backoff'
import { pause } from '#runtime/engine/timeout'
import type { Logger } from '#runtime/reporting/logger'

export interface WithinReach {
  readonly realm: string
  readonly logger: Logger
  readonly timer: Timer
  /** Whether it waits for no one. */
  readonly once?: boolean
  readonly stopping: AbortSignal
  /** How often the database was out of reach since it last took something. */
  readonly reach: { failures: number }
}

export async function whenInReach<T>(waiting: WithinReach, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      await outOfReach(waiting, error)
    }
  }
}

/** Waits before it is tried again. Throws what no waiting helps, or when no one wants to wait. */
export async function outOfReach(waiting: WithinReach, error: unknown): Promise<void> {
  const { logger, timer, stopping, reach, once = false } = waiting
  if (!(error instanceof Fault) || error.retry === 'never' || once) throw error
  if (reach.failures === 0) logger.warn({ error }, 'neo4j out of reach')
  else logger.debug({ error }, 'neo4j still out of reach')
  const waitMs = backoffMs(reach.failures)
  reach.failures += 1
  const isStopped = await pause(timer, waitMs, stopping)
  if (isStopped) throw new Fault('projector_stopped', 'it was asked to stop')
}

export function inReach({ logger, reach, realm }: WithinReach): void {
  if (reach.failures > 0) logger.info({ realm }, 'neo4j reached again')
  reach.failures = 0
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Fault && error.code === code
}
