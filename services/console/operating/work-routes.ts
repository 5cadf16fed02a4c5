// What runs and what waits: stages and how much waits for each, open intents by age, reviews
// that no one can answer, and jobs that were set aside.
import type { Hono } from 'hono'
import { Fault } from '#core/kernel/fault'
import { isName } from '#core/kernel/names'
import type { State } from '#core/state/state'
import { waitsOf } from '#present/story/waits'
import { advanceOnce } from '#runtime/engine/advance-once'
import { bodyOf } from '#runtime/serving/app'
import {
  OpenQuery,
  RetryBody,
  type FaultsAnswer,
  type RetryAnswer,
  type WorkersAnswer,
} from '#schemas/console/operating'
import { asideJob, faultFacts } from '#services/client/reading/log/set-aside'
import { stages } from '#services/stages'
import type { ConsoleOn } from '../console.ts'
import { addFor, queryAsked } from '../routed.ts'
import { openAnswer } from './open-intents.ts'
import type { StageActivity } from './stage-activity.ts'

const listCost = 5
/** Of more faults the newest are listed. */
const faultsMax = 500

export function addWork(app: Hono, on: ConsoleOn, activity: StageActivity): void {
  addFor(app, on, 'workers', async ({ c }) => c.json(await workersOf(on, activity)))
  addFor(
    app,
    on,
    'open',
    async ({ c }) => c.json(await openAnswer(on, queryAsked(c, OpenQuery))),
    listCost,
  )
  addFor(app, on, 'faults', async ({ c }) => c.json(await faultsOf(on)), listCost)
  addFor(app, on, 'faultRetry', async ({ c }) => {
    const { name } = await bodyOf(c, RetryBody)
    return c.json({ outcome: await retried(on, name) } satisfies RetryAnswer)
  })
}

async function workersOf(on: ConsoleOn, activity: StageActivity): Promise<WorkersAnswer> {
  const { log, follower, clock } = on.runtime
  const { position: head } = await log.head()
  const now = clock.now()
  const waiting = waitingIn(follower.state, now)
  const workers = stages.map(({ name }) => {
    const { count = 0, oldestAt = null } = waiting.get(name) ?? {}
    return {
      stage: name,
      lastAt: instantOf(activity.lastAt(name)),
      waiting: count,
      oldestAt: instantOf(oldestAt),
    }
  })
  const { position } = follower.state
  const watching = on.broadcast.listening()
  return { position, head, now: new Date(now).toISOString(), workers, watching }
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

/** The newest first. */
async function faultsOf({ runtime }: ConsoleOn): Promise<FaultsAnswer> {
  const faults: FaultsAnswer['faults'] = []
  for await (const fact of faultFacts(runtime)) {
    faults.push({ ...asideJob(runtime, fact) })
    if (faults.length > faultsMax) faults.shift()
  }
  return { position: runtime.follower.state.position, faults: faults.toReversed() }
}

async function retried({ runtime }: ConsoleOn, name: string): Promise<RetryAnswer['outcome']> {
  const fact = isName(name) ? await runtime.log.get(name) : undefined
  if (fact === undefined) throw new Fault('no_fault', 'the log has no fault of that name')
  const { intent, queue, open } = asideJob(runtime, fact)
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
