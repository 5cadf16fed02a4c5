// The only loop: it takes a job, lets the stage advance the intent, and ends the job. What throws
// is set aside with a `fault` fact and never ends the worker; that the log is out of reach is no
// job's doing, and is waited out.
import type { FaultCode } from '#schemas/faults/registry'
import { LRUCache } from 'lru-cache'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { endedWithin } from '#platform/time-limit'
import { addressInRealm, nameOf } from '#record/names'
import type { Stage } from '#stages/stage'
import type { Fact, Job } from '#ports/log'
import { reportIdleness, type Idleness } from '../reporting/idleness.ts'
import { advance, bind, type Advancing } from './advance.ts'
import { backoffMs } from './backoff.ts'
import { watchDeadlines } from './deadlines.ts'
import { advanceOpen, hasTurned, jobsOf, untilTurned, type Turn } from './era-watch.ts'
import { isModuleMissing, untilModuleHere } from './pinned-module.ts'
import { stageStamp } from './stage-stamp.ts'
import { aborted, pause, withTimeout } from './timeout.ts'
import type { JobEnding } from './observer.ts'
import { withoutSecrets } from '../reporting/without-secrets.ts'

export interface WorkerOptions extends Advancing {
  readonly stage: RunnableStage
}

/** A stage as it is run. One whose jobs concern more than one intent brings work of its own. */
export interface RunnableStage extends Stage {
  readonly work?: StageWork
}

export interface StageWork {
  /** Does what the job of that fact asks for; without it the intent of the fact is advanced. */
  job?(options: Advancing, fact: Fact): Promise<void>
  /** What follows a job that is done, before it is ended. It never throws. */
  after?(options: Advancing, fact: Fact): void
  /** Begins what goes on beside the jobs. It ends with the signal, or when the result is called. */
  beside(options: Advancing, signal: AbortSignal): () => void
}

interface Working extends WorkerOptions {
  /** How often the job of a position has failed here, the log being within reach. */
  readonly failures: LRUCache<number, number>
  readonly reach: { isLost: boolean }
  readonly out: JobsOut
  /** Jobs that this worker will not end. */
  readonly left: Set<Job>
  readonly idleness: Idleness
  /** In which jobs are taken. */
  readonly turn: Turn
}

const inFlightMax = 256
/** So far back an agent with few intents is found behind one with many. */
const reachMax = 32_768
/** Failures in one worker, and deliveries to all of them, after which a job is set aside. */
const failuresMax = 5
const deliveriesMax = 20
const failuresKeptMax = 10_000
const giveBackMsMax = 2_000

/**
 * Takes jobs until the signal aborts. Resolves when all of them are ended, or when the worker has
 * to leave (`leaving`): then what is left is given back.
 */
export async function runWorker(options: WorkerOptions, stopping: AbortSignal): Promise<void> {
  const { stage, log, follower, leaving } = options
  const stopDeadlines = watchDeadlines(options, stopping)
  const stopBeside = stage.work?.beside(options, stopping) ?? (() => undefined)
  // By size, since a cache of so many places makes all of them at once.
  const sizes = { maxSize: failuresKeptMax, sizeCalculation: () => 1 }
  const failures = new LRUCache<number, number>(sizes)
  const idleness = reportIdleness(options.timer, options.logger, stage.name)
  const reach = { isLost: false }
  const out = jobsOut()
  const left = new Set<Job>()
  for (let isTurned = true; isTurned && !stopping.aborted;) {
    await untilModuleHere(options, stopping)
    idleness.begin()
    const turn = untilTurned(follower, stopping)
    const working = { ...options, failures, reach, out, left, idleness, turn }
    const { queue, names } = jobsOf(stage, follower.state.place)
    const asking = { inFlightMax, reachMax, signal: turn.signal }
    const jobs = log.work(queue, names, asking)
    for await (const first of jobs) {
      let job: Job | undefined = first
      for (; job !== undefined; job = jobs.ready?.()) void runJob(working, job)
    }
    isTurned = turn.release()
  }
  idleness.stop()
  stopDeadlines()
  stopBeside()
  await Promise.race([out.ended(), aborted(leaving)])
  for (const job of out.jobs) left.add(job)
  await giveBack({ ...options, left })
}

