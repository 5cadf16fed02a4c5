// What the fold keeps of agents as such: how many of their intents are open, and who has stopped
// them. A trusted sender's block stops the agent that it addresses, in every session, until a
// person lifts it; without a receiver it stops all who speak in the session.
import type { LiftData } from '#schemas/facts'
import type { KeySignature } from '#schemas/values'
import { jsonOf } from '#record/canonical'
import { principalNamed, type Catalog } from '#rules/catalog/catalog'
import { strayDoor } from '#rules/catalog/doors/speaking'
import { answersFor, wordRefusal } from '#rules/catalog/duties'
import { isOutOfStanding } from '#work/contracts/standings'
import { readEvent } from '#record/event'
import { agentIn, sessionIn, sessionToken, token, type NameParts } from '#record/names'
import type { MessageCheck } from '#messages/check'
import { isFrom, isInSession, isSignedBySpeaker } from '#messages/sender'
import type { OpenIntent } from './intent.ts'
import { newAgent, type AgentState, type Block } from './agent-state.ts'
import type { LoggedFact } from './folded.ts'
import { continues, numberOf, take } from './sequence.ts'
import type { State } from './state.ts'

/** So many open intents of one agent are served; what comes beyond is denied at once. */
export const openServedMax = 256
/** What comes beyond this counts for nothing at all. */
export const openMax = 1_024

/** All that blocks someone. */
export interface Blocks {
  readonly agents: ReadonlyMap<string, AgentState>
  readonly groupBlocks: ReadonlyMap<string, Block>
  readonly sessionBlocks: ReadonlyMap<string, Block>
}

export function agentStateOf(state: Pick<Blocks, 'agents'>, address: string): AgentState {
  return state.agents.get(agentIn(address)) ?? newAgent
}

export function withAgent(state: State, agent: string, agentState: AgentState): void {
  const { open, block, liftedThrough, lifts } = agentState
  const isNew =
    open === 0 && block === null && liftedThrough === 0 && lifts.next === 1 && lifts.used.size === 0
  if (isNew) state.agents.delete(agent)
  else state.agents.set(agent, agentState)
}

/** What a block that is no intent stops; gives the addresses of what is open and is stopped. */
export function evolveBlock(
  state: State,
  fact: LoggedFact,
  { message, safetyLevel }: MessageCheck,
): readonly string[] {
  if (message === null || safetyLevel !== 'block') return []
  if (!isFrom(fact.name, message, state) || !isInSession(fact.name, message)) return []
  const { sender, receiver = null } = message
  const block = { name: fact.name, sender, position: fact.position }
  const self = token(sender)
  withAgent(state, self, { ...(state.agents.get(self) ?? newAgent), block })
  if (!isTrusted(state.catalog, sender)) return openOf(state, new Set([self]))
  if (receiver !== null && state.catalog.groups.has(receiver)) {
    state.groupBlocks.set(receiver, block)
    const members = state.catalog.groups.get(receiver)?.members ?? []
    return openOf(state, new Set([self, ...members.map(token)]))
  }
  if (receiver !== null) {
    const agent = token(receiver)
    withAgent(state, agent, { ...(state.agents.get(agent) ?? newAgent), block })
    return openOf(state, new Set([self, agent]))
  }
  const session = message.session_id ?? null
  if (session === null) return openOf(state, new Set([self]))
  const place = sessionToken(session)
  state.sessionBlocks.set(place, block)
  const speakers = [...state.intents.keys()].filter((address) => sessionIn(address) === place)
  return openOf(state, new Set([self, ...speakers.map(agentIn)]))
}

function isTrusted({ trustedEvidence, principals }: Catalog, sender: string): boolean {
  if (principals.get(sender)?.suspended !== false) return false
  return trustedEvidence.some((one) => one.sender === sender)
}

function openOf(state: State, agents: ReadonlySet<string>): readonly string[] {
  return [...state.intents.keys()].filter((address) => agents.has(agentIn(address)))
}

