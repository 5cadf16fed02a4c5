// An agent of LangChain whose thread is interrupted while people decide, and goes on from its
// checkpoint, wherever that is kept.
import { tool } from '@langchain/core/tools'
import { Command, isInterrupted, type BaseCheckpointSaver } from '@langchain/langgraph'
import { createAgent, HumanMessage, type CreateAgentParams } from 'langchain'
import type { Warrant } from 'warrant-runtime'
import { warrantMiddleware, withReason } from 'warrant-runtime/langchain'
import { z } from 'zod'

const sendEmail = tool(({ to }) => `sent to ${to}`, {
  name: 'send_email',
  description: 'send an email',
  schema: z.object({ to: z.string() }),
})

const Waiting = z.object({ intent: z.string() })

export async function answer(
  warrant: Warrant,
  { model, checkpointer }: { model: CreateAgentParams['model']; checkpointer: BaseCheckpointSaver },
  question: string,
  session: string,
) {
  const middleware = [warrantMiddleware(warrant, { reasonArgument: 'reason' })]
  const tools = [withReason(sendEmail, 'reason')]
  const agent = createAgent({ model, tools, middleware, checkpointer })
  const thread = { configurable: { thread_id: session } }

  let state = await agent.invoke({ messages: [new HumanMessage(question)] }, thread)
  while (isInterrupted(state)) {
    const open = state.__interrupt__
    for (const { value } of open) await warrant.verdict(Waiting.parse(value).intent)
    const resume = Object.fromEntries(open.map(({ id }) => [id, 'decided']))
    state = await agent.invoke(new Command({ resume }), thread)
  }
  return state.messages.at(-1)?.text
}
