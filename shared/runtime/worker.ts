// The only loop: it takes a job, waits for the fold, gathers, lets the stage decide, appends, and
// ends the job. It holds no rule. What throws is set aside with a `fault` fact and never ends the
// worker.
import { Fault } from '#core/fault'
import { writeEvent, type Draft } from '#core/event'
import { nameOf, partsOf, patternOf, type Kind } from '#core/names'
import type { Inputs, Stage } from '#core/stage/stage'
import { viewOf } from '#core/stage/view'
import { noUses } from '#core/world/uses'
import type { OpenIntent } from '#core/world/intent'
import type { Folded } from '#core/world/world'
import type { Callbacks } from '#ports/callbacks'
import type { Clock, Timer } from '#ports/clock'
import type { Fact, Job, Log } from '#ports/log'
import type { Follower } from './follower.ts'
import { gatherAnswers, gatherContext, gatherOpening } from './gather.ts'
import { inputsAtHand, type Reader } from './gather.ts'
import type { Logger } from './logger.ts'
import type { Turns } from './turns.ts'

export interface WorkerOptions {
  readonly stage: Stage
  readonly log: Log
  readonly reader: Reader
  readonly follower: Follower
  readonly callbacks: Callbacks
  readonly clock: Clock
  readonly timer: Timer
  /** Shared by the workers of this process. */
  readonly turns: Turns
  readonly logger: Logger
  /** Tells workers of one stage apart in `source`. */
  readonly id: string
}

const inFlightMax = 256
/** Names that others took first, before something must be wrong. */
const roundsMax = 64
const attemptsMax = 5
const retryMs = 1_000
/** The longest that a timer can wait; a later deadline is looked at again then. */
const timerMsMax = 2_147_483_647

/** Runs the stage until the signal aborts, and then until what it has begun is ended. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { stage, log, follower } = options
  const { place } = follower.world
  const names = stage.kinds.map((kind) => patternOf(place, kind, '>'))
  const stopDeadlines = watchDeadlines(options, signal)
  const running = new Set<Promise<void>>()
  for await (const job of log.work(stage.name, names, { inFlightMax, signal })) {
    const run = runJob(options, job).finally(() => running.delete(run))
    running.add(run)
  }
  stopDeadlines()
  await Promise.allSettled(running)
}

async function runJob(options: WorkerOptions, job: Job): Promise<void> {
  const { follower, logger, stage } = options
  try {
    await follower.reached(job.fact.position)
    const address = partsOf(job.fact.name, follower.world.place)?.address
    if (address !== null && address !== undefined) await advance(options, address)
    await job.done()
  } catch (error) {
    const fields = { stage: stage.name, fact: job.fact.name, attempt: job.attempt, error }
    logger.warn(fields, 'job failed')
    await setAside(options, job, error)
  }
}

/** Derives and binds what the stage has to say of the intent, until it has nothing to say. */
async function advance(options: WorkerOptions, address: string): Promise<void> {
  const { log, follower, stage, turns, logger } = options
  for (let round = 0; round < roundsMax; round += 1) {
    const drafted = await draftFor(options, address)
    if (drafted === null) return
    const { draft, bytes } = drafted
    if (draft.kind === 'rate') {
      // A counted use is only half of what there is to say; anything else is all of it.
      await turns.take(seriesOf(draft.name), () => takeUse(options, address, drafted))
      continue
    }
    const { appended, fact } = await log.append({ name: draft.name, bytes })
    logger.debug({ stage: stage.name, fact: draft.name, appended }, 'fact bound')
    if (appended) return
    await follower.reached(fact.position)
  }
  throw new Fault('name_spent', 'never', `\`${stage.name}\` can not bind its next fact`)
}

// One at a time: of many that draw up the same number at once, all but one would have to begin
// again.
async function takeUse(options: WorkerOptions, address: string, drafted: Drafted): Promise<void> {
  const { log, follower } = options
  const { series } = follower.world.uses.get(seriesOf(drafted.draft.name)) ?? noUses
  const isNext = drafted.draft.name.endsWith(`.${series.next}`)
  const next = isNext ? drafted : await draftFor(options, address)
  if (next === null || next.draft.kind !== 'rate') return
  const { fact } = await log.append({ name: next.draft.name, bytes: next.bytes })
  await follower.reached(fact.position)
}

/** `<agent>.<capability>` of the name of a use. */
function seriesOf(name: string): string {
  return name.split('.').slice(3, 5).join('.')
}

interface Drafted {
  readonly draft: Draft
  readonly bytes: Uint8Array
}

// Nearly always all that is needed is at hand; only what has to be read or asked is waited for.
function draftFor(
  options: WorkerOptions,
  address: string,
): Drafted | null | Promise<Drafted | null> {
  const { follower, stage, clock } = options
  const { world } = follower
  const intent = world.intents.get(address)
  if (intent === undefined) return null
  const now = clock.now()
  const deadline = stage.deadline(intent)
  if (deadline !== null && now >= deadline) return gathered(options, intent)
  const inputs = inputsAtHand(world, stage, intent, new Date(now).toISOString())
  const freshAt = inputs?.view.opening.request?.freshAt ?? 0
  if (inputs === null || freshAt > world.position) return gathered(options, intent)
  return decided(options, inputs)
}

