// Tasks that a caller gives under contracts, and reports on as their worker.
import type { Hono } from 'hono'
import { bodyOf } from '#serving/app'
import { ClaimBody, ContractBody } from '#schemas/http/work-bodies'
import type { Door } from './door.ts'
import { agentOfCaller, repetitionKey } from './intents.ts'
import { addRoute } from './routed.ts'
import { answeredPublished } from './sessions.ts'

export function addTaskRoutes(app: Hono, door: Door): void {
  addRoute(app, 'openContract', async (c) => {
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
}
