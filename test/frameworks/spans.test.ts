// A governed call is a span of the program's own traces, by the conventions for generative AI, and
// the parent of what is published for it; arguments and results are not in it.
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, test } from 'vitest'
import { governed } from '#frameworks/openai'
import { checkBytes } from '#messages/check'
import { desk, intents, rule } from './scripted-desk.ts'

afterEach(() => {
  trace.disable()
  context.disable()
})

const session = 'S-2026-01-01-bot-0a1b2c'

async function traced(names: readonly string[]) {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(exporter)]
  new NodeTracerProvider({ spanProcessors }).register()
  const on = await desk()
  const run = ({ path }: { path?: unknown }) => {
    if (path === 'full') throw new RangeError('secret-result')
    return 'secret-result'
  }
  const tool = { parameters: {}, run }
  const tools = governed(on.bot, { look: tool, erase: tool, fly: tool }, { session })
  const answer = () =>
    tools.answer(
      names.map((name) => ({
        id: `call-${name}`,
        type: 'function',
        function: { name, arguments: '{"path":"secret-argument"}' },
      })),
    )
  await answer()
  return { on, tools, answer, exporter }
}

test('a call that runs has the attributes of the conventions, and what Warrant knows', async () => {
  const { on, exporter } = await traced(['look'])
  const [intent = ''] = await intents(on)
  const [span] = exporter.getFinishedSpans()
  expect(span?.name).toBe('execute_tool look')
  expect(span?.instrumentationScope.schemaUrl).toBe('https://opentelemetry.io/schemas/1.41.0')
  expect(span?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'look',
    'gen_ai.tool.call.id': 'call-look',
    'gen_ai.tool.type': 'function',
    'gen_ai.agent.id': 'bot',
    'gen_ai.conversation.id': session,
    'warrant.capability': 'look',
    'warrant.intent': intent,
    'warrant.verdict': `main.1.verdict.${intent}`,
    'warrant.outcome': 'allow',
  })
  expect(JSON.stringify(span?.attributes)).not.toContain('secret')
})

test('the message that asks is a child of it', async () => {
  const { on, exporter } = await traced(['look'])
  const [intent = ''] = await intents(on)
  const fact = await on.log.get(`main.1.vlp.${intent}`)
  if (fact === undefined) throw new Error('no message')
  const { message } = checkBytes(fact.bytes, { knownConstraints: [] })
  const { traceId, spanId } = exporter.getFinishedSpans()[0]?.spanContext() ?? {}
  expect(message?._extras).toEqual({ traceparent: `00-${traceId}-${spanId}-01` })
})

test('a refusal is a failed span with why, and a wait has not failed', async () => {
  const { on, answer, exporter } = await traced(['fly', 'erase'])
  const failed = exporter.getFinishedSpans().map(({ attributes, status }) => {
    const { 'warrant.outcome': outcome, 'warrant.reasons': reasons } = attributes
    return [outcome, reasons, attributes['error.type'], status.code]
  })
  // Which ends first is chance: both calls are answered at once.
  expect(failed.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ['deny', ['ungrounded'], 'ungrounded', SpanStatusCode.ERROR],
    ['waiting', undefined, undefined, SpanStatusCode.UNSET],
  ])
  await rule(on, true)
  exporter.reset()
  await answer()
  const confirmed = exporter
    .getFinishedSpans()
    .map(({ attributes }) => attributes['warrant.confirmed_by'])
  expect(confirmed).toContainEqual(['olga'])
})

test('a program without traces does the same', async () => {
  trace.disable()
  const on = await desk()
  const tools = governed(on.bot, { look: { parameters: {}, run: () => 'fine' } }, { session })
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  expect((await tools.answer([call])).messages).toMatchObject([{ content: 'fine' }])
  const [outcome] = await on.facts('main.1.ownoutcome.>')
  expect(outcome?.data).toMatchObject({ outcome: 'succeeded' })
})
