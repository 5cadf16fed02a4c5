// Contracts that a caller gives or works under, and standings that are its business: its own, those
// of agents that it owns, and for issuers of contracts all.
import type { Context, Hono } from 'hono'
import { isContractIssuer } from '#rules/catalog/work/work-settings'
import { bodyOf } from '#serving/app'
import { Refusal } from '#serving/problem'
import { ClaimBody, ContractBody } from '#schemas/http/work-bodies'
import { contractsListed, contractShown } from '#client/work/contracts-shown'
import { earnedShown } from '#client/work/standings-shown'
import type { Door } from './door.ts'
import { agentOfCaller, repetitionKey } from './intents.ts'
import { addRoute } from './routed.ts'
import { answeredPublished } from './sessions.ts'

export function addTaskRoutes(app: Hono, door: Door): void {
  const { runtime } = door
  const { state } = runtime.follower
  addRoute(app, 'contract', async (c) => {
    const { agent, caller } = await agentOfCaller(door, c)
    const { worker, contract, session, content } = await bodyOf(c, ContractBody)
    const key = repetitionKey(c, caller)
    const published = await agent.contract({
      worker,
      contract,
      ...(session !== undefined && { session: agent.session(session) }),
      ...(content !== undefined && { content }),
      ...(key !== null && { key }),
    })
    return answeredPublished(c, published)
  })
  addRoute(app, 'claim', async (c) => {
    const { agent, caller } = await agentOfCaller(door, c)
    const { completion, evidence, session, content } = await bodyOf(c, ClaimBody)
    const key = repetitionKey(c, caller)
    const published = await agent.claim({
      contract: c.req.param('id') ?? '',
      completion,
      ...(evidence !== undefined && { evidence }),
      ...(session !== undefined && { session: agent.session(session) }),
      ...(content !== undefined && { content }),
      ...(key !== null && { key }),
    })
    return answeredPublished(c, published)
  })
  addRoute(app, 'contracts', async (c) => {
    const principal = await principalOf(door, c)
    const all = contractsListed(state.contracts, runtime.clock.now())
    const contracts = all.filter(({ issuer, worker }) => [issuer, worker].includes(principal))
    return c.json({ contracts })
  })
  addRoute(app, 'contractSeen', async (c) => {
    const principal = await principalOf(door, c)
    const { place, contracts } = state
    const asked = { log: runtime.log, place, contracts, now: runtime.clock.now() }
    const seen = await contractShown(asked, c.req.param('id') ?? '')
    if ([seen.issuer, seen.worker].includes(principal)) return c.json(seen)
    throw new Refusal(404, 'no_contract', 'the caller has no contract of that address')
  })
  addRoute(app, 'standing', async (c) => {
    const principal = await principalOf(door, c)
    const { catalog } = state
    const id = c.req.param('id') ?? ''
    const isOwn = id === principal || catalog.principals.get(id)?.owner === principal
    const isKnown = catalog.principals.has(id) && (isOwn || isContractIssuer(catalog, principal))
    if (isKnown) return c.json(earnedShown(state, id))
    throw new Refusal(404, 'unknown_principal', 'the caller has no agent of that name')
  })
}

async function principalOf(door: Door, c: Context): Promise<string> {
  const caller = await door.callerOf(c)
  door.agentFor(caller)
  return caller.principal
}
