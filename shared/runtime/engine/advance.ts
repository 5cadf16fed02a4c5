// What a stage has to say of one intent, derived and bound: gathers, lets the stage decide, and
// appends. It holds no rule, and binds nothing once its process has to leave.
import { grantsFor } from '#rules/grants/book'
import { Fault } from '#record/fault'
import { instantWriter, type Draft } from '#record/event'
import { cellIn } from '#record/names'
import type { CallbackAnswer } from '#schemas/callbacks'
import { isUse, kinds, type Kind, type UseKind } from '#schemas/kinds'
import { derivedBytes } from '#stages/derived'
import type { Inputs, Stage } from '#stages/stage'
import { demandIn, isFresh } from '#stages/fresh'
import { stopTheSame } from '#stages/chain/stopping'
import { blockFor, isStillSeen, viewOf, type View } from '#stages/view'
import { isStopped } from '#state/agents'
import { usesOfCallMax } from '#stages/budgets/asked-budgets'
import { nextUse } from '#state/slices/uses/uses'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Callbacks } from '#ports/callbacks'
import type { Clock, Timer } from '#ports/clock'
import type { AppendOptions, Appended, Entry, Log } from '#ports/log'
import type { Model } from '#ports/models'
import type { Notices } from '#ports/notices'
import type { Follower } from './follower.ts'
import { gatherAnswers, gatherContext, gatherOpening } from './gathering/gather.ts'
import { inputsAtHand, isStandingAlone, type Reader } from './gathering/gather.ts'
import type { Logger } from '../reporting/logger.ts'
import { silent, type Observer } from './observer.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import { moduleMissing } from './pinned-module.ts'

export interface Advancing {
  readonly stage: Stage
  readonly log: Log
  readonly reader: Reader
  readonly follower: Follower
  readonly callbacks: Callbacks
  /** Where the modules of callbacks are looked for; null where they are kept in no folder. */
  readonly folder: string | null
  readonly clock: Clock
  readonly timer: Timer
  /** Shared by the workers of this process. */
  readonly mutex: KeyedMutex
  readonly observer: Observer
  readonly notices?: Notices
  /** Fills in what is proposed to people. */
  readonly model?: Model
  readonly logger: Logger
  /** Distinguishes workers of one stage in `source`. */
  readonly id: string
  /** Aborts when what has been begun must be left to others. */
  readonly leaving: AbortSignal
  /** Runs what is decided at once, and may stop it; absent where it takes what it takes. */
  readonly within?: (<T>(run: () => T) => T) | undefined
}

/**
 * The uses that an intent takes, and names that others took first, before something must be wrong.
 */
const roundsMax = usesOfCallMax + 64

/** Derives and binds what the stage has to say of the intent, until it has nothing to say. */
export function advance(options: Advancing, address: string): Promise<void> {
  try {
    const drawing = draftFor(options, address)
    if (drawing === null) return nothingLeft
    if (drawing instanceof Promise || isUseDraft(drawing.draft)) {
      return inRounds(options, address, drawing)
    }
    // Nearly always one fact is at hand and all that there is to say: an asynchronous function for
    // it would be a good part of its cost.
    return bindDrafted(options, drawing).then((bound) => {
      return isLast(options, address, drawing, bound) ? undefined : again(options, address, bound)
    })
  } catch (error) {
    return Promise.reject(error)
  }
}

const nothingLeft: Promise<void> = Promise.resolve()

async function again(options: Advancing, address: string, { fact }: Appended): Promise<void> {
  await options.follower.reached(fact.position)
  return inRounds(options, address, draftFor(options, address))
}

async function inRounds(options: Advancing, address: string, first: Drawing): Promise<void> {
  const { stage, mutex, follower } = options
  let drawing = first
  for (let round = 0; round < roundsMax; round += 1) {
    const drafted = drawing instanceof Promise ? await drawing : drawing
    if (drafted === null) return
    const { draft, bytes } = drafted
    if (isUseDraft(draft)) {
      // A counted use is only half of what there is to say; anything else is all of it.
      const sequence = `${draft.kind} ${sequenceOf(draft.name)}`
      await mutex.run(sequence, () => takeUse(options, address, { draft, bytes }))
    } else {
      const bound = await bindDrafted(options, drafted)
      if (isLast(options, address, drafted, bound)) return
      await follower.reached(bound.fact.position)
    }
    drawing = draftFor(options, address)
  }
  throw new Fault('name_spent', `\`${stage.name}\` cannot bind its next fact`)
}

