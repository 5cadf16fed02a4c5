// A log and stages that fail when a test asks for it, and what the test then looks at.
import { expect } from 'vitest'
import { readEvent } from '#record/event'
import type { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import type { Job, Log } from '#ports/log'
import type { FaultData } from '#schemas/facts'
import { bound, type Scene } from './scene.ts'
import { logOf } from './wrapped-log.ts'

export interface Failing {
  /** What an append of that name is refused with. */
  readonly append?: (name: string) => Fault | null
  /** How often a job has been delivered, as it reports. */
  readonly attempt?: (job: Job) => number
}

export function failingLog(inner: Log, { append, attempt }: Failing): Log {
  return {
    ...logOf(inner),
    append: async (entry) => {
      const fault = append?.(entry.name) ?? null
      if (fault !== null) throw fault
      return inner.append(entry)
    },
    async *work(queue, names, options) {
      for await (const job of inner.work(queue, names, options)) {
        yield {
          fact: job.fact,
          attempt: attempt?.(job) ?? job.attempt,
          done: () => job.done(),
          retry: (delayMs) => job.retry(delayMs),
        }
      }
    },
  }
}

export interface Breakage {
  /** What the stage throws; null while it works. */
  error: Error | null
  tries: number
}

/** The stage, which throws while it is broken. */
export function breaking(stage: Stage, breakage: Breakage): Stage {
  return {
    ...stage,
    decide: (inputs) => {
      breakage.tries += 1
      if (breakage.error !== null) throw breakage.error
      return stage.decide(inputs)
    },
  }
}

export async function faultOf(on: Scene, queue: string, position: number): Promise<FaultData> {
  const fact = await bound(on.log, `main.1.fault.${queue}.${position}`)
  const reading = readEvent('fault', fact)
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

const stepMs = 500
const stepsMax = 5_000

/** Moves the time on until it holds. */
export async function passUntil(on: Scene, holds: () => boolean): Promise<void> {
  for (let step = 0; step < stepsMax && !holds(); step += 1) {
    on.time.pass(stepMs)
    await new Promise(setImmediate)
  }
  expect(holds()).toBe(true)
}

/** The same for a promise, which it gives back. */
export async function passed<T>(on: Scene, promise: Promise<T>): Promise<T> {
  let has = false
  const watched = promise.finally(() => (has = true))
  await Promise.all([watched.catch(() => undefined), passUntil(on, () => has)])
  return watched
}
