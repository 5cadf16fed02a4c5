// Spans of jobs through OpenTelemetry's own SDK, which is loaded only where someone asks for
// traces. All stages of one intent are one trace: that of its message, or one of its address.
import { settingInvalid } from '#runtime/reporting/setting-invalid'
import { settingTable } from '#schemas/settings/table'
import type { Settings } from '#schemas/settings/settings'
import type * as Api from '@opentelemetry/api'
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-node'
import { LRUCache } from 'lru-cache'
import { systemTimer } from '#system/clock'
import { digestOf } from '#record/digest'
import { isMessage, partsInRealm } from '#record/names'
import { messageOfFact } from '#messages/check'
import { isMap } from '#messages/envelope'
import { traceparentOf } from '#messages/traceparent'
import type { VlpMessage } from '#schemas/vlp'
import { factAbout } from '#runtime/engine/binding'
import { withTimeout } from '#runtime/engine/timeout'
import type { BegunJob, JobEnding, Observe, ObserverContext } from '#runtime/engine/observer'

export interface Tracing {
  readonly observe: Observe
  /** Hands over what is left. */
  close(): Promise<void>
}

/**
 * The conventions that attributes `gen_ai.…` follow. They are in development: another version is a
 * change of what people's dashboards read.
 */
export const genAiSchemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

const digestPrefix = 'sha256:'
const keptMax = 20_000
/** Spans whose message is still read; more than these are released. */
const waitingMax = 1_000
const closeMsMax = 5_000
/** From the agent: names may be as long as a message. */
const attributeCharactersMax = 256

/** Traces as the variables of OpenTelemetry ask for them; null where they do not. */
export async function tracingBy(settings: Settings): Promise<Tracing | null> {
  const exporter = await exporterBy(settings)
  return exporter === null ? null : tracingTo(exporter)
}

async function exporterBy(settings: Settings): Promise<SpanExporter | null> {
  const { otelDisabled, tracesUrl, otlpUrl, tracesExporter } = settings
  if (otelDisabled === 'true') return null
  const isGiven = tracesUrl !== undefined || otlpUrl !== undefined
  const asked = tracesExporter ?? (isGiven ? 'otlp' : 'none')
  switch (asked) {
    case 'none':
      return null
    case 'otlp':
      return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
    case 'console':
      return new (await import('@opentelemetry/sdk-trace-node')).ConsoleSpanExporter()
    default:
      throw settingInvalid(settingTable.tracesExporter, asked)
  }
}

/** Traces that this exporter gets. */
export async function tracingTo(exporter: SpanExporter): Promise<Tracing> {
  const sdk = await import('@opentelemetry/sdk-trace-node')
  const ids = new TraceIds(new sdk.RandomIdGenerator())
  const failing: { report: (error: Error | undefined) => void } = { report: () => undefined }
  const reported: SpanExporter = {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) failing.report(result.error)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
  const provider = new sdk.NodeTracerProvider({
    resource: await resourceHere(),
    idGenerator: ids,
    spanProcessors: [new sdk['BatchSpanProcessor'](reported)],
  })
  const tracer = provider.getTracer('warrant', undefined, { schemaUrl: genAiSchemaUrl })
  const spans = new Spans(tracer, ids, await import('@opentelemetry/api'))
  return {
    observe: (at) => {
      failing.report = (error) => at.logger.warn({ error }, 'spans not exported')
      return {
        jobBegun: (job) => {
          const startedAt = nowMs()
          return (ending) => spans.add(at, { job, ending, startedAt, endedAt: nowMs() })
        },
        appended: () => undefined,
      }
    },
    async close() {
      const shut = spans.settled().then(() => provider.shutdown())
      await withTimeout(systemTimer, closeMsMax, shut.catch(failing.report))
    },
  }
}