function bindDrafted(options: Advancing, { draft, bytes }: Drafted): Promise<Appended> {
  return bind(options, draft.kind, { name: draft.name, bytes }, untimed)
}

/** Whether that was all there is to say: else someone else bound a fact of that name first. */
function isLast(
  { stage, logger, notices }: Advancing,
  address: string,
  { draft }: Drafted,
  { appended, fact: { name, position } }: Appended,
): boolean {
  logger.debug({ intent: address, stage: stage.name, fact: name, position, appended }, 'fact bound')
  if (appended && kinds[draft.kind].endsIntent === true) notices?.report(address, name)
  return appended
}

/** When it was bound is read where it is folded. */
const untimed: AppendOptions = { untimed: true }

/** Appends, and notifies observers. */
export function bind(
  { log, observer, leaving }: Advancing,
  kind: Kind,
  entry: Entry,
  how: AppendOptions = {},
): Promise<Appended> {
  // What was left is someone else's: callbacks that were cut short here must not decide it.
  if (leaving.aborted)
    return Promise.reject(new Fault('worker_left', 'the worker has left its jobs'))
  const appending = log.append(entry, how)
  return observer === silent ? appending : observed(observer, kind, appending)
}

async function observed(
  observer: Observer,
  kind: Kind,
  appending: Promise<Appended>,
): Promise<Appended> {
  try {
    const appended = await appending
    observer.appended(kind, appended.appended ? 'appended' : 'bound')
    return appended
  } catch (error) {
    observer.appended(kind, 'failed', error)
    throw error
  }
}

type UseDraft = Draft<UseKind>

function isUseDraft(draft: Draft): draft is UseDraft {
  return isUse(draft.kind)
}

// One at a time: of many that draw up the same number at once, all but one would have to begin
// again.
async function takeUse(
  options: Advancing,
  address: string,
  drafted: Drafted & { readonly draft: UseDraft },
): Promise<void> {
  const { state } = options.follower
  const { kind, name } = drafted.draft
  const isNext = name.endsWith(`.${nextUse(state, kind, sequenceOf(name))}`)
  const next = isNext ? drafted : await draftFor(options, address)
  if (next === null || next.draft.kind !== kind) return
  const entry = { name: next.draft.name, bytes: next.bytes }
  const { fact } = await bind(options, kind, entry, untimed)
  await options.follower.reached(fact.position)
}

/** What is counted, of the name of a use: `<agent>.<capability>`, `<budget>.<key>`, `<grant>`. */
function sequenceOf(name: string): string {
  return name.split('.').slice(3, -1).join('.')
}

interface Drafted {
  readonly draft: Draft
  readonly bytes: Uint8Array
}

type Drawing = Drafted | null | Promise<Drafted | null>

const timeOf = instantWriter()

// Nearly always all that is needed is at hand; only what has to be read or asked is waited for.
function draftFor(options: Advancing, address: string): Drawing {
  const { follower, stage, clock } = options
  const { state } = follower
  const intent = state.intents.get(address)
  if (intent === undefined) return null
  const now = clock.now()
  const deadline = stage.deadline(intent, isStopped(state, intent))
  if (deadline !== null && now >= deadline) return gathered(options, intent)
  const time = timeOf(now)
  const { within } = options
  const inputs =
    within === undefined
      ? inputsAtHand(follower, stage, intent, time)
      : within(() => inputsAtHand(follower, stage, intent, time))
  if (inputs === null) return gathered(options, intent)
  const { freshAt } = inputs.view.opening.request ?? {}
  if (!isFresh(freshAt, state)) return gathered(options, intent)
  return decided(options, inputs)
}

async function gatheredOnce(
  options: Advancing,
  intent: OpenIntent,
): Promise<Drafted | null | 'overtaken'> {
  const { reader, follower, stage, callbacks, clock } = options
  const { state } = follower
  const opening = await gatherOpening(reader, state, intent)
  if (opening === null) return null
  await fresh(options, opening.request?.freshAt)
  const now = clock.now()
  await caughtUp(options, intent.address, now)
  const time = timeOf(now)
  const view = bounded(options, () => viewOf(state, intent.address, opening))
  if (view === null) return null
  const context = await gatherContext(reader, view)
  const calls = bounded(options, () => stage.calls?.(view, context, time) ?? [])
  const answers = await gatherAnswers(callbacks, view, calls)
  if (isOvertaken(state, view)) return 'overtaken'
  refuseWithoutModule(options, view, answers)
  return decided(options, { view, context, answers, time })
}