/** The jobs that a worker has begun and not ended. */
interface JobsOut {
  readonly jobs: ReadonlySet<Job>
  begin(job: Job): void
  end(job: Job): void
  /** Resolves when none is left. */
  ended(): Promise<void>
}

function jobsOut(): JobsOut {
  const jobs = new Set<Job>()
  let wake = (): void => undefined
  return {
    jobs,
    begin: (job) => void jobs.add(job),
    end(job) {
      jobs.delete(job)
      if (jobs.size === 0) wake()
    },
    ended: () =>
      new Promise((resolve) => {
        wake = resolve
        if (jobs.size === 0) resolve()
      }),
  }
}

async function giveBack({
  timer,
  logger,
  stage,
  left,
}: WorkerOptions & Pick<Working, 'left'>): Promise<void> {
  if (left.size === 0) return
  logger.warn({ stage: stage.name, jobs: left.size }, 'jobs given back')
  // A log that is out of reach finds out by itself that they were left.
  const given = Promise.allSettled([...left].map((job) => job.retry(0)))
  await withTimeout(timer, giveBackMsMax, given)
}

async function runJob(working: Working, job: Job): Promise<void> {
  const intent = addressInRealm(job.fact.name, working.follower.state.place.realm)
  const over = jobBegun(working, job, intent)
  let ending: JobEnding | 'again' = 'again'
  // An outage lasts as long as it lasts: this goes on until the job is ended or the worker leaves.
  for (let outages = 0; ending === 'again'; outages += 1) {
    try {
      // Nearly all jobs need no other asynchronous function: each is a good part of their cost.
      await worked(working, job, intent)
      working.stage.work?.after?.(working, job.fact)
      await job.done()
      ending = 'done'
    } catch (error) {
      ending = await notDone(working, { job, intent, error, outages })
    }
  }
  if (ending === 'done') noteDone(working, job, intent)
  noteEnded(working, job, ending)
  over(ending)
  working.out.end(job)
}

function jobBegun({ stage, observer, out, idleness }: Working, job: Job, intent: string | null) {
  const over = observer.jobBegun({ stage: stage.name, fact: job.fact, intent })
  out.begin(job)
  idleness.jobBegun()
  return over
}

function noteEnded(working: Working, job: Job, ending: JobEnding): void {
  const { stage, idleness, left, reach, logger } = working
  idleness.jobEnded(ending === 'retried' || ending === 'given_back')
  if (ending === 'given_back') left.add(job)
  else if (reach.isLost) {
    reach.isLost = false
    logger.info({ stage: stage.name }, 'log reached again')
  }
}

/** Does what the job asks for. */
function worked(working: Working, job: Job, intent: string | null): Promise<void> {
  const { follower, stage } = working
  const { position } = job.fact
  if (job.attempt > deliveriesMax) {
    const message = `\`${job.fact.name}\` was delivered ${job.attempt} times and never ended`
    throw new Fault('job_poisoned', message)
  }
  if (!follower.hasReached(position)) {
    return follower.reached(position).then(() => worked(working, job, intent))
  }
  const trying = job.attempt === 1 ? working : { ...working, within: limited }
  if (stage.work?.job !== undefined) return stage.work.job(trying, job.fact)
  if (intent !== null) return advance(trying, intent)
  return hasTurned(follower, position) ? advanceOpen(trying) : Promise.resolve()
}

function noteDone(working: Working, job: Job, intent: string | null): void {
  const { failures, logger } = working
  if (failures.size > 0) failures.delete(job.fact.position)
  logger.debug(fieldsOf(working, job, intent), 'job done')
}

/** A job that threw. */
interface Failing {
  readonly job: Job
  readonly intent: string | null
  readonly error: unknown
  /** How often the log was out of reach for it before. */
  readonly outages: number
}

async function notDone(working: Working, failing: Failing): Promise<JobEnding | 'again'> {
  try {
    return await failed(working, failing)
  } catch (error) {
    return waitedOut(working, { ...failing, error })
  }
}

