// What others than the agent say in its session, under their own tokens, so that a user's request
// becomes evidence; and messages that arrive whole, from who signs them.
import type { Context, Hono } from 'hono'
import { bodyOf } from '#serving/app'
import { Refusal, requestInvalid } from '#serving/problem'
import {
  SessionId,
  SessionMessageBody,
  ShortlistBody,
  SignedMessageBody,
} from '#schemas/http/bodies'
import type { Published } from '#client/publishing'
import type { Door } from './door.ts'
import { agentOfCaller, repetitionKey } from './intents.ts'
import { addRoute } from './routed.ts'

export function addSessions(app: Hono, door: Door): void {
  addRoute(app, 'say', async (c) => {
    const { agent, caller } = await agentOfCaller(door, c)
    const id = SessionId.safeParse(c.req.param('id'))
    if (!id.success) throw requestInvalid(400, 'the path names no session that can be')
    const said = await bodyOf(c, SessionMessageBody)
    const key = repetitionKey(c, caller)
    const to = {
      session: agent.session(id.data),
      receiver: said.receiver,
      ...(key !== null && { key }),
    }
    const published =
      'content' in said
        ? await agent.say(said.content, to)
        : await agent.toolResult(
            {
              tool: said.result.tool,
              args: said.result.args,
              value: said.result.value,
              answers: said.result.answers,
              ...(said.result.error !== undefined && { error: said.result.error }),
              ...(said.result.untrusted !== undefined && { untrusted: said.result.untrusted }),
            },
            to,
          )
    return answeredPublished(c, published)
  })
  addRoute(app, 'message', async (c) => {
    const agent = door.agentFor(await door.callerOf(c))
    const { address, message } = await bodyOf(c, SignedMessageBody)
    // Of who has no key a message does not show who sent it.
    if (!agent.isKeyed) throw requestInvalid(422, 'the caller has no key to sign messages with')
    return answeredPublished(c, await agent.relay(address, message))
  })
  addRoute(app, 'own', async (c) => {
    const agent = door.agentFor(await door.callerOf(c))
    const own = await agent.message(c.req.param('id') ?? '')
    if (own !== null) return c.json(own)
    throw new Refusal(404, 'no_intent', 'the caller has no message of that address')
  })
  addRoute(app, 'shortlist', async (c) => {
    const agent = door.agentFor(await door.callerOf(c))
    const { goal, session, max, budget, namespaces, tags, exclude } = await bodyOf(c, ShortlistBody)
    const offer = await agent.shortlist(goal, {
      // An offer is recorded in the agent's own name, which takes the signature of one with a key.
      record: !agent.isKeyed,
      ...(session !== undefined && { session: agent.session(session) }),
      ...(max !== undefined && { max }),
      ...(budget !== undefined && { budget }),
      ...(namespaces !== undefined && { namespaces }),
      ...(tags !== undefined && { tags }),
      ...(exclude !== undefined && { exclude }),
    })
    return c.json(offer)
  })
}

/** 201 where it is new, and 200 where it was there before. */
export function answeredPublished(
  c: Context,
  { appended, address, name, position }: Published,
): Response {
  return c.json({ address, name, position }, appended ? 201 : 200)
}
