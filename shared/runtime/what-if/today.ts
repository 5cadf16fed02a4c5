// What a change of the graph would do today: the last intents as if they were asked again, and
// those that are held as if they went on, under the catalog, the limits and the evidence of now. It
// only reads, and where an answer may be another next time it says that it cannot tell.
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Graph } from '#core/graph/graph'
import { openingOf, type Opening } from '#core/stage/opening'
import type { Stage } from '#core/stage/stage'
import { viewOf, type Context, type View } from '#core/stage/view'
import { openIntent, type OpenIntent } from '#core/world/intent'
import type { World } from '#core/world/world'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'
import { gatherAnswers, gatherContext, gatherOpening, readerOf, type Reader } from '../gather.ts'
import { derivedFrom, type Derived } from './outcome.ts'
import { lastVerdicts, type RecordedVerdict } from './verdicts.ts'
import { whatIfMax, type Flip } from './what-if.ts'

export interface TodayOptions {
  readonly log: Log
  /** Folded to the end. */
  readonly world: World
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** When it is asked: RFC 3339, UTC. */
  readonly time: string
  readonly after: Graph
  /** How many of the last intents are asked again. */
  readonly last: number
  /** Held intents, and the digest that a ruling would sign of each. */
  readonly held: readonly { readonly intent: string; readonly digest: string | null }[]
}

/** What a held intent would come to; `hold` where something else is missing still. */
export interface GoesOn {
  readonly address: string
  readonly agent: string
  readonly tool: string | null
  readonly after: Derived
}

export interface TodayReport {
  /** How many were derived under both graphs. */
  readonly tried: number
  /** Those that cannot be: their openings are not here. */
  readonly unable: number
  /** Of how many no one can tell what they would come to. */
  readonly unsure: number
  readonly flips: readonly Flip[]
  readonly held: readonly GoesOn[]
}

export async function whatIfToday(options: TodayOptions): Promise<TodayReport> {
  const { log, world, last } = options
  const reader = readerOf(log, world.position)
  const verdicts = await lastVerdicts(log, world.place, Math.min(last, whatIfMax))
  const flips: Flip[] = []
  let tried = 0
  let unsure = 0
  for (const verdict of verdicts) {
    const found = verdict === null ? null : await askedAgain(options, reader, verdict)
    if (found === null) continue
    tried += 1
    const { before, after } = found
    if (before.outcome === 'cannot_tell' || after.outcome === 'cannot_tell') unsure += 1
    else if (before.outcome !== after.outcome) flips.push(found)
  }
  const held: GoesOn[] = []
  for (const one of options.held) {
    const goesOn = await heldOn(options, reader, one)
    if (goesOn !== null) held.push(goesOn)
  }
  return { tried, unable: verdicts.length - tried, unsure, flips, held }
}

async function askedAgain(
  options: TodayOptions,
  reader: Reader,
  { address, openedAt, outcome, reasons }: RecordedVerdict,
): Promise<Flip | null> {
  const { world, after } = options
  const at = await factAt(options.log, openedAt)
  const opening = at === null ? null : openingOf(at, world.catalog.knownConstraints)
  if (at === null || opening === null) return null
  // Asked now, and by an agent that is served: how much it has open is not what is tried out.
  const { position, appendedAt } = world
  const asked = { name: at.name, position, appendedAt }
  const intent = openIntent(address, asked, { id: null, beyond: false })
  const before = await derived(options, reader, { intent, opening, graph: world.graph })
  const then = await derived(options, reader, { intent, opening, graph: after })
  if (before === null || then === null) return null
  const recorded = { outcome, reasons }
  return { address, ...namesIn(before), recorded, before: before.derived, after: then.derived }
}

async function factAt(log: Log, position: number): Promise<Fact | null> {
  for await (const fact of log.read({ from: position, to: position })) return fact
  return null
}

async function heldOn(
  options: TodayOptions,
  reader: Reader,
  { intent: address, digest }: TodayOptions['held'][number],
): Promise<GoesOn | null> {
  const open = options.world.intents.get(address)
  const opening = open === undefined ? null : await gatherOpening(reader, options.world, open)
  if (open === undefined || opening === null) return null
  const attempt = open.attempt + 1
  const intent = { ...open, attempt, hold: null, grounding: null, shown: digest ?? open.shown }
  const found = await derived(options, reader, { intent, opening, graph: options.after })
  return found === null ? null : { address, ...namesIn(found), after: found.derived }
}

interface Found {
  readonly view: View
  readonly derived: Derived
}

function namesIn({ view }: Found): { readonly agent: string; readonly tool: string | null } {
  return { agent: view.ref.agent, tool: view.opening.request?.tool ?? null }
}

async function derived(
  { world, stages, callbacks, time }: TodayOptions,
  reader: Reader,
  of: { readonly intent: OpenIntent; readonly opening: Opening; readonly graph: Graph },
): Promise<Found | null> {
  const { intent, opening, graph } = of
  // People's attention is not what is tried out either.
  const own = { ...intent, asked: true }
  const then = { ...world, graph, intents: new Map([[intent.address, own]]) }
  const asked = viewOf(then, intent.address, opening)
  if (asked === null) return null
  const context = await gatherContext(reader, then, asked)
  const grounded = groundedBy(stages, { view: asked, context, time })
  if (grounded === null) return null
  const { view } = grounded
  const policy = stages.find(({ name }) => name === 'policy')
  if (policy === undefined) return null
  const calls = policy.calls(view, grounded.context, time)
  const answers = await gatherAnswers(callbacks, view, calls)
  const draft = policy.decide({ view, context: grounded.context, answers, time })
  const found = answers.some(mayDiffer) ? cannotTell : derivedFrom(draft)
  if (found === null) return null
  const gaps = grounded.context.grounding?.ground?.gaps ?? []
  return { view, derived: found.outcome === 'hold' ? { ...found, gaps } : found }
}

function groundedBy(
  stages: readonly Stage[],
  {
    view,
    context,
    time,
  }: { readonly view: View; readonly context: Context; readonly time: string },
): { readonly view: View; readonly context: Context } | null {
  const stage = stages.find(({ name }) => name === 'grounding')
  const draft = stage?.decide({ view, context, answers: [], time }) ?? null
  if (draft?.kind !== 'grounding') return null
  const { attempt, ground } = draft.data
  const { name } = draft
  const grounding = { name, position: view.basis, attempt, grounded: ground?.grounded ?? true }
  return {
    view: { ...view, intent: { ...view.intent, grounding } },
    context: { ...context, grounding: draft.data },
  }
}

const cannotTell: Derived = { outcome: 'cannot_tell', reasons: [], questions: [] }

/** Faults that are of this process or this moment, and not of the callback and what it is given. */
const passing: ReadonlySet<string> = new Set([
  'module_missing',
  'timed_out',
  'thread_failed',
  'not_called',
])

/** Whether it looked outside, or did not run here: next time it may answer otherwise. */
function mayDiffer({ recorded, fault }: CallbackAnswer): boolean {
  return recorded === true || (fault !== undefined && passing.has(fault.code))
}
