// An agent on a model of Ollama. When the model meets a gap it is shown what is missing; learning
// proposes it to people, a person rules, and the same call goes on.
//   ollama pull llama3.2 && warrant init
//   node --conditions=warrant-source --import tsx examples/frameworks/ollama.ts 'write to ann'
import { randomUUID } from 'node:crypto'
import { Ollama, type Message } from 'ollama'
import { connect, type Warrant } from 'warrant-runtime'
import { governed, plainTool, type PlainToolCall } from 'warrant-runtime/openai'
import { z } from 'zod'

const Email = z.object({ to: z.string() })
const sendEmail = plainTool({
  description: 'send an email',
  parameters: {
    type: 'object',
    required: ['to'],
    properties: { to: { type: 'string', description: 'the address' } },
  },
  parse: (written) => Email.parse(written),
  run: ({ to }) => `sent to ${to}`,
})
const roundsMax = 10

export interface Work {
  readonly warrant: Warrant
  readonly ollama: Ollama
  readonly model: string
  /** Shows a line to the person who sits there. */
  readonly show: (line: string) => void
}

/** The model's last words; null where it makes no end. */
export async function work({ warrant, ollama, model, show }: Work, question: string) {
  const session = warrant.session().id
  // A gap is asked about, and meanwhile the call is held.
  const request = { onGap: 'learn' } as const
  const options = { session, request, reasonArgument: 'reason', waitMs: 5_000 }
  const desk = governed(warrant, { send_email: sendEmail }, options)
  const messages: Message[] = [{ role: 'user', content: question }]

  for (let round = 0; round < roundsMax; round += 1) {
    const { message } = await ollama.chat({ model, messages, tools: desk.definitions })
    messages.push(message)
    const calls = (message.tool_calls ?? []).map(withId)
    if (calls.length === 0) return message.content
    const first = await desk.answer(calls, { messages })
    const answers = new Map(first.messages.map((one) => [one.tool_call_id, one]))
    for (const call of first.waiting) {
      show(`${call.function.name} waits: ${answers.get(call.id)?.content}`)
      const { messages: decided } = await desk.answer([call], { waitMs: hourMs })
      for (const one of decided) answers.set(one.tool_call_id, one)
    }
    for (const { id, function: called } of calls) {
      const content = answers.get(id)?.content ?? ''
      show(`${called.name}: ${content}`)
      messages.push({ role: 'tool', tool_name: called.name, content })
    }
  }
  return null
}

const hourMs = 3_600_000

/** Ollama gives calls no ids. */
function withId({
  function: { name, arguments: args },
}: NonNullable<Message['tool_calls']>[number]) {
  const written = { name, arguments: JSON.stringify(args) }
  return { id: randomUUID(), type: 'function', function: written } satisfies PlainToolCall
}

const [, file, question] = process.argv
if (file?.endsWith('ollama.ts') === true && question !== undefined) {
  const warrant = await connect({ as: 'my-agent' })
  const show = (line: string): void => console.log(line)
  const model = process.env['OLLAMA_MODEL'] ?? 'llama3.2'
  const ollama = new Ollama({ host: process.env['OLLAMA_HOST'] ?? 'http://127.0.0.1:11434' })
  show((await work({ warrant, ollama, model, show }, question)) ?? 'no end')
  await warrant.close()
}
