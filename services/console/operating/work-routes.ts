// What runs and what waits: stages and how much waits for each, and jobs that were set
// aside.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import { isName, partsInRealm } from '#record/names'
import type { State } from '#state/state'
import { waitsOf } from '#present/story/waits-of'
import { advanceOnce } from '#runtime/engine/advance-once'
import { bodyOf } from '#serving/app'
import { RetryBody, type RetryAnswer, type WorkersAnswer } from '#schemas/console/operating'
import { asideJob } from '#operations/set-aside'
import { allStages as stages } from '#workers/all-stages'
import type { ConsoleOn } from '../console.ts'
import { ofCell, positionsAmong, positionsNow } from '../logs.ts'
import { addFor } from '../routed.ts'

export function addWork(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'workers', async ({ c }) => c.json(await workersOf(on)))
  addFor(app, on, 'faultRetry', async ({ c }) => {
    const { name } = await bodyOf(c, RetryBody)
    return c.json({ outcome: await retried(on, name) } satisfies RetryAnswer)
  })
}

async function workersOf(on: ConsoleOn): Promise<WorkersAnswer> {
  const heads = await Promise.all(
    on.logs.map(async (at) => [at, (await at.runtime.log.head()).position] as const),
  )
  const head = new Map(heads)
  const now = on.runtime.clock.now()
  return {
    position: positionsNow(on),
    head: positionsAmong(on.logs, (at) => head.get(at) ?? 0),
    now: new Date(now).toISOString(),
    workers: on.logs.flatMap((at) => workersAt(at, now)),
    watching: on.broadcast.listening(),
  }
}

function workersAt(at: ConsoleOn, now: number): WorkersAnswer['workers'] {
  const waiting = waitingIn(at.runtime.follower.state, now)
  return stages.map(({ name }) => {
    const { count = 0, oldestAt = null } = waiting.get(name) ?? {}
    return {
      stage: name,
      lastAt: instantOf(at.activity.lastAt(name)),
      waiting: count,
      oldestAt: instantOf(oldestAt),
      ...ofCell(at),
    }
  })
}

interface WaitingFor {
  readonly count: number
  readonly oldestAt: number
}

function waitingIn(state: State, now: number): ReadonlyMap<string, WaitingFor> {
  const waiting = new Map<string, WaitingFor>()
  for (const intent of state.intents.values()) {
    const { for: what } = waitsOf(state, intent, now)
    const { count, oldestAt } = waiting.get(what) ?? { count: 0, oldestAt: intent.appendedAt }
    const first = Math.min(oldestAt, intent.appendedAt)
    waiting.set(what, { count: count + 1, oldestAt: first })
  }
  return waiting
}

function instantOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

async function retried(on: ConsoleOn, name: string): Promise<RetryAnswer['outcome']> {
  const at = on.logs.find(({ runtime }) => partsInRealm(name, runtime.place.realm) !== null)
  const { runtime } = at ?? on
  const fact = isName(name) ? await runtime.log.get(name) : undefined
  if (fact === undefined) throw new Fault('no_fault', 'the log has no fault of that name')
  const { intent, queue, open } = asideJob(runtime.follower.state, fact)
  const stage = stages.find((one) => one.name === queue)
  if (stage === undefined || intent === null || !open) return 'nothing_to_do'
  try {
    await advanceOnce(runtime, stage, intent)
    return 'done'
  } catch (error) {
    runtime.logger.warn({ error, intent }, 'a job failed again')
    return 'failed_again'
  }
}
