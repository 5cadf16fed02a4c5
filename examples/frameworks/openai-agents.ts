// A run of the OpenAI Agents SDK that waits for people where it is interrupted. Between the two
// lines of its loop the state may be stored: `result.state.toString()`.
import { Agent, Runner, tool, type Model } from '@openai/agents-core'
import type { Warrant } from 'warrant-runtime'
import { governAgents } from 'warrant-runtime/openai-agents'
import { z } from 'zod'

export async function answer(warrant: Warrant, model: Model, input: string, session: string) {
  const desk = governAgents(warrant, { session, reasonArgument: 'reason' })
  const sendEmail = tool(
    desk.governed({
      name: 'send_email',
      description: 'send an email',
      parameters: z.object({ to: z.string() }),
      execute: ({ to }) => `sent to ${to}`,
    }),
  )
  const agent = new Agent({ name: 'my-agent', instructions: 'Help.', model, tools: [sendEmail] })
  const runner = new Runner()

  let result = await runner.run(agent, input)
  while (result.interruptions.length > 0) {
    await desk.resume(result) // waits for people, then approves or rejects
    result = await runner.run(agent, result.state)
  }
  return result.finalOutput
}
