// An observer while the workers work: metrics and traces. Observing must never change what is done,
// hold it up, or make it fail.
import type { Place } from '#record/names'
import type { Kind } from '#schemas/kinds'
import type { Clock, Timer } from '#ports/clock'
import type { Fact, Log } from '#ports/log'
import type { Follower } from './follower.ts'
import type { Logger } from '../reporting/logger.ts'

/** How a job was ended by this worker; `given_back` means that someone else has to. */
export type JobEnding = 'done' | 'retried' | 'set_aside' | 'given_back'

export interface BegunJob {
  readonly stage: string
  readonly fact: Fact
  /** The address of the intent that it is about; null where its fact is about none. */
  readonly intent: string | null
}

export interface Observer {
  /** What it returns is called once, when the job has ended here. */
  jobBegun(job: BegunJob): (ending: JobEnding) => void
  /** A worker gave the log a fact of that kind; `error` is what an append that failed threw. */
  appended(kind: Kind, result: 'appended' | 'bound' | 'failed', error?: unknown): void
}

/** What is looked on at. */
export interface ObserverContext {
  readonly log: Log
  readonly place: Place
  readonly follower: Follower
  readonly clock: Clock
  readonly timer: Timer
  readonly logger: Logger
}

/** Begins to look on, once everything that was in the log has been folded. */
export type Observe = (at: ObserverContext) => Observer

const nothing = (): void => undefined

/** Where there is no observer. */
export const silent: Observer = { jobBegun: () => nothing, appended: nothing }

/** All of them as one, from which nothing is ever thrown. */
export function combined(observers: readonly Observer[], logger: Logger): Observer {
  if (observers.length === 0) return silent
  let reported = false
  const safely = <T>(report: () => T): readonly T[] => {
    try {
      return [report()]
    } catch (error) {
      // Once is enough: what fails with one job will fail with the next.
      if (!reported) logger.error({ error }, 'observer failed')
      reported = true
      return []
    }
  }
  return {
    jobBegun(job) {
      const overs = observers.flatMap((observer) => safely(() => observer.jobBegun(job)))
      return (ending) => {
        for (const over of overs) safely(() => over(ending))
      }
    },
    appended(kind, result, error) {
      for (const observer of observers) safely(() => observer.appended(kind, result, error))
    },
  }
}
