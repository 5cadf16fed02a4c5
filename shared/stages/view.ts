// The view of one intent at a basis: everything that a decider may look at, captured at one moment
// so that the fold can move on while callbacks run. Two views of one basis are the same, live or
// replayed.
import type { Capability } from '#schemas/catalog'
import type { GroundingData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'
import type { IntentRef } from '#schemas/values'
import { completedArguments, patternsUnder, type Patterns } from '#rules/catalog/arguments'
import type { Catalog } from '#rules/catalog/catalog'
import { runKey, type UnsettledCall } from '#messages/executions/executions'
import { grantsFor, type Grant, type GrantUses } from '#rules/grants/book'
import type { Graph } from '#knowledge/graph/revision'
import type { JsonMap } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { agentIn, token, type Place } from '#record/names'
import type { SessionMessage } from '#messages/session'
import type { PeopleSaid } from '#messages/people/people-said'
import type { Revocations } from '#messages/warrants/revocations'
import type { EarnedStanding } from '#work/contracts/standings'
import type { Learning } from '#messages/learning/learning'
import type { Eras } from '#state/eras'
import type { OpenIntent } from '#state/intent'
import { blockedElsewhere, blockOn } from '#state/agents'
import type { Block } from '#state/agent-state'
import { judgedBy } from '#rules/chain/judged'
import { noUses, type Uses } from '#state/slices/uses/uses'
import type { State } from '#state/state'
import type { Opening } from '#messages/opening'
import type { ChainRead } from './chain/chain-read.ts'
import { withListedResource } from './search/listed-resource.ts'
import { searchCandidates } from './search/searched.ts'
import { stopTheSame, stoppingIn, type Stopping } from './chain/stopping.ts'
import { askedBudgets, type AskedBudget } from './budgets/asked-budgets.ts'

export interface View {
  readonly place: Place
  readonly eras: Eras
  /** The position up to which everything is known here, and when that fact was appended. */
  readonly basis: number
  readonly now: number
  /** The log's identity, which every signature in it covers. */
  readonly log: string | null
  readonly catalog: Catalog
  readonly catalogRevision: number
  readonly graph: Graph
  readonly graphRevision: number
  readonly intent: OpenIntent
  readonly opening: Opening
  /** Whom and what the intent's facts name: in full where that can be believed, else as tokens. */
  readonly ref: IntentRef
  /** By whose rights it is judged: its agent's, or those of the subject that this asks about. */
  readonly judged: string
  readonly uses: Uses
  /** Of people's attention. */
  readonly asks: Uses
  /** What it would take of the budgets, and what is used of them. */
  readonly budgets: readonly AskedBudget[]
  /** What people have answered beforehand about the capability, and what is used of that. */
  readonly grants: readonly Grant[]
  readonly grantUses: ReadonlyMap<string, GrantUses>
  /** What whose rights it is judged by has earned; undefined where that is nothing yet. */
  readonly standing: EarnedStanding | undefined
  /** What its agent has earned itself, which may ask about another. */
  readonly askerStanding: EarnedStanding | undefined
  /** What people said beside their answers, and what they took back. */
  readonly people: PeopleSaid
  readonly revocations: Revocations
  /** What stops its agent, as far as the fold alone can show. */
  readonly block: Block | null
  /** Blocks of other sessions, by their tokens: they stop it if it has spoken there before. */
  readonly elsewhere: readonly (readonly [string, Block])[]
  readonly learning: Learning
  /** The same call, of which no one knows whether it was done. */
  readonly unsettled: UnsettledCall | null
  /** What may stop those whom it acts for; null where it cites no delegation. */
  readonly stops: Stopping | null
  /** Of a search that is grounded: each that it looks at, as an evaluation of it would be seen. */
  readonly searched: readonly SearchedView[]
}

export interface SearchedView {
  /** Its own id; of an action its name. */
  readonly id: string
  readonly view: View
}

/** How people agreed: whose answers they are, and when the verdict on them came. */
export interface Agreement {
  readonly by: readonly string[]
  readonly at: number
}

/** A review that ended in an allow. */
export interface AgreedReview {
  readonly name: string
  readonly review: ReviewData
  readonly agreement: Agreement
}

/** A call before this one that may change something and was not stopped. */
export interface EarlierAct {
  /** The agent, or one of those for whom it acts. */
  readonly by: string
  /** Whether it was made for others. */
  readonly isForOthers: boolean
  /** As conditions read it. */
  readonly shown: JsonMap
}

export interface Earlier {
  /** The name of the message there. */
  readonly message: string
  /** The first attempt whose grounding has not been bound yet, for that message, in this era. */
  readonly attempt: number
}

/** What was read of the log up to the basis of a view, in log order. */
export interface Context {
  /** The messages of the session from the agent and from senders that the catalog trusts. */
  readonly session: readonly SessionMessage[]
  /** Messages that the opening one refers to by their full names. */
  readonly referred: readonly SessionMessage[]
  /** Whether the session holds more messages than are ever read. */
  readonly overlong: boolean
  /** What an era before its own has under the address of the intent. */
  readonly earlier: Earlier | null
  /** What the latest grounding and the latest review say; null where there is none. */
  readonly grounding: GroundingData | null
  readonly review: ReviewData | null
  /** The block of another session in which the agent has spoken. */
  readonly block: Block | null
  /** Of the delegation that it cites; null where it cites none. */
  readonly chain: ChainRead | null
  /** What people agreed to in the session before, where a value may be known by that. */
  readonly agreed: readonly AgreedReview[]
  /** What was done in the session before; null where no condition reads it. */
  readonly acts: readonly EarlierAct[] | null
}

export const noContext: Context = {
  session: [],
  referred: [],
  overlong: false,
  earlier: null,
  grounding: null,
  review: null,
  block: null,
  chain: null,
  agreed: [],
  acts: null,
}

/** The view of an open intent; null where it is not open at this basis, or its era is sealed. */
export function viewOf(state: State, address: string, published: Opening): View | null {
  const intent = state.intents.get(address)
  // What is drawn up between two eras could be bound in neither.
  if (intent === undefined || state.sealed !== null) return null
  const view = drawnUp(state, intent, published)
  const searched =
    intent.grounding === null
      ? noneSearched
      : searchCandidates(state.catalog, published).map(({ id, opening }) => {
          return { id, view: drawnUp(state, intent, opening) }
        })
  return searched.length === 0 ? view : { ...view, searched }
}

const noneSearched: View['searched'] = []

function drawnUp(state: State, intent: OpenIntent, published: Opening): View {
  const { address } = intent
  const listed = withListedResource(state.catalog, published)
  const opening = intent.setAside === undefined ? completedOpening(state.catalog, listed) : listed
  const tool = opening.request?.tool
  const { ref, request } = opening
  const judged = judgedBy(state.catalog, opening)
  const agent = judged === ref.agent ? agentIn(address) : token(judged)
  const key = tool === undefined ? null : `${agent}.${token(tool)}`
  const grants = grantsFor(state.grants, tool ?? '')
  return {
    place: state.place,
    eras: state.eras,
    basis: state.position,
    now: state.appendedAt,
    log: state.log,
    catalog: state.catalog,
    catalogRevision: state.catalogRevision,
    graph: state.graph,
    graphRevision: state.graphRevision,
    intent,
    opening,
    ref,
    judged,
    learning: state.learning,
    people: state.people,
    revocations: state.revocations,
    standing: state.standings.get(agent),
    askerStanding: state.standings.get(agentIn(address)),
    unsettled: unsettledLike(state, opening, judged),
    stops: opening.request?.delegation === undefined ? null : stoppingIn(state),
    uses: key === null ? noUses : (state.uses.get(key) ?? noUses),
    asks: key === null ? noUses : (state.asks.get(key) ?? noUses),
    budgets: askedBudgets(state, judged === ref.agent ? ref : { ...ref, agent: judged }, request),
    grants,
    grantUses: usesOf(grants, state),
    block: blockFor(state, { address, ref, judged }),
    elsewhere: blockedElsewhere(state, address),
    searched: noneSearched,
  }
}

/** What stops its agent, or the subject that it asks about. */
export function blockFor(
  state: State,
  { address, ref, judged }: Pick<View, 'ref' | 'judged'> & { readonly address: string },
): Block | null {
  const own = blockOn(state, { address, agent: ref.agent }, [])
  if (own !== null || judged === ref.agent) return own
  const session = address.slice(address.indexOf('.'))
  return blockOn(state, { address: `${token(judged)}${session}`, agent: judged }, [])
}

// Nearly always no outcome is unknown: then nothing is digested.
function unsettledLike(
  { unsettled, catalog }: Pick<State, 'unsettled' | 'catalog'>,
  { request }: Opening,
  judged: string,
): UnsettledCall | null {
  if (unsettled.size === 0 || request === null) return null
  if (catalog.capabilities.get(request.tool)?.driver === undefined) return null
  return unsettled.get(runKey(judged, request.tool, digestOfJson(request.args))) ?? null
}

// What a gateway would run is judged with the defaults of the schema.
function completedOpening(catalog: Catalog, opening: Opening): Opening {
  const { request } = opening
  const capability = request === null ? undefined : catalog.capabilities.get(request.tool)
  if (request === null || capability?.driver === undefined) return opening
  const before = completed.get(opening)
  const patterns = patternsUnder(catalog)
  if (before?.capability === capability && before.patterns === patterns) return before.opening
  const args = completedArguments(capability, request.args, patterns)
  const whole = { ...opening, request: { ...request, args }, received: request.args }
  const made = args === request.args ? opening : whole
  completed.set(opening, { capability, patterns, opening: made })
  return made
}

const completed = new WeakMap<
  Opening,
  { readonly capability: Capability; readonly patterns: Patterns; readonly opening: Opening }
>()

const noneUsed: ReadonlyMap<string, GrantUses> = new Map()

// The fold goes on counting: what is used of them now is copied.
function usesOf(
  grants: readonly Grant[],
  { grantUses }: Pick<State, 'grantUses'>,
): View['grantUses'] {
  if (grants.length === 0) return noneUsed
  const uses = grants.flatMap(({ id }) => {
    const used = grantUses.get(id)
    return used === undefined ? [] : [[id, used] as const]
  })
  return new Map(uses)
}

/**
 * Parts that say where the fold stands, and uses: each has a number of its own, so that what was
 * taken since is never missed. What was given back since would only refuse less.
 */
type Aside = 'basis' | 'now' | 'opening' | 'ref' | 'uses' | 'asks' | 'budgets' | 'grantUses'

type Comparison = (view: View, state: State) => boolean

/** For each part that a decider goes by, whether a view drawn up now would have the same. */
const isSeen: { readonly [Part in Exclude<keyof View, Aside>]: Comparison } = {
  place: (view, state) => view.place === state.place,
  eras: (view, state) => view.eras === state.eras,
  log: (view, state) => view.log === state.log,
  catalog: (view, state) => view.catalog === state.catalog,
  catalogRevision: (view, state) => view.catalogRevision === state.catalogRevision,
  graph: (view, state) => view.graph === state.graph,
  graphRevision: (view, state) => view.graphRevision === state.graphRevision,
  intent: (view, state) => view.intent === state.intents.get(view.intent.address),
  learning: (view, state) => view.learning === state.learning,
  people: (view, state) => view.people === state.people,
  revocations: (view, state) => view.revocations === state.revocations,
  standing: (view, state) => view.standing === state.standings.get(token(view.judged)),
  askerStanding: ({ askerStanding, intent }, state) => {
    return askerStanding === state.standings.get(agentIn(intent.address))
  },
  judged: ({ judged, opening }, state) => judged === judgedBy(state.catalog, opening),
  unsettled: (view, state) => view.unsettled === unsettledLike(state, view.opening, view.judged),
  stops: ({ stops }, state) => stops === null || stopTheSame(state, stops),
  searched: ({ searched }, state) => searched.every(({ view }) => isStillSeen(view, state)),
  grants: (view, state) => view.grants === grantsFor(state.grants, toolOf(view)),
  block: ({ block, intent: { address }, ref, judged }, state) => {
    return block === blockFor(state, { address, ref, judged })
  },
  elsewhere: ({ elsewhere, intent }, state) => {
    const now = blockedElsewhere(state, intent.address)
    return now.length === 0 && elsewhere.length === 0
  },
}
const seenParts = Object.values(isSeen)

/** Whether a decider would go by the same where the fold stands now, as far as the fold shows. */
export function isStillSeen(view: View, state: State): boolean {
  for (const isSame of seenParts) if (!isSame(view, state)) return false
  return true
}

/** The digests of the arguments: as received, and as a gateway would run them where it does. */
export function argumentDigests(view: View): {
  readonly argsDigest: string
  readonly executedDigest?: string
} {
  const { request, received } = view.opening
  const args = digestOfJson(request?.args ?? {})
  if (capabilityOf(view)?.driver === undefined) return { argsDigest: args }
  const argsDigest = received === undefined ? args : digestOfJson(received)
  return { argsDigest, executedDigest: args }
}

function toolOf({ opening }: View): string {
  return opening.request?.tool ?? ''
}

/** The capability that the message names, if the catalog has it. */
export function capabilityOf(view: View): Capability | null {
  const tool = view.opening.request?.tool
  return tool === undefined ? null : (view.catalog.capabilities.get(tool) ?? null)
}
