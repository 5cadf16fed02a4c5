// Plays the work demo against a runtime: the planner publishes a contract, its worker writes and
// claims, the stage of verification looks, and then the worker asks for what it wants to do next.
import type { JsonMap } from '#core/kernel/canonical'
import { readData } from '#core/kernel/event'
import { nameOf, token } from '#core/kernel/names'
import { earnedLevel, type EarnedLevel } from '#core/contracts/standings'
import { connect, type Published, type SessionHandle } from '#services/client/connect'
import { reinstate } from '#services/client/people/reinstate'
import type { Warrant } from '#services/client/warrant'
import type { Runtime } from '#runtime/engine/runtime'
import type { VerificationData } from '#schemas/work/facts'
import { workAdmin, workPlanner, type WorkKeys } from './cast.ts'
import type { TestPrograms } from './programs.ts'
import { askNext } from './requests.ts'
import type { SeenStanding, SeenTask, SeenWorker } from './rows.ts'
import { foundOf, type WorkAttempt, type WorkTask } from './task.ts'
import type { Worker } from './workers.ts'
import { contractOf, type Workshop } from './workshop.ts'

export interface WorkStage {
  readonly runtime: Runtime
  readonly keys: WorkKeys
  readonly programs: TestPrograms
  readonly workshop: Workshop
}

const waitMs = 120_000

/** Plays the tasks of one worker to their end, or until the signal aborts. */
export async function playWorker(
  stage: WorkStage,
  { agent, tasks, reinstated }: Worker,
  signal: AbortSignal,
): Promise<SeenWorker> {
  const { runtime, keys, programs } = stage
  const privateKey = keys.get(workPlanner) ?? ''
  const [planner, client] = await Promise.all([
    connect({ as: workPlanner, runtime, privateKey }),
    connect({ as: agent, runtime }),
  ])
  const playing = { stage, agent, planner, client }
  const seen = new Map<string, SeenTask>()
  for (const task of tasks) {
    if (signal.aborted) break
    const contract = contractOf(task, programs)
    if (contract !== null) seen.set(task.task, await playTask(playing, task, contract))
  }
  const isDone = reinstated !== undefined && seen.size === tasks.length
  const again = isDone ? await playReinstated(playing, reinstated.next) : null
  await Promise.all([planner.close(), client.close()])
  return { tasks: seen, reinstated: again }
}

interface PlayingWorker {
  readonly stage: WorkStage
  readonly agent: string
  readonly planner: Warrant
  readonly client: Warrant
}

async function playTask(
  playing: PlayingWorker,
  { task, attempts, next }: WorkTask,
  given: JsonMap,
): Promise<SeenTask> {
  const { stage, agent, planner, client } = playing
  const { log, place, follower } = stage.runtime
  const before = standing(playing)
  const issued = await planner.publish(
    {
      type: 'query',
      content: `do the task ${task}`,
      receiver: agent,
      payload: { contract: { ...given, workspace: agent } },
    },
    planner.session(`work-${task}`),
  )
  const session = client.session(`work-${task}`)
  for (const [index, attempt] of attempts.entries()) {
    const claim = await publishClaim(playing, { issued, session, attempt })
    await follower.reached(claim.position)
    await verified(playing, issued.address, index + 1)
  }
  const asked = await askNext(client, session, next)
  // A claim that does not count has no verification, now that later messages were answered.
  const found = await Promise.all(
    attempts.map(async (_, index) => {
      const name = nameOf(place, 'verification', issued.address, index + 1)
      return readData('verification', await log.get(name))
    }),
  )
  const ended = found.findLast((one) => one?.ended)?.ended ?? null
  const { value, level } = standing(playing)
  return {
    found: found.map((one) => (one === null ? null : foundOf(one))),
    rule: ended?.rule ?? null,
    score: scoreOf(ended),
    before: before.value,
    after: value,
    level,
    next: asked,
  }
}

function scoreOf(ended: VerificationData['ended']): number | null {
  return ended !== null && 'alpha' in ended.standing ? ended.score : null
}

interface Claiming {
  readonly issued: Published
  readonly session: SessionHandle
  readonly attempt: WorkAttempt
}

async function publishClaim(
  { stage, agent, client }: PlayingWorker,
  { issued, session, attempt }: Claiming,
): Promise<Published> {
  const digest = await stage.workshop.write(agent, attempt)
  const completion = { ...attempt.report, work: { digest } }
  const content = `the task is reported as ${attempt.report.status}`
  return client.publish(
    { type: 'claim', content, confidence: 0.8, refers_to: issued.name, payload: { completion } },
    session,
  )
}

/** Waits until that attempt was looked at, or the contract has ended. */
async function verified({ stage }: PlayingWorker, address: string, attempt: number): Promise<void> {
  const { follower, timer } = stage.runtime
  const isLookedAt = (): boolean => {
    return (follower.state.contracts.get(address)?.past.length ?? attempt) >= attempt
  }
  await follower.until(isLookedAt, timer, waitMs)
}

async function playReinstated(
  playing: PlayingWorker,
  next: WorkTask['next'],
): Promise<SeenStanding> {
  const { stage, agent, client } = playing
  const { runtime, keys } = stage
  const before = standing(playing)
  const signing = { by: workAdmin, privateKey: keys.get(workAdmin) ?? '' }
  const reason = 'the tests are out of its reach from now on'
  await reinstate(runtime, { agent, reason, ...signing })
  const asked = await askNext(client, client.session(), next)
  const { value, level } = standing(playing)
  return { before: before.value, after: value, level, next: asked }
}

function standing({ stage, agent }: PlayingWorker): EarnedLevel {
  const { catalog, standings } = stage.runtime.follower.state
  return earnedLevel(catalog, standings.get(token(agent)))
}
