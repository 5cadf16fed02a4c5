// One turn of a conversation with the Vercel AI SDK. Call it again with the messages that it gave:
// it waits for what people decide about, and goes on.
import { generateText, stepCountIs, tool, type LanguageModel, type ModelMessage } from 'ai'
import type { Warrant } from 'warrant-runtime'
import { addedMessages, governTools } from 'warrant-runtime/ai-sdk'
import { z } from 'zod'

const sendEmail = tool({
  description: 'send an email',
  inputSchema: z.object({ to: z.string() }),
  execute: ({ to }) => `sent to ${to}`,
})

export async function turn(
  warrant: Warrant,
  model: LanguageModel,
  messages: readonly ModelMessage[],
  session: string,
) {
  // The model states why it calls, in an argument `reason` that each tool gets beside its own.
  const options = { session, reasonArgument: 'reason' }
  const desk = governTools(warrant, { send_email: sendEmail }, options)
  const { tools } = desk // for version 7 there is `toolApproval` too

  const approvals = await desk.approvals(messages) // waits for people, if anything is open
  const asked = approvals === null ? [...messages] : [...messages, approvals]
  const stopWhen = stepCountIs(5)
  const result = await generateText({ model, tools, messages: asked, stopWhen })
  return { text: result.text, messages: [...asked, ...addedMessages(result)] }
}