export function evolveLift(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const [agent = '', last] = parts.tokens
  const number = numberOf(last)
  if (number === null) return 'its number cannot be read'
  const agentState = state.agents.get(agent) ?? newAgent
  const isNext = continues(agentState.lifts, number)
  const lifts = take(agentState.lifts, number)
  withAgent(state, agent, { ...agentState, lifts })
  if (!isNext) return `lift ${number} is out of turn`
  const reading = readEvent('lift', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (token(data.agent) !== agent) return 'it is about another agent'
  const refusal = liftRefusal(state, fact.name, data)
  if (refusal !== null) return refusal
  const liftedThrough = Math.max(agentState.liftedThrough, Math.min(data.through, fact.position))
  const hasEnded = agentState.block !== null && agentState.block.position <= liftedThrough
  withAgent(state, agent, {
    ...agentState,
    lifts,
    liftedThrough,
    block: hasEnded ? null : agentState.block,
  })
  return null
}

/** Why the lift counts for nothing; only the agent's owner and those who sign change sets may. */
export function liftRefusal(
  { catalog, log }: Pick<State, 'catalog' | 'log'>,
  name: string,
  data: LiftData,
): string | null {
  return wordRefusal({ catalog, log }, name, data, (person) => {
    return answersFor(catalog, person, data.agent) ? null : `\`${data.by}\` may not lift it`
  })
}

/**
 * The block that stops an intent of that agent; null where none does. `spokenIn` are the sessions,
 * as tokens, in which it has spoken before they were blocked.
 */
export function blockOn(
  state: Blocks & Pick<State, 'catalog'>,
  { address, agent }: { readonly address: string; readonly agent: string },
  spokenIn: readonly string[],
): Block | null {
  const { block, liftedThrough } = agentStateOf(state, address)
  const { groupBlocks, sessionBlocks } = state
  // Nearly always: no one is blocked at all.
  if (block === null && groupBlocks.size === 0 && sessionBlocks.size === 0) return null
  const groups = [...groupBlocks].flatMap(([id, one]) => {
    return state.catalog.groups.get(id)?.members.includes(agent) === true ? [one] : []
  })
  const sessions = [sessionIn(address), ...spokenIn].flatMap((session) => {
    const one = sessionBlocks.get(session)
    return one === undefined ? [] : [one]
  })
  const all = [...(block === null ? [] : [block]), ...groups, ...sessions]
  const standing = all.filter(({ position }) => position > liftedThrough)
  return standing.toSorted((a, b) => a.position - b.position)[0] ?? null
}

/** A block, and where it stops: null means anywhere. */
export interface PlacedBlock extends Block {
  readonly group: string | null
  /** As a token. */
  readonly session: string | null
}

/** All that stop the agent, or would if it spoke in that session. */
export function blocksOf(
  state: Blocks & Pick<State, 'catalog'>,
  agent: string,
): readonly PlacedBlock[] {
  const { block, liftedThrough } = state.agents.get(token(agent)) ?? newAgent
  const nowhere = { group: null, session: null }
  const own = block === null ? [] : [{ ...block, ...nowhere }]
  const groups = [...state.groupBlocks].flatMap(([group, one]) => {
    const isMember = state.catalog.groups.get(group)?.members.includes(agent) === true
    return isMember ? [{ ...one, ...nowhere, group }] : []
  })
  const sessions = [...state.sessionBlocks].map(([session, one]) => ({
    ...one,
    ...nowhere,
    session,
  }))
  return [...own, ...groups, ...sessions].filter(({ position }) => position > liftedThrough)
}

/**
 * Blocks of other sessions, by their tokens: they stop the agent of the address if it has spoken
 * there before.
 */
export function blockedElsewhere(
  state: Pick<Blocks, 'agents' | 'sessionBlocks'>,
  address: string,
): readonly (readonly [string, Block])[] {
  // Nearly always none: then there is nothing to copy.
  if (state.sessionBlocks.size === 0) return []
  const { liftedThrough } = agentStateOf(state, address)
  const own = sessionIn(address)
  return [...state.sessionBlocks].filter(([session, { position }]) => {
    return session !== own && position > liftedThrough
  })
}

/** Whether its agent was stopped or took it back, so that nothing else has to be waited for. */
export function isStopped(state: State, { address, withdrawn }: OpenIntent): boolean {
  if (withdrawn === 'correction' || withdrawn === 'replaced') return true
  const agent = principalNamed(state.catalog, agentIn(address))
  if (agent?.suspended === true) return true
  if (agent !== undefined && isOutOfStanding(state, agent.id)) return true
  return blockOn(state, { address, agent: agent?.id ?? '' }, []) !== null
}

type Signed = Readonly<Record<string, unknown>> & { readonly signature?: KeySignature | undefined }

/** Why it is not that agent's own word; null where it is. */
export function ownWordRefusal(
  { catalog, log }: Pick<State, 'catalog' | 'log'>,
  name: string,
  {
    agent,
    data,
    via,
  }: { readonly agent: string; readonly data: Signed; readonly via?: string | undefined },
): string | null {
  const { signature, ...signed } = data
  if (token(agent) !== name.split('.')[3]) return 'it is another agent’s'
  const stray = strayDoor(catalog, agent, via)
  if (stray !== null) return stray
  const keys = catalog.principals.get(agent)?.keys ?? []
  if (!catalog.keyed.has(agent)) return null
  const isSigned =
    signature !== undefined && isSignedBySpeaker(keys, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'its agent has a key and did not sign it'
}

/** Why it counts for nothing. It never changes the state: no rule may rest on it. */
export function routingRefusal(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('routing', fact)
  if (!reading.ok) return reading.why
  const { data, stamp } = reading.event
  if (sessionToken(data.session) !== parts.tokens[1]) return 'it is of another session'
  return ownWordRefusal(state, fact.name, { agent: data.agent, data, via: stamp.via })
}
