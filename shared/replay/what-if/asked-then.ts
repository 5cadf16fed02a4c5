// One recorded intent at the moment when policy decided on it, derived by two graphs and catalogs.
// What stands alone is derived at once; what is in a session, or calls a callback, is waited for.
import type { Catalog } from '#rules/catalog/catalog'
import { canonical } from '#record/canonical'
import { openingOf, type Opening } from '#messages/opening'
import type { AskedBudget } from '#stages/budgets/asked-budgets'
import { unlessStuck } from '#stages/stuck'
import { canSeekFor } from '#stages/values/known-values'
import { noContext, viewOf, type Context, type View } from '#stages/view'
import type { AllBudgetUses } from '#state/slices/budgets/budgets'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import { gatherContext, isOfOneEra, isStandingAlone } from '#runtime/engine/gathering/gather'
import { stampOf } from '../recorded-stamp.ts'
import { areAlike, decidedAtOnce, decidedBy, groundAgain } from './deriving.ts'
import type { Decided, StandingIntent, WhatIfDeriving } from './deriving.ts'

export type Known = Pick<State, 'graph' | 'catalog'>

/** A recorded request: by whom, for what, and when policy decided on it. */
export interface AskedThen {
  readonly agent: string
  readonly tool: string | null
  readonly position: number
  readonly appendedAt: number
}

/** Which requests are derived; all where it is absent. */
export type Wanted = ((asked: AskedThen) => boolean) | undefined

/** What a change is derived by: also what would have been used of budgets by then. */
export interface KnownThen extends Known {
  readonly budgets: AllBudgetUses
}

export interface Comparing extends Omit<WhatIfDeriving, 'time'> {
  /** The graph and the catalog as they are, and as the change makes them. */
  readonly before: KnownThen
  readonly after: KnownThen
}

/** What one intent comes to; the very same where the change makes no difference to it. */
export interface Coming {
  readonly address: string
  readonly before: Decided
  readonly after: Decided
  /** What it takes of budgets. */
  readonly takes: { readonly before: Takes; readonly after: Takes }
}

type Takes = readonly AskedBudget[]

/** Null where it cannot be derived. */
export type ComeTo = Coming | 'unwanted' | null

export interface Begun {
  readonly asked: AskedThen
  readonly found: Promise<ComeTo> | ComeTo
}

interface At {
  /** What policy said then. */
  readonly fact: Fact
  readonly intent: OpenIntent
  readonly wanted: Wanted
}

/** To be called right before the fact is folded. Null where the intent is not wanted. */
export function comesTo(of: Comparing, state: State, { fact, intent, wanted }: At): Begun | null {
  const { position, appendedAt } = fact
  const opening = of.reader.caches?.messages.peek(intent.position, state.catalog)
  const time = stampOf(fact)?.time ?? null
  // The fold moves on: what is looked at later is captured now.
  const then = { ...state }
  const agent = opening?.ref.agent ?? intent.address.split('.')[0] ?? ''
  const tool = opening?.request?.tool ?? null
  const asked = { agent, tool, position, appendedAt }
  if (opening === undefined) {
    const reading = { intent, asked, wanted }
    return { asked, found: time === null ? null : readFirst({ ...of, time }, then, reading) }
  }
  if (wanted !== undefined && !wanted(asked)) return null
  return {
    asked,
    found: time === null ? null : derived({ ...of, time }, then, { intent, opening }),
  }
}

type Timed = Comparing & Pick<WhatIfDeriving, 'time'>

/** Its opening is not at hand any more. */
async function readFirst(
  of: Timed,
  state: State,
  { intent, wanted, asked }: Pick<At, 'intent' | 'wanted'> & { readonly asked: AskedThen },
): Promise<ComeTo> {
  const fact = await of.reader.get(intent.name)
  const opening = fact === undefined ? null : openingOf(fact, state.catalog)
  if (opening === null) return null
  const tool = opening.request?.tool ?? null
  if (wanted !== undefined && !wanted({ ...asked, agent: opening.ref.agent, tool })) {
    return 'unwanted'
  }
  return derived(of, state, { intent, opening })
}

