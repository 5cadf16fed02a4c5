// Derives one recorded fact again, where the fold stands: by the stage's own decider, from what
// that had, and never from what it wrote.
import { compareBytes } from '#platform/bytes'
import type { Draft } from '#record/event'
import { kinds, type Kind } from '#schemas/kinds'
import { derivedBytes } from '#stages/derived'
import type { Inputs, Stage } from '#stages/stage'
import { isStuck } from '#stages/stuck'
import { viewOf, type View } from '#stages/view'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact } from '#ports/log'
import { gatherAnswers, gatherContext, gatherOpening } from '#runtime/engine/gathering/gather'
import { inputsAtHand, type Reader } from '#runtime/engine/gathering/gather'
import { derivedWork } from './derived-work.ts'
import { derivedProposal } from '#runtime/learning/derived-proposal'
import { recordedAlone, recordedFirst } from './recorded.ts'
import type { RecordedStamp } from './recorded-stamp.ts'

/** A recorded fact that is to be derived again. */
export interface Due {
  readonly kind: Kind
  readonly fact: Fact
  readonly stamp: RecordedStamp
  readonly address: string
}

export interface Deriving {
  readonly state: State
  readonly reader: Reader
  readonly stages: readonly Stage[]
  /** Null where no callback may run: what was recorded of each is taken, and nothing else. */
  readonly callbacks: CallbackRunner | null
  /** Counts the answers that were read back and not derived. */
  readonly counted: { readBack: number }
}

export interface Derived {
  readonly bytes: Uint8Array
  /** What a stage drew up for an intent, and from which view of it; null for all else. */
  readonly of: { readonly draft: Draft; readonly view: View } | null
}

/** What cannot be derived here, since what decides it is not here, or was stopped. */
export type Underivable =
  | { readonly module: string }
  | { readonly module: null; readonly stopped: true }

/** Null where no stage would have bound a fact of that name there. */
export type Rederived = Derived | Underivable | null

/** From this view, whatever is folded until it is derived. */
export interface Later {
  readonly view: View
  readonly later: Promise<Rederived>
}

/** The fold must wait for a promise, and not for what comes later. */
export function derive(of: Deriving, due: Due): Later | Promise<Rederived> | Rederived {
  try {
    const found = begin(of, due)
    if (found instanceof Promise) return found.catch(stoppedIn)
    if (found === null || !('later' in found)) return found
    return { ...found, later: found.later.catch(stoppedIn) }
  } catch (error) {
    return stoppedIn(error)
  }
}

// How long it may take is no part of what is derived, so nothing differs for it.
function stoppedIn(error: unknown): Underivable {
  if (isStuck(error)) return { module: null, stopped: true }
  throw error
}

function begin(of: Deriving, due: Due): Later | Promise<Rederived> | Rederived {
  const { state, stages, reader } = of
  const { stamp, address } = due
  if (kinds[due.kind].about === 'question') return beside(of, due, derivedProposal)
  if (kinds[due.kind].about === 'work') return beside(of, due, derivedWork)
  const stage = stageOf(stages, stamp)
  const intent = state.intents.get(address)
  if (stage === undefined || intent === undefined) return null
  const inputs = inputsAtHand({ state, caches: reader.caches }, stage, intent, stamp.time)
  return inputs === null ? gathered(of, due, { stage, intent }) : drafted(due, stage, inputs)
}

// What is of no intent: a question, or claimed work.
async function beside(
  { reader, state, counted }: Deriving,
  due: Due,
  derivedBy: typeof derivedProposal,
): Promise<Derived | null> {
  const derived = await derivedBy(reader, state, due)
  if (derived?.readBack === true) counted.readBack += 1
  return derived === null ? null : { bytes: derived.bytes, of: null }
}

/** The same, all of it waited for; null also where it cannot be derived here. */
export async function derivedAgain(of: Deriving, due: Due): Promise<Derived | null> {
  const begun = await derive(of, due)
  const found = begun !== null && 'later' in begun ? await begun.later : begun
  return found === null || isUnderivable(found) ? null : found
}

/** The same from a view that was taken where the fold stood right before it. */
export async function derivedFrom(
  of: Omit<Deriving, 'state'>,
  due: Due,
  view: View,
): Promise<Derived | null> {
  const stage = stageOf(of.stages, due.stamp)
  const found = stage === undefined ? null : await fromView(of, due, { stage, view })
  return found === null || isUnderivable(found) ? null : found
}

function stageOf(stages: readonly Stage[], { source }: RecordedStamp): Stage | undefined {
  return stages.find(({ name }) => source.startsWith(`warrant/${name}/`))
}

export function isUnderivable(found: Derived | Underivable): found is Underivable {
  return 'module' in found
}

function gathered(
  of: Deriving,
  due: Due,
  { stage, intent }: { readonly stage: Stage; readonly intent: OpenIntent },
): Later | Promise<Rederived> | null {
  const { state, reader } = of
  const opening = reader.caches?.messages.peek(intent.position, state.catalog)
  if (opening === undefined) return afterOpening(of, due, { stage, intent })
  const view = viewOf(state, intent.address, opening)
  return view === null ? null : { view, later: fromView(of, due, { stage, view }) }
}

async function afterOpening(
  of: Deriving,
  due: Due,
  { stage, intent }: { readonly stage: Stage; readonly intent: OpenIntent },
): Promise<Rederived> {
  const opening = await gatherOpening(of.reader, of.state, intent)
  const view = opening === null ? null : viewOf(of.state, intent.address, opening)
  return view === null ? null : fromView(of, due, { stage, view })
}

async function fromView(
  { reader, callbacks: given, counted }: Omit<Deriving, 'state'>,
  due: Due,
  { stage, view }: { readonly stage: Stage; readonly view: View },
): Promise<Rederived> {
  const { fact, stamp } = due
  const context = await gatherContext(reader, view)
  const calls = stage.calls?.(view, context, stamp.time) ?? []
  const asked = (): CallbackRunner =>
    given === null ? recordedAlone(fact) : recordedFirst(given, fact, counted)
  const answers = calls.length === 0 ? [] : await gatherAnswers(asked(), view, calls)
  const derived = drafted(due, stage, { view, context, answers, time: stamp.time })
  const { callbacks: module } = view.catalog
  const isMissing = answers.some(({ fault }) => fault?.code === 'module_missing')
  // A worker without the module once recorded just that: then it derives.
  const isAsRecorded = derived !== null && compareBytes(derived.bytes, fact.bytes) === 0
  return isMissing && module !== null && !isAsRecorded ? { module } : derived
}

function drafted({ fact, stamp }: Due, stage: Stage, inputs: Inputs): Derived | null {
  const { view } = inputs
  const draft = stage.decide(inputs)
  if (draft === null || draft.name !== fact.name) return null
  return { bytes: derivedBytes(draft, view, stamp, stamp.isTraced), of: { draft, view } }
}