// What this machine lacks is nothing that a fact may say: no other would derive it.
function refuseWithoutModule(
  { folder }: Advancing,
  { catalog }: View,
  answers: readonly CallbackAnswer[],
): void {
  const isMissing = answers.some(({ fault }) => fault?.code === 'module_missing')
  if (isMissing && catalog.callbacks !== null) throw moduleMissing(catalog.callbacks, folder)
}

/** Whether what the decider reads has changed while something was read or asked. */
function isOvertaken(state: State, view: View): boolean {
  const { address } = view.intent
  if (state.catalog !== view.catalog || state.graph !== view.graph) return true
  if (state.intents.get(address) !== view.intent) return true
  if (view.stops !== null && !stopTheSame(state, view.stops)) return true
  if (grantsFor(state.grants, view.opening.request?.tool ?? '') !== view.grants) return true
  const { ref, judged, block } = view
  return blockFor(state, { address, ref, judged })?.name !== block?.name
}

/** So often what is decided by is gathered again before the job is given back. */
const gatheredMax = 8

async function gathered(options: Advancing, intent: OpenIntent): Promise<Drafted | null> {
  const { intents } = options.follower.state
  for (let round = 0; round < gatheredMax; round += 1) {
    const current = intents.get(intent.address)
    const found = current === undefined ? null : await gatheredOnce(options, current)
    if (found !== 'overtaken') return found
  }
  const message = `what \`${intent.address}\` is decided by changed ${gatheredMax} times meanwhile`
  throw new Fault('view_overtaken', message)
}

function bounded<T>({ within }: Advancing, run: () => T): T {
  return within === undefined ? run() : within(run)
}

function decided(options: Advancing, inputs: Inputs): Drafted | null {
  const { follower, stage, id, within } = options
  const draft = within === undefined ? stage.decide(inputs) : within(() => stage.decide(inputs))
  if (draft === null) return null
  const { view, time } = inputs
  const stamp = { source: `warrant/${stage.name}/${id}`, time, basis: view.basis }
  const bytes = derivedBytes(draft, view, stamp)
  follower.caches.facts.remember(draft, bytes)
  const drawnUp = { bytes, by: stage, stamp, basisAt: view.now, holds: holding(view) }
  follower.caches.drawnUp.remember(draft, drawnUp)
  return { draft, bytes }
}

/** Whether the view still is what a decider would go by. */
function holding(view: View): (state: State) => boolean {
  return (state) => {
    return view.basis === state.position || (isStandingAlone(view) && isStillSeen(view, state))
  }
}

/** So long may what all cells share be under way to the log of one. */
const sharedMsMax = 2_000

// An intent may demand a basis; one that the log has not reached yet is refused by grounding, since
// no one can know when it will come.
async function fresh(
  { log, follower, timer }: Advancing,
  freshAt: string | undefined,
): Promise<void> {
  const demanded = freshAt === undefined ? null : demandIn(freshAt)
  const { state } = follower
  const isMet = (): boolean => isFresh(freshAt, state)
  if (demanded === null || isMet()) return
  const { position: head } = await log.head()
  const { position, catalogRevision, graphRevision } = demanded
  const hasRevision = catalogRevision + graphRevision > 0
  await follower.reached(hasRevision ? head : Math.min(head, position))
  const mayCome = hasRevision && position <= head && cellIn(state.place.realm) !== null
  if (mayCome) await follower.until(isMet, timer, sharedMsMax)
}

// What was appended by a deadline counts, so once it has ended all of that must be folded first.
async function caughtUp(options: Advancing, address: string, now: number): Promise<void> {
  const { log, follower, stage } = options
  const { state } = follower
  const intent = state.intents.get(address)
  const deadline = intent === undefined ? null : stage.deadline(intent, isStopped(state, intent))
  if (deadline !== null && now >= deadline) await follower.reached((await log.head()).position)
}
