// One step of a conversation with the Vercel AI SDK 5, which has no approvals: a call ends the
// step, and the next one answers it first. Keep the messages meanwhile, in whichever process.
import { generateText, tool, type LanguageModel, type ModelMessage } from 'ai'
import type { Warrant } from 'warrant-runtime'
import { addedMessages, governTools } from 'warrant-runtime/ai-sdk'
import { z } from 'zod'

const sendEmail = tool({
  description: 'send an email',
  inputSchema: z.object({ to: z.string() }),
  execute: ({ to }) => `sent to ${to}`,
})

export async function step(
  warrant: Warrant,
  model: LanguageModel,
  messages: readonly ModelMessage[],
  session: string,
) {
  const options = { session, reasonArgument: 'reason' }
  const desk = governTools(warrant, { send_email: sendEmail }, options)
  const { definitions: tools } = desk // without `execute`: calls come to the program

  const answers = await desk.answers(messages) // waits for people, then runs what is allowed
  const asked = answers === null ? [...messages] : [...messages, answers]
  const result = await generateText({ model, tools, messages: asked })
  return { text: result.text, messages: [...asked, ...addedMessages(result)] }
}