interface Asked {
  readonly intent: OpenIntent
  readonly opening: Opening
}

interface AskedIn extends Asked {
  readonly state: State
}

function derived(
  of: Timed,
  state: State,
  { intent, opening }: Asked,
): Promise<Coming | null> | Coming | null {
  // How often it acts is counted as recorded; that people are asked is not counted a second time.
  // What was used of budgets follows from the change, and not from what is recorded.
  const { budgets: _, ...rest } = intent
  const open = { ...rest, asked: true }
  const only = { ...state, intents: new Map([[intent.address, open]]) }
  const one = standing(of, of.before, { state: only, intent: open, opening })
  const other = standing(of, of.after, { state: only, intent: open, opening })
  if (one === null || other === null) return null
  const { address } = intent
  if (!(one instanceof Promise) && !(other instanceof Promise)) {
    const before = decidedAtOnce(of, one)
    const after = areAlike(one, other) ? before : decidedAtOnce(of, other)
    if (before !== null && after !== null)
      return { address, before, after, takes: takesOf(one, other) }
    return compared(of, address, one, other)
  }
  return Promise.all([one, other]).then(([now, then]) => {
    return now === null || then === null ? null : compared(of, address, now, then)
  })
}

async function compared(
  of: Timed,
  address: string,
  one: StandingIntent,
  other: StandingIntent,
): Promise<Coming> {
  const before = await decidedBy(of, one)
  const after = areAlike(one, other) ? before : await decidedBy(of, other)
  return { address, before, after, takes: takesOf(one, other) }
}

function takesOf(one: StandingIntent, other: StandingIntent): Coming['takes'] {
  return { before: one.view.budgets, after: other.view.budgets }
}

/** As it would be grounded by that graph and that catalog. */
function standing(
  of: Timed,
  known: KnownThen,
  { state, intent, opening }: AskedIn,
): Promise<StandingIntent | null> | StandingIntent | null {
  if (!checksAlike(known.catalog, state.catalog)) return checkedThen(of, known, { state, intent })
  const view = unlessStuck(() => viewOf({ ...state, ...known }, intent.address, opening), null)
  if (view === null) return null
  if (hasNothingAround(view)) return groundedThen(of, view, noContext)
  return gatherContext(of.reader, view).then((gathered) => groundedThen(of, view, gathered))
}

/** Whether nothing has to be read for it. */
function hasNothingAround(view: View): boolean {
  if (view.elsewhere.length > 0 || !canSeekFor(view)) return false
  return isStandingAlone(view) && isOfOneEra(view)
}

/** Whether a message is read by both in the same way. */
function checksAlike(one: Catalog, other: Catalog): boolean {
  if (one.rules !== other.rules) return false
  const [known, then] = [one.knownConstraints, other.knownConstraints]
  return known === then || canonical(known) === canonical(then)
}

async function checkedThen(
  of: Timed,
  known: KnownThen,
  { state, intent }: Omit<AskedIn, 'opening'>,
): Promise<StandingIntent | null> {
  const fact = await of.reader.get(intent.name)
  const opening = fact === undefined ? null : openingOf(fact, known.catalog)
  if (opening === null) return null
  const view = unlessStuck(() => viewOf({ ...state, ...known }, intent.address, opening), null)
  return view === null ? null : groundedThen(of, view, await gatherContext(of.reader, view))
}

function groundedThen(of: Timed, view: View, context: Context): StandingIntent | null {
  // An address that was used before is good for nothing, whatever the graph says.
  if (context.grounding?.earlier !== undefined) return null
  const intent = { ...view.intent, grounding: null }
  return groundAgain(of, { view: { ...view, intent }, context })
}
