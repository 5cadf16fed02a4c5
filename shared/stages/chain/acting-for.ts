// For whom an agent acts, at a basis: the delegations that its intent cites, from the first one, or
// why they do not count. What an agent leaves out gives it no more than its own rights.
import { isOutOfStanding } from '#work/contracts/standings'
import { delegationsMax, type Delegation } from '#schemas/intent'
import type { ReasonParams } from '#schemas/reasons'
import { agentIn } from '#record/names'
import { delegationIn, isWider, type DelegationSaid } from '#messages/delegation'
import { isFrom, isInSession } from '#messages/sender'
import { corrections, type SessionMessage } from '#messages/session'
import { blockOn } from '#state/agents'
import { revokedBy } from '#messages/warrants/revocations'
import type { Context, View } from '../view.ts'
import { isOfSession } from './citing.ts'

/** Why a delegation does not count, and which one. */
type Refusal = Pick<ReasonParams, 'cause' | 'fact' | 'principal'>

export interface Link {
  readonly name: string
  readonly data: Delegation
}

export interface ActingFor {
  /** Why what is cited does not count; null where it does. */
  readonly refusal: Refusal | null
  /** From the first one to who lets the agent itself act; as far as they are known. */
  readonly principals: readonly string[]
  /** What each of them leaves to the next. */
  readonly links: readonly Link[]
  /** The last moment of all of it, in milliseconds. */
  readonly until: number
}

// A decision asks several times, each time of the same.
const known = new WeakMap<Context, { readonly view: View; readonly found: ActingFor | null }>()

/** Null where the agent acts for itself alone. */
export function actingFor(view: View, context: Context): ActingFor | null {
  const name = view.opening.request?.delegation
  if (name === undefined) return null
  const before = known.get(context)
  if (before?.view === view) return before.found
  const found = foundFor(view, context, name)
  known.set(context, { view, found })
  return found
}

/** All whose call it is, from the first one to the agent itself; null where that is alone. */
export function wholeChain(view: View, context: Context): readonly string[] | null {
  const acting = actingFor(view, context)
  return acting === null ? null : [...acting.principals, view.ref.agent]
}

/** The chain as terms have it: a call that is no one else’s is written as if there were none. */
export function chainTerm(view: View, context: Context): { readonly chain?: string[] } {
  const chain = wholeChain(view, context)
  return chain === null || chain.length === 1 ? {} : { chain: [...chain] }
}

interface Step extends DelegationSaid {
  readonly message: SessionMessage
}

function foundFor(view: View, context: Context, first: string): ActingFor {
  const { cited = [] } = context.chain ?? {}
  const steps: Step[] = []
  let refusal: Refusal | null = null
  for (let name: string | undefined = first; name !== undefined && refusal === null;) {
    const step = stepOf(cited[steps.length])
    refusal = refusalOf(view, context, { name, step, steps })
    if (step === null) break
    steps.push(step)
    name = step.data.parent
  }
  const chain = steps.toReversed()
  return {
    refusal,
    principals: chain.map(({ from }) => from),
    links: chain.map(({ message: { name }, data }) => ({ name, data })),
    until: Math.min(...chain.map(({ data }) => Date.parse(data.until))),
  }
}

function stepOf(message: SessionMessage | undefined): Step | null {
  const found = message === undefined ? null : delegationIn(message.check)
  return found === null || message === undefined ? null : { ...found, message }
}

interface Cited {
  readonly name: string
  /** Null where it is not there, or is no delegation. */
  readonly step: Step | null
  /** Those below it, from the one that the intent cites. */
  readonly steps: readonly Step[]
}

function refusalOf(view: View, context: Context, of: Cited): Refusal | null {
  const { name: fact, step, steps } = of
  if (steps.length === delegationsMax) return { cause: 'too_long', fact }
  if (!isOfSession(view, fact)) return { cause: 'other_session', fact }
  if (steps.some(({ message }) => message.name === fact)) return { cause: 'circular', fact }
  if (step === null) {
    const isThere = context.chain?.cited[steps.length] !== undefined
    return { cause: isThere ? 'malformed' : 'not_found', fact }
  }
  const cause = wordFault(view, of, step) ?? standingFault(view, context, of, step)
  return cause === null ? null : { cause, fact, principal: step.from }
}

/** What is wrong with the message itself, where it stands in the chain. */
function wordFault(view: View, { name, steps }: Cited, { message, from, to, data }: Step) {
  const below = steps.at(-1)
  const { position } = below?.message ?? view.opening
  if (message.position >= position) return 'not_found'
  if (!isFrom(name, message.check.message, view)) return 'not_signed'
  if (!isInSession(name, message.check.message)) return 'other_session'
  if (to !== (below?.from ?? view.ref.agent)) return 'other_agent'
  const others = [view.ref.agent, ...steps.map((one) => one.from)]
  if (others.includes(from)) return 'circular'
  return below !== undefined && isWider(below.data, data) ? 'wider' : null
}

/** What has become of it, and of who said it, by now. */
function standingFault(view: View, context: Context, { name }: Cited, step: Step) {
  const { from, to, data, message } = step
  const { catalog, stops, now } = view
  const { said = [], overlong = true, blocked = [] } = context.chain ?? {}
  if (now > Date.parse(data.until)) return 'ended'
  if (overlong) return 'unread'
  // A signature costs more than all else: only of what would take it back.
  const isWithdrawn = said.some((one) => {
    return corrections([message, one]).has(name) && isFrom(one.name, one.check.message, view)
  })
  if (isWithdrawn) return 'withdrawn'
  const principal = catalog.principals.get(from)
  if (principal === undefined) return 'unknown_principal'
  if (principal.suspended) return 'suspended'
  if (stops === null) return 'unread'
  if (isOutOfStanding({ catalog, standings: stops.standings }, from)) return 'suspended'
  const { position: decidedAt } = message
  const isRevoked = [from, to].some((agent) => revokedBy(stops, { agent, decidedAt }) !== null)
  if (isRevoked) return 'revoked'
  const address = name.split('.').slice(3).join('.')
  const block = blockOn({ ...stops, catalog }, { address, agent: from }, [])
  return block !== null || blocked.includes(agentIn(address)) ? 'blocked' : null
}
