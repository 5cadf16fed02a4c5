// Plays the work demo: the planner publishes a contract, its worker writes and claims, the stage of
// verification looks, and then the worker asks for what it wants to do next.
import type { Published, SessionHandle, Verdict, Warrant } from '#client/connect'
import { askIn, type AnswersReview, type OpensClient } from './asking.ts'
import { workPlanner } from './work-cast.ts'
import type {
  DemoTool,
  FoundWork,
  NextOutcome,
  SeenStanding,
  SeenTask,
  SeenWorker,
  Worker,
  WorkAttempt,
  WorkTask,
} from './work-task.ts'

/** What a verification of an attempt came to. */
export interface Verified {
  readonly found: FoundWork
  /** How the contract ended with it: null where another attempt may follow. */
  readonly ended: { readonly rule: string | null; readonly score: number | null } | null
}

/** Where it is played, and what an onlooker reads from the log. */
export interface WorkStage {
  readonly open: OpensClient
  /** Those who are asked agree. */
  readonly answer: AnswersReview
  /** Null where what runs its tests is not here. */
  contractOf(task: WorkTask): WorkTask['contract'] | null
  /** Writes what the attempt leaves, and returns the digest that the worker names. */
  write(agent: string, attempt: WorkAttempt): Promise<string>
  /** Resolves when that attempt was looked at, or the contract has ended. */
  lookedAt(claim: Published, contract: string, attempt: number): Promise<void>
  /** Null where no verification of it was bound. */
  verified(contract: string, attempt: number): Promise<Verified | null>
  standing(agent: string): Pick<SeenStanding, 'level'> & { readonly value: number }
  reinstate(agent: string): Promise<unknown>
}

/** Plays the tasks of one worker to their end, or until the signal aborts. */
export async function playWorker(
  stage: WorkStage,
  { agent, tasks, reinstated }: Worker,
  signal: AbortSignal,
): Promise<SeenWorker> {
  const [planner, client] = await Promise.all([stage.open(workPlanner), stage.open(agent)])
  const playing = { stage, agent, planner, client }
  const seen = new Map<string, SeenTask>()
  for (const task of tasks) {
    if (signal.aborted) break
    const contract = stage.contractOf(task)
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
  given: WorkTask['contract'],
): Promise<SeenTask> {
  const { stage, agent, planner, client } = playing
  const before = stage.standing(agent)
  const issued = await planner.contract({
    worker: agent,
    contract: { ...given, workspace: agent },
    content: `do the task ${task}`,
    session: planner.session(`work-${task}`),
  })
  const session = client.session(`work-${task}`)
  for (const [index, attempt] of attempts.entries()) {
    const claim = await publishClaim(playing, { issued, session, attempt })
    await stage.lookedAt(claim, issued.address, index + 1)
  }
  const asked = await askNext(playing, session, next)
  // A claim that does not count has no verification, now that later messages were answered.
  const found = await Promise.all(
    attempts.map((_, index) => stage.verified(issued.address, index + 1)),
  )
  const ended = found.findLast((one) => one?.ended)?.ended
  const { value: after, level } = stage.standing(agent)
  return {
    found: found.map((one) => one?.found ?? null),
    rule: ended?.rule ?? null,
    score: ended?.score ?? null,
    before: before.value,
    after,
    level,
    next: asked,
  }
}

interface Claiming {
  readonly issued: Published
  readonly session: SessionHandle
  readonly attempt: WorkAttempt
}

// As a message of its own: the client refuses a claim that would count for nothing, and some do.
async function publishClaim(
  { stage, agent, client }: PlayingWorker,
  { issued, session, attempt }: Claiming,
): Promise<Published> {
  const digest = await stage.write(agent, attempt)
  const completion = { ...attempt.report, work: { digest } }
  const content = `the task is reported as ${attempt.report.status}`
  return client.publish(
    { type: 'claim', content, confidence: 0.8, refers_to: issued.name, payload: { completion } },
    session,
  )
}

async function playReinstated(playing: PlayingWorker, next: DemoTool): Promise<SeenStanding> {
  const { stage, agent, client } = playing
  const before = stage.standing(agent)
  await stage.reinstate(agent)
  const asked = await askNext(playing, client.session(), next)
  const { value: after, level } = stage.standing(agent)
  return { before: before.value, after, level, next: asked }
}

const args: Readonly<Record<DemoTool, Readonly<Record<string, string>>>> = {
  read: { service: 'shop' },
  deploy: { service: 'shop', version: 'next' },
  delete: { branch: 'old' },
}

/** What a worker asks for after a task, and how many people are asked about it, if any. */
async function askNext(
  { stage, client }: PlayingWorker,
  session: SessionHandle,
  tool: DemoTool,
): Promise<NextOutcome> {
  const intent = { tool, args: args[tool], justification: 'it is what follows from the task' }
  const { verdict, asked } = await askIn({ client, session }, intent, stage.answer)
  return outcomeOf(verdict, asked)
}

function outcomeOf({ outcome }: Verdict, asked: number): NextOutcome {
  if (outcome === 'deny') return 'refused'
  if (asked === 0) return 'allowed'
  return asked === 1 ? 'asks 1' : 'asks 2'
}