async function gathered(options: WorkerOptions, intent: OpenIntent): Promise<Drafted | null> {
  const { log, reader, follower, stage, callbacks, clock } = options
  const { world } = follower
  const opening = await gatherOpening(reader, world, intent)
  if (opening === null) return null
  await fresh(log, follower, opening.request?.freshAt)
  const now = clock.now()
  await caughtUp(options, intent.address, now)
  const time = new Date(now).toISOString()
  const view = viewOf(world, intent.address, opening)
  if (view === null) return null
  const context = await gatherContext(reader, view)
  const calls = stage.calls(view, context, time)
  const answers = await gatherAnswers(callbacks, view, calls)
  return decided(options, { view, context, answers, time })
}

function decided({ follower, stage, id }: WorkerOptions, inputs: Inputs): Drafted | null {
  const draft = stage.decide(inputs)
  if (draft === null) return null
  const { view, time } = inputs
  const stamp = { source: `warrant/${stage.name}/${id}`, time, basis: view.basis }
  const bytes = writeEvent(draft.kind, draft.name, draft.data, stamp)
  if (draft.kind === 'grounding') follower.world.recall.remember(draft.name, bytes, draft.data)
  return { draft, bytes }
}

// An intent may demand a basis; one that the log has not reached yet is refused by grounding, since
// nobody can tell when it will come.
async function fresh(log: Log, follower: Follower, freshAt: number | undefined): Promise<void> {
  if (freshAt === undefined || follower.world.position >= freshAt) return
  const { position } = await log.head()
  await follower.reached(Math.min(position, freshAt))
}

// What was appended by a deadline counts, so once it is over all of that must be folded first.
async function caughtUp(options: WorkerOptions, address: string, now: number): Promise<void> {
  const { log, follower, stage } = options
  const intent = follower.world.intents.get(address)
  const deadline = intent === undefined ? null : stage.deadline(intent)
  if (deadline !== null && now >= deadline) await follower.reached((await log.head()).position)
}

const endings: ReadonlySet<string> = new Set(['follower_stopped', 'follower_failed', 'log_closed'])

async function setAside(options: WorkerOptions, job: Job, error: unknown): Promise<void> {
  const { stage, log, follower, clock, id, logger } = options
  try {
    const { code, message } = described(error)
    // The process ends: the job was not, and comes to whoever runs next.
    if (endings.has(code)) return
    const isHopeless = error instanceof Fault && error.retry === 'never'
    if (job.attempt < attemptsMax && !isHopeless) {
      await job.retry(retryMs * 2 ** (job.attempt - 1))
      return
    }
    const { world } = follower
    const { position, name: about } = job.fact
    const name = nameOf(world.place, 'fault', stage.name, position)
    const data = { attempts: job.attempt, code, message, name: about, position, queue: stage.name }
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `warrant/${stage.name}/${id}`, time, basis: world.position }
    await log.append({ name, bytes: writeEvent('fault', name, data, stamp) })
    await job.done()
  } catch (again) {
    // The log itself is out of reach: the job was not ended, so it comes again.
    logger.error({ stage: stage.name, error: again }, 'job not ended')
  }
}

function described(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof Fault) return { code: error.code, message: error.message }
  const message = error instanceof Error ? error.message : 'something that is no error was thrown'
  return { code: 'unexpected', message: message.slice(0, 1_000) }
}

// Deadlines are timers, one an open intent that has one; a restart finds them again in the fold.
function watchDeadlines(options: WorkerOptions, signal: AbortSignal): () => void {
  const { stage, follower, clock, timer, logger } = options
  const { world } = follower
  const armed = new Map<string, () => void>()
  const arm = (address: string): void => {
    armed.get(address)?.()
    armed.delete(address)
    const intent = world.intents.get(address)
    const deadline = intent === undefined ? null : stage.deadline(intent)
    if (deadline === null || signal.aborted) return
    const delay = Math.min(Math.max(0, deadline - clock.now()), timerMsMax)
    armed.set(
      address,
      timer.after(delay, () => void due(address, deadline)),
    )
  }
  const due = async (address: string, deadline: number): Promise<void> => {
    try {
      if (clock.now() >= deadline) await advance(options, address)
      else arm(address)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ stage: stage.name, address, error }, 'deadline failed')
      armed.set(
        address,
        timer.after(retryMs, () => void due(address, deadline)),
      )
    }
  }
  const watched: ReadonlySet<Kind> = new Set<Kind>(['review', 'hold', 'resume', 'verdict'])
  const onFold = (_fact: Fact, { parts }: Folded): void => {
    if (parts !== null && parts.address !== null && watched.has(parts.kind)) arm(parts.address)
  }
  const stop = follower.listen(onFold)
  for (const address of world.intents.keys()) arm(address)
  return () => {
    stop()
    for (const cancel of armed.values()) cancel()
  }
}
