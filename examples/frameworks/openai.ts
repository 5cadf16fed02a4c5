// A loop of plain tool calls, with the OpenAI package and whatever speaks like its server.
import type OpenAI from 'openai'
import type { Warrant } from 'warrant-runtime'
import { governed, plainTool } from 'warrant-runtime/openai'
import { z } from 'zod'

const Email = z.object({ to: z.string() })
const sendEmail = plainTool({
  description: 'send an email',
  parameters: z.toJSONSchema(Email, { io: 'input' }),
  parse: (written) => Email.parse(written),
  run: ({ to }) => `sent to ${to}`,
})
type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[]
const roundsMax = 10
const hourMs = 3_600_000

export async function answer(warrant: Warrant, client: OpenAI, question: string, session: string) {
  const options = { session, reasonArgument: 'reason' }
  const desk = governed(warrant, { send_email: sendEmail }, options)
  const messages: Messages = [{ role: 'user', content: question }]

  for (let round = 0; round < roundsMax; round += 1) {
    const request = { model: 'gpt-5', messages, tools: desk.definitions }
    const { choices } = await client.chat.completions.create(request)
    const message = choices[0]?.message
    if (message?.tool_calls === undefined) return message?.content ?? null
    const answers = await desk.answer(message.tool_calls, { messages, waitMs: hourMs })
    messages.push(message, ...answers.messages) // answers.waiting: what is not decided by now
  }
  return null
}