async function resourceHere() {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources')
  const named = defaultResource().merge(resourceFromAttributes({ 'service.name': 'warrant' }))
  return named.merge(detectResources({ detectors: [envDetector] }))
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

// A span without a parent gets the trace of its intent, so that there is no parent to be missed.
class TraceIds implements IdGenerator {
  readonly #random: IdGenerator
  next = ''

  constructor(random: IdGenerator) {
    this.#random = random
  }

  generateTraceId(): string {
    return this.next
  }

  generateSpanId(): string {
    return this.#random.generateSpanId()
  }
}

interface Ended {
  readonly job: BegunJob
  readonly ending: JobEnding
  readonly startedAt: number
  readonly endedAt: number
}

class Spans {
  readonly #tracer: Api.Tracer
  readonly #ids: TraceIds
  readonly #api: typeof Api
  readonly #kept = new LRUCache<string, AskedIn>({ max: keptMax })
  readonly #waiting = new Set<Promise<void>>()

  constructor(tracer: Api.Tracer, ids: TraceIds, api: typeof Api) {
    this.#tracer = tracer
    this.#ids = ids
    this.#api = api
  }

  add(at: ObserverContext, ended: Ended): void {
    const { intent } = ended.job
    if (intent === null) return
    const kept = this.#kept.get(intent)
    if (kept !== undefined) {
      this.#span(intent, ended, kept)
      return
    }
    if (this.#waiting.size >= waitingMax) return
    const waiting = this.#find(at, intent, ended).finally(() => this.#waiting.delete(waiting))
    this.#waiting.add(waiting)
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#waiting)
  }

  async #find(at: ObserverContext, intent: string, ended: Ended): Promise<void> {
    const { fact } = ended.job
    const isOpening = isMessage(partsInRealm(fact.name, at.place.realm))
    try {
      const opening = isOpening ? fact : await factAbout(at, 'vlp', intent)
      if (opening === undefined) return
      const message = messageOfFact(opening)
      const asked = { traceparent: traceparentOf(message), attributes: attributesOf(message) }
      this.#kept.set(intent, asked)
      this.#span(intent, ended, asked)
    } catch {
      // The log is out of reach or closed: this span belongs to no trace that is known.
    }
  }

  #span(intent: string, ended: Ended, { traceparent, attributes }: AskedIn): void {
    const { ROOT_CONTEXT, SpanStatusCode, trace } = this.#api
    const { job, ending, startedAt, endedAt } = ended
    const parent = traceparent === null ? null : spanContextOf(traceparent)
    this.#ids.next = digestOf(intent).slice(digestPrefix.length, digestPrefix.length + 32)
    const span = this.#tracer.startSpan(
      `warrant ${job.stage}`,
      {
        startTime: startedAt,
        attributes: {
          ...attributes,
          'warrant.intent': intent,
          'warrant.stage': job.stage,
          'warrant.fact': job.fact.name,
          'warrant.outcome': ending,
        },
      },
      parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    )
    if (ending === 'set_aside') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endedAt)
  }
}

/** What the message of an intent says of where its spans belong. */
interface AskedIn {
  readonly traceparent: string | null
  readonly attributes: Api.Attributes
}

/** By the conventions for generative AI, as spans of a governed call have them; never arguments. */
function attributesOf(message: VlpMessage | null): Api.Attributes {
  if (message === null) return {}
  const { sender, session_id: session, payload } = message
  const intent = isMap(payload) ? payload['intent'] : undefined
  const said = Object.entries({
    'gen_ai.agent.id': sender,
    'gen_ai.conversation.id': session,
    'gen_ai.tool.name': isMap(intent) ? intent['tool'] : undefined,
  })
  return Object.fromEntries(
    said.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, attributeCharactersMax)]] : [],
    ),
  )
}

function spanContextOf(traceparent: string): Api.SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

/** What OpenTelemetry's API leaves behind when a program begins to make spans, in any copy. */
const apiMark = Symbol.for('opentelemetry.js.api.1')

/** Whether this is a program that makes spans. */
export function makesSpans(): boolean {
  return Reflect.has(globalThis, apiMark)
}

/** The API of a program that makes spans; null in any other. */
async function apiHere(): Promise<typeof Api | null> {
  if (!makesSpans()) return null
  return import('@opentelemetry/api').catch(() => null)
}

export interface SpanMade {
  readonly name: string
  readonly attributes: Api.Attributes
  /** The conventions that its attributes follow. */
  readonly schemaUrl: string
}

/** Adds to the span of what is being done; one of `error.type` marks it as failed. */
export type AddToSpan = (attributes: Api.Attributes) => void

/**
 * Does it within a span of the program's own tracing, which is then the parent of what is published
 * meanwhile; without tracing it is just done.
 */
export async function withinSpan<T>(
  { name, attributes, schemaUrl }: SpanMade,
  act: (add: AddToSpan) => Promise<T>,
): Promise<T> {
  const api = await apiHere()
  if (api === null) return act(() => undefined)
  const provider = api.trace.getTracerProvider()
  const tracer = provider.getTracer('warrant', undefined, { schemaUrl })
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    const add: AddToSpan = (more) => {
      span.setAttributes(more)
      if ('error.type' in more) span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    try {
      return await act(add)
    } finally {
      span.end()
    }
  })
}

/** The traceparent of the span that is active here; null where there is none. */
export async function currentTraceparent(): Promise<string | null> {
  const api = await apiHere()
  if (api === null) return null
  const { isSpanContextValid, trace } = api
  const context = trace.getActiveSpan()?.spanContext()
  if (context === undefined || !isSpanContextValid(context)) return null
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0')
  return `00-${context.traceId}-${context.spanId}-${flags}`
}