async function waitedOut(
  working: Working,
  { job, intent, error, outages }: Failing,
): Promise<'given_back' | 'again'> {
  const { leaving, reach, logger } = working
  // The process ends: the job was not, and comes to anyone who runs next.
  if (leaving.aborted || endings.has(described(error).code)) return 'given_back'
  const fields = { ...fieldsOf(working, job, intent), error }
  // Every job meets the same outage: it is reported once.
  if (reach.isLost) logger.debug(fields, 'log still out of reach')
  else logger.warn(fields, 'log out of reach')
  reach.isLost = true
  return (await pause(working.timer, backoffMs(outages), leaving)) ? 'given_back' : 'again'
}

const endings: ReadonlySet<FaultCode> = new Set([
  'follower_stopped',
  'follower_failed',
  'rules_unknown',
  'log_closed',
  'worker_left',
])

/** Far more than any decision takes: so long one may that has cost a worker its job before. */
const decisionMsMax = 5_000

// The first delivery costs no watch beside it: what no longer ends is lost with its worker.
function limited<T>(run: () => T): T {
  const ended = endedWithin(decisionMsMax, run)
  if (ended !== null) return ended.value
  const message = `deciding took more than ${decisionMsMax} ms on a second try, and was stopped`
  throw new Fault('decision_stuck', message)
}

/** Whether the log was out of reach, between two eras, or closed: no job can help that. */
function isOfLog(error: unknown): boolean {
  if (!(error instanceof Fault)) return false
  return error.retry === 'soon' || error.code === 'era_sealed' || endings.has(error.code)
}

// Throws only what comes from the log, out of reach or closed.
async function failed(working: Working, { job, intent, error }: Failing): Promise<JobEnding> {
  if (isOfLog(error)) throw error
  const { failures, logger, turn } = working
  const { position } = job.fact
  if (isModuleMissing(error)) {
    logger.debug(fieldsOf(working, job, intent), 'job given back')
    await job.retry(backoffMs(job.attempt - 1))
    // Another worker may have the module; this one takes no more until it has it too.
    turn.end()
    return 'retried'
  }
  const failedHere = (failures.get(position) ?? 0) + 1
  failures.set(position, failedHere)
  const fields = { ...fieldsOf(working, job, intent), attempt: job.attempt, error }
  const isOvertaken = error instanceof Fault && error.code === 'view_overtaken'
  const isHopeless = error instanceof Fault && error.retry === 'never' && !isOvertaken
  if (failedHere < failuresMax && job.attempt < deliveriesMax && !isHopeless) {
    logger.warn(fields, 'job failed')
    await job.retry(backoffMs(job.attempt - 1))
    return 'retried'
  }
  const fault = await setAside(working, job, error)
  failures.delete(position)
  logger.error(fields, 'job set aside')
  await deniedFor(working, intent, fault)
  await job.done()
  return 'set_aside'
}

// Each worker that meets the intent from here on refuses it for its fault, without looking at it.
async function deniedFor(working: Working, intent: string | null, fault: Fact): Promise<void> {
  const { follower, stage, logger } = working
  if (intent === null || stage.work?.job !== undefined) return
  await follower.reached(fault.position)
  if (follower.state.intents.get(intent)?.setAside === undefined) return
  try {
    await advance({ ...working, within: limited }, intent)
  } catch (error) {
    if (isOfLog(error)) throw error
    // It stays without a verdict, as what is set aside for anything else does.
    logger.error({ intent, stage: stage.name, position: fault.position, error }, 'not denied')
  }
}

async function setAside(working: Working, job: Job, error: unknown): Promise<Fact> {
  const { stage, follower } = working
  const { state } = follower
  const { position, name: about } = job.fact
  const name = nameOf(state.place, 'fault', stage.name, position)
  const why = described(error)
  const data = { attempts: job.attempt, ...why, name: about, position, queue: stage.name }
  const bytes = writeEvent('fault', name, data, stageStamp(working))
  return (await bind(working, 'fault', { name, bytes })).fact
}

const messageCharactersMax = 1_000

function described(error: unknown): { readonly code: FaultCode; readonly message: string } {
  const code = error instanceof Fault ? error.code : 'unexpected'
  const message = error instanceof Error ? error.message : 'a value that is not an Error was thrown'
  // Cut between two halves of a character, it could not be written down.
  const shown = withoutSecrets(message).slice(0, messageCharactersMax)
  return { code, message: shown.toWellFormed() }
}

function fieldsOf({ stage }: Working, { fact }: Job, intent: string | null) {
  return { intent, stage: stage.name, position: fact.position }
}
