// What the fold keeps of agents as such: how many of their intents are open, and who has stopped
// them. A trusted sender's block stops the agent that it addresses, in every session, until a
// person lifts it; without a receiver it stops all who speak in the session.
import type { LiftData } from '#schemas/facts'
import { jsonOf } from '../kernel/canonical.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { policyAdminRole } from '../catalog/duties.ts'
import { readEvent } from '../kernel/event.ts'
import { agentIn, sessionToken, token, type NameParts } from '../kernel/names.ts'
import { isSignedBy } from '../kernel/signature.ts'
import type { MessageCheck } from '../messages/check.ts'
import { isFrom, isInSession } from '../messages/sender.ts'
import type { OpenIntent } from './intent.ts'
import { newAgent, type AgentState, type Block } from './agent-state.ts'
import type { LoggedFact } from './folded.ts'
import { continues, numberOf, take } from './sequence.ts'
import type { World } from './world.ts'

/** So many open intents of one agent are served; what comes beyond is denied at once. */
export const openServedMax = 256
/** What comes beyond this counts for nothing at all. */
export const openMax = 1_024

export function agentStateOf(world: Pick<World, 'agents'>, address: string): AgentState {
  return world.agents.get(agentIn(address)) ?? newAgent
}

export function withAgent(world: World, agent: string, state: AgentState): void {
  const { open, block, liftedThrough, lifts } = state
  const isNew =
    open === 0 && block === null && liftedThrough === 0 && lifts.next === 1 && lifts.used.size === 0
  if (isNew) world.agents.delete(agent)
  else world.agents.set(agent, state)
}

/** What a block that is no intent stops; gives the addresses of what is open and is stopped. */
export function evolveBlock(
  world: World,
  fact: LoggedFact,
  { message, safetyLevel }: MessageCheck,
): readonly string[] {
  if (message === null || safetyLevel !== 'block') return []
  if (!isFrom(fact.name, message, world) || !isInSession(fact.name, message)) return []
  const { sender, receiver = null } = message
  const block = { name: fact.name, sender, position: fact.position }
  const self = token(sender)
  withAgent(world, self, { ...(world.agents.get(self) ?? newAgent), block })
  if (!isTrusted(world.catalog, sender)) return openOf(world, new Set([self]))
  if (receiver !== null && world.catalog.groups.has(receiver)) {
    world.groupBlocks.set(receiver, block)
    const members = world.catalog.groups.get(receiver)?.members ?? []
    return openOf(world, new Set([self, ...members.map(token)]))
  }
  if (receiver !== null) {
    const agent = token(receiver)
    withAgent(world, agent, { ...(world.agents.get(agent) ?? newAgent), block })
    return openOf(world, new Set([self, agent]))
  }
  const session = message.session_id ?? null
  if (session === null) return openOf(world, new Set([self]))
  const place = sessionToken(session)
  world.sessionBlocks.set(place, block)
  const speakers = [...world.intents.keys()].filter((address) => sessionIn(address) === place)
  return openOf(world, new Set([self, ...speakers.map(agentIn)]))
}

function isTrusted({ trustedEvidence, principals }: Catalog, sender: string): boolean {
  if (principals.get(sender)?.suspended !== false) return false
  return trustedEvidence.some((one) => one.sender === sender)
}

function openOf(world: World, agents: ReadonlySet<string>): readonly string[] {
  return [...world.intents.keys()].filter((address) => agents.has(agentIn(address)))
}

/** The session of an address, as a token. */
export function sessionIn(address: string): string {
  const dot = address.indexOf('.')
  return address.slice(dot + 1, address.indexOf('.', dot + 1))
}

export function evolveLift(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const [agent = '', last] = parts.tokens
  const number = numberOf(last)
  if (number === null) return 'its number cannot be read'
  const state = world.agents.get(agent) ?? newAgent
  const isNext = continues(state.lifts, number)
  const lifts = take(state.lifts, number)
  withAgent(world, agent, { ...state, lifts })
  if (!isNext) return `lift ${number} is out of turn`
  const reading = readEvent('lift', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (token(data.agent) !== agent) return 'it is about another agent'
  const refusal = liftRefusal(world, fact.name, data)
  if (refusal !== null) return refusal
  const liftedThrough = Math.max(state.liftedThrough, Math.min(data.through, fact.position))
  const hasEnded = state.block !== null && state.block.position <= liftedThrough
  withAgent(world, agent, { ...state, lifts, liftedThrough, block: hasEnded ? null : state.block })
  return null
}

/** Why the lift counts for nothing; only the agent's owner and those who sign change sets may. */
export function liftRefusal(
  { catalog, log }: Pick<World, 'catalog' | 'log'>,
  name: string,
  data: LiftData,
): string | null {
  const { signature, ...signed } = data
  const person = catalog.principals.get(data.by)
  if (person === undefined || person.suspended) return `the catalog has no active \`${data.by}\``
  const owner = catalog.principals.get(data.agent)?.owner
  const may = person.id === owner || person.roles.includes(policyAdminRole)
  if (!may || person.id === data.agent) return `\`${data.by}\` may not lift it`
  if (signature === undefined) return 'it is not signed'
  return isSignedBy(person.keys, { log, name }, jsonOf(signed), signature)
    ? null
    : 'no key of this person in the catalog signed it'
}

/**
 * The block that stops an intent of that agent; null where none does. `spokenIn` are the sessions,
 * as tokens, in which it has spoken before they were blocked.
 */
export function blockOn(
  world: Pick<World, 'agents' | 'groupBlocks' | 'sessionBlocks' | 'catalog'>,
  { address, agent }: { readonly address: string; readonly agent: string },
  spokenIn: readonly string[],
): Block | null {
  const { block, liftedThrough } = agentStateOf(world, address)
  const { groupBlocks, sessionBlocks } = world
  // Nearly always: no one is blocked at all.
  if (block === null && groupBlocks.size === 0 && sessionBlocks.size === 0) return null
  const groups = [...groupBlocks].flatMap(([id, one]) => {
    return world.catalog.groups.get(id)?.members.includes(agent) === true ? [one] : []
  })
  const sessions = [sessionIn(address), ...spokenIn].flatMap((session) => {
    const one = sessionBlocks.get(session)
    return one === undefined ? [] : [one]
  })
  const all = [...(block === null ? [] : [block]), ...groups, ...sessions]
  const standing = all.filter(({ position }) => position > liftedThrough)
  return standing.toSorted((a, b) => a.position - b.position)[0] ?? null
}

/** Whether its agent was stopped or took it back, so that nothing else has to be waited for. */
export function isStopped(world: World, { address, withdrawn }: OpenIntent): boolean {
  if (withdrawn === 'correction') return true
  const agent = principalNamed(world.catalog, agentIn(address))
  if (agent?.suspended === true) return true
  return blockOn(world, { address, agent: agent?.id ?? '' }, []) !== null
}

const named = new WeakMap<Catalog['principals'], ReadonlyMap<string, string>>()

/** The principal whose id has that token. */
function principalNamed({ principals }: Catalog, agent: string) {
  let ids = named.get(principals)
  if (ids === undefined) {
    ids = new Map([...principals.keys()].map((id) => [token(id), id]))
    named.set(principals, ids)
  }
  return principals.get(ids.get(agent) ?? '')
}
