// The example for version 5 of the AI SDK, on that version alone: type-checked against it, a call
// of a model that follows a script ends one step, and the next runs it.
import { MockLanguageModelV2 } from 'ai-5/test'
import { connect } from 'warrant-runtime'
import { step } from '../../examples/frameworks/ai-sdk-5.js'

const warrant = await connect({ as: 'my-agent' })
const input = JSON.stringify({ to: 'ann@example.org', reason: 'Ann asked for her invoice' })
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
const model = new MockLanguageModelV2({
  doGenerate: [
    {
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'send_email', input }],
      finishReason: 'tool-calls',
      usage,
      warnings: [],
    },
    { content: [{ type: 'text', text: 'done' }], finishReason: 'stop', usage, warnings: [] },
  ],
})
const session = warrant.session().id
const first = await step(warrant, model, [{ role: 'user', content: 'write' }], session)
if (JSON.stringify(first).includes('sent to')) throw new Error('it ran before it was answered')
const { text, messages } = await step(warrant, model, first.messages, session)
await warrant.close()
if (text !== 'done' || !JSON.stringify(messages).includes('sent to ann@example.org')) {
  throw new Error(JSON.stringify(messages))
}
// What the model is shown takes the reason, as a schema that is there at once.
const [tool] = model.doGenerateCalls[0]?.tools ?? []
if (!JSON.stringify(tool).includes('"reason"')) throw new Error(JSON.stringify(tool))
process.stdout.write('version 5 of the AI SDK sent it\n')
