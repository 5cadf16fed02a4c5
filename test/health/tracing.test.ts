// Traces: one for each intent, through all of its stages and from the program that asked, and none
// where no one wants any.
import { configuration } from '#wiring/config'
import type { Environment } from '#wiring/environment'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { context, trace, TraceFlags } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { tracingBy, tracingTo } from '#health/tracing'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { ended, says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { breaking, faultOf } from '../support/faulty-log.ts'
import { another, answer, deletion, erase, judged, look } from '../support/scene.ts'
import {
  reason,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
  type SceneSetup,
} from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`
const setup: SceneSetup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}

async function traced(more: SceneSetup = {}, on?: Scene) {
  // What is handed over when it is closed can be looked at afterwards.
  class Kept extends InMemorySpanExporter {
    override shutdown = (): Promise<void> => Promise.resolve()
  }
  const exporter = new Kept()
  const tracing = await tracingTo(exporter)
  const whole = { ...setup, ...more, parts: { observe: [tracing.observe] } }
  const opened = on === undefined ? await scene(whole) : await another(on, whole)
  const spans = async () => {
    await opened.watch.settled(opened.log)
    await tracing.close()
    return exporter.getFinishedSpans()
  }
  return { on: opened, spans }
}

function outlined(spans: Awaited<ReturnType<Awaited<ReturnType<typeof traced>>['spans']>>) {
  return spans.map((span) => ({
    trace: span.spanContext().traceId,
    parent: span.parentSpanContext?.spanId,
    stage: span.attributes['warrant.stage'],
    intent: span.attributes['warrant.intent'],
    kind: String(span.attributes['warrant.fact']).split('.')[2],
    outcome: span.attributes['warrant.outcome'],
  }))
}

afterEach(() => {
  trace.disable()
  context.disable()
})

test.each([
  { message: { _extras: { traceparent } }, trace: traceId, parent: spanId },
  { message: { _extras: { traceparent: 'junk' } }, trace: null, parent: undefined },
  { message: {}, trace: null, parent: undefined },
])('all stages of an intent are one trace: $message', async ({ message, trace: of, parent }) => {
  const { on, spans } = await traced()
  const intent = await reviewed(on, { intent: { tool: 'erase', justification: reason }, message })
  await answer(on, intent)
  await verdict(on.log, intent)
  const own = digestOf(intent).slice('sha256:'.length, 'sha256:'.length + 32)
  const same = { trace: of ?? own, parent, intent, outcome: 'done' }
  const found = outlined(await spans())
  expect(found).toHaveLength(4)
  expect(found).toEqual(
    expect.arrayContaining([
      { ...same, stage: 'grounding', kind: 'vlp' },
      { ...same, stage: 'policy', kind: 'grounding' },
      { ...same, stage: 'confirmation', kind: 'review' },
      { ...same, stage: 'confirmation', kind: 'decision' },
    ]),
  )
})

test('a span has agent, session and tool by the conventions, and nothing of the arguments', async () => {
  const { on, spans } = await traced()
  const args = { path: 'secret-argument' }
  const session = 'S-2026-01-01-bot-0a1b2c'
  await judged(on, { intent: { tool: 'look', args }, session })
  for (const { attributes, instrumentationScope } of await spans()) {
    expect(attributes).toMatchObject({
      'gen_ai.agent.id': 'bot',
      'gen_ai.conversation.id': session,
      'gen_ai.tool.name': 'look',
    })
    expect(instrumentationScope.schemaUrl).toBe('https://opentelemetry.io/schemas/1.41.0')
    expect(JSON.stringify(attributes)).not.toContain('secret-argument')
  }
})

test('stages in processes of their own find the same trace', async () => {
  const first = await traced({ stages: [grounding] })
  const second = await traced({ stages: [policy] }, first.on)
  const message = { _extras: { traceparent } }
  await judged(first.on, { intent: { tool: 'look' }, message })
  await judged(first.on, { intent: { tool: 'look' } })
  const [ours, theirs] = [outlined(await first.spans()), outlined(await second.spans())]
  expect(theirs.map((span) => span.trace)).toEqual(ours.map((span) => span.trace))
  expect(new Set(ours.map((span) => span.trace)).size).toBe(2)
  expect(theirs[0]).toMatchObject({ trace: traceId, parent: spanId, stage: 'policy' })
})

test('a job that is set aside is an error, and two intents are two traces', async () => {
  const breakage = { error: new Error('it fails'), tries: 0 }
  const { on, spans } = await traced({ stages: [breaking(grounding, breakage)] })
  await say(on.log, { intent: { tool: 'look' } })
  const { position } = await on.log.head()
  for (let step = 0; step < 4; step += 1) {
    while (breakage.tries <= step) await new Promise(setImmediate)
    on.time.pass(30_000)
  }
  await faultOf(on, 'grounding', position)
  const found = await spans()
  const outcomes = found.map(({ attributes, status }) => [
    attributes['warrant.outcome'],
    status.code,
  ])
  expect(outcomes).toEqual([...Array.from({ length: 4 }, () => ['retried', 0]), ['set_aside', 2]])
  expect(new Set(found.map((span) => span.spanContext().spanId)).size).toBe(5)
})

test('who has switched sampling off for a message has its spans left out', async () => {
  const { on, spans } = await traced()
  const message = { _extras: { traceparent: traceparent.replace(/01$/, '00') } }
  await judged(on, { intent: { tool: 'look' }, message })
  expect(await spans()).toEqual([])
})

test('a client sends the span in which it asks, and the message keeps one of its own', async () => {
  const { bot, log } = await scene(setup)
  const extrasOf = async (extras?: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const more = extras === undefined ? {} : { _extras: extras }
    const { name } = await bot.publish({ type: 'query', content: 'look', ...more })
    return JSON.parse(Buffer.from((await log.get(name))?.bytes ?? '').toString('utf8'))._extras
  }
  expect(await extrasOf()).toEqual({})
  const provider = new NodeTracerProvider()
  provider.register()
  expect(await extrasOf({ a: 1 })).toEqual({ a: 1 })
  await trace.getTracer('test').startActiveSpan('asking', async (span) => {
    const { traceId: id, spanId: own, traceFlags } = span.spanContext()
    expect(traceFlags).toBe(TraceFlags.SAMPLED)
    expect(await extrasOf({ a: 1 })).toEqual({ a: 1, traceparent: `00-${id}-${own}-01` })
    expect(await extrasOf({ traceparent: 'mine' })).toEqual({ traceparent: 'mine' })
    span.end()
  })
  await provider.shutdown()
})

test('traces are off unless the variables of OpenTelemetry ask for them', async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const asked = (variables: Environment) => tracingBy(configuration(variables))
  expect(await asked({})).toBeNull()
  expect(await asked({ OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeNull()
  expect(await asked({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull()
  expect(await asked({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull()
  await expect(asked({ OTEL_TRACES_EXPORTER: 'zipkin' })).rejects.toMatchObject({
    code: 'usage',
    message: 'OTEL_TRACES_EXPORTER is `zipkin`: give `otlp`, `console` or `none`',
  })
  const tracing = await asked(endpoint)
  expect(tracing).not.toBeNull()
  await tracing?.close()
})

test.runIf(isFull)(
  'a process sends its spans to a receiver over HTTP, and whose they are',
  async () => {
    const cwd = await temporaryFolder()
    expect(await beginKnowing({ cwd })).toMatchObject({ code: 0 })
    const bodies: unknown[] = []
    const server = createServer((request: IncomingMessage, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        bodies.push({ url: request.url, key: request.headers['x-key'], body: JSON.parse(text) })
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=kanarienvogel',
      OTEL_SERVICE_NAME: 'warrant-here',
      WARRANT_LOG_LEVEL: 'debug',
    }
    const up = start(['up'], { cwd, env })
    const upEnded = ended(up)
    await says(up, 'stderr', 'stages running')
    const asked = await run(['ask', 'send_email', '--no-stages', '--json'], { cwd })
    up.kill('SIGTERM')
    const { code, stderr } = await upEnded
    server.close()
    expect([code, stderr.includes('kanarienvogel')]).toEqual([0, false])
    const { intent } = JSON.parse(asked.stdout)
    const found = JSON.stringify(bodies)
    expect(bodies[0]).toMatchObject({ url: '/v1/traces', key: 'kanarienvogel' })
    expect(found).toContain('"stringValue":"warrant-here"')
    expect(found).toContain(`"key":"warrant.intent","value":{"stringValue":"${intent}"}`)
    expect(found).toContain(digestOf(intent).slice('sha256:'.length, 'sha256:'.length + 32))
  },
)
