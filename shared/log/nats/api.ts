// The JetStream API as far as it is used here: what is asked, and what comes back, checked. It must
// never be given a right that a runtime does not have: making and sealing is the operator's.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import type { Message, Stored } from './message.ts'
import { ApiProblem, apiFault, problems } from './problems.ts'
import type { Requests } from './requests.ts'

const Answer = z.looseObject({ error: ApiProblem.optional() })

const State = z.object({
  messages: z.number(),
  first_seq: z.number(),
  last_seq: z.number(),
  last_ts: z.string().default(''),
  num_subjects: z.number().default(0),
  num_deleted: z.number().default(0),
  consumer_count: z.number().default(0),
})

const Peer = z.looseObject({
  name: z.string(),
  current: z.boolean().default(false),
  offline: z.boolean().default(false),
  lag: z.number().default(0),
})

/** What a stream takes in from another, and how far it is behind. */
const Source = z.looseObject({
  name: z.string(),
  lag: z.number().default(0),
  /** The position of the last that it has; left out before the first. */
  seq: z.number().default(0),
  error: z.looseObject({ description: z.string().default('') }).optional(),
})

const StreamInfo = z.looseObject({
  config: z.record(z.string(), z.unknown()),
  created: z.string(),
  state: State,
  cluster: z
    .looseObject({ leader: z.string().default(''), replicas: z.array(Peer).default([]) })
    .optional(),
  mirror: z.looseObject({ lag: z.number().default(0), active: z.number().default(-1) }).optional(),
  sources: z.array(Source).default([]),
  /** When the server answered, by its own clock. */
  ts: z.string().default(''),
})

export type StreamInfo = z.infer<typeof StreamInfo>

const QueueInfo = z.looseObject({
  config: z.looseObject({
    // A queue that no one need acknowledge has none.
    ack_wait: z.number().default(0),
    filter_subject: z.string().optional(),
    filter_subjects: z.array(z.string()).optional(),
    /** None where there is no limit. */
    max_ack_pending: z.number().optional(),
  }),
  /** Up to which position of the stream it has given jobs. */
  delivered: z.looseObject({ stream_seq: z.number() }),
  num_pending: z.number(),
  num_ack_pending: z.number(),
  num_redelivered: z.number(),
})

export type QueueInfo = z.infer<typeof QueueInfo>

const Found = z.looseObject({
  message: z.object({
    subject: z.string(),
    seq: z.number(),
    hdrs: z.string().default(''),
    data: z.string().default(''),
    time: z.string(),
  }),
})

const Names = z.looseObject({
  streams: z.array(z.string()).nullish(),
  total: z.number().default(0),
})
const QueueNames = z.looseObject({ consumers: z.array(z.string()).nullish() })

/** What the API answered, or the problem that it named. */
function outcomeIn({
  bytes,
}: Message): { readonly answer: unknown } | { readonly problem: ApiProblem } {
  const answer = jsonIn(bytes)
  const { error } = Answer.parse(answer)
  return error === undefined ? { answer } : { problem: error }
}

/** Asks, and takes a problem of those codes as an absence. */
async function ask<T>(
  requests: Requests,
  subject: string,
  body: unknown,
  shape: z.ZodType<T>,
  absent: number | null,
): Promise<T | null> {
  const asked = requests.ask(`${requests.link.api}.${subject}`, textOf(body))
  const outcome = outcomeIn(await asked)
  if ('answer' in outcome) return shape.parse(outcome.answer)
  if (outcome.problem.err_code === absent) return null
  throw apiFault(subject, outcome.problem)
}

/** Does what only an operator may; problems of those codes are answered with false. */
export async function operate(
  requests: Requests,
  subject: string,
  body: unknown,
  tolerated: readonly number[] = [],
): Promise<boolean> {
  const sent = requests.send(`${requests.link.api}.${subject}`, textOf(body))
  const outcome = outcomeIn(await sent)
  if ('answer' in outcome) return true
  if (tolerated.includes(outcome.problem.err_code)) return false
  throw apiFault(subject, outcome.problem)
}

function textOf(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body)
}

export function streamInfo(requests: Requests, stream: string): Promise<StreamInfo | null> {
  return ask(requests, `STREAM.INFO.${stream}`, undefined, StreamInfo, problems.streamMissing)
}

export function queueInfo(
  requests: Requests,
  stream: string,
  queue: string,
): Promise<QueueInfo | null> {
  const subject = `CONSUMER.INFO.${stream}.${queue}`
  return ask(requests, subject, undefined, QueueInfo, problems.queueMissing)
}

const streamsMax = 100_000

/** The names of the streams: of all, in as many answers as it takes. */
export async function streamNamesOf(requests: Requests): Promise<readonly string[]> {
  const names: string[] = []
  while (names.length < streamsMax) {
    const page = await ask(requests, 'STREAM.NAMES', { offset: names.length }, Names, null)
    const streams = page?.streams ?? []
    names.push(...streams)
    if (streams.length === 0 || names.length >= (page?.total ?? 0)) break
  }
  return names
}

/** The names of the queues of a stream. */
export async function queueNamesOf(requests: Requests, stream: string): Promise<readonly string[]> {
  const names = await ask(requests, `CONSUMER.NAMES.${stream}`, {}, QueueNames, null)
  return names?.consumers ?? []
}

/** A message of a stream with the header that it was sent with, as text. */
export interface Sent extends Stored {
  readonly header: string
}

/** Of that name; at that position; or the first of such names at that position or after it. */
type Which =
  | { readonly last_by_subj: string }
  | { readonly seq: number; readonly next_by_subj?: string }

/** One message, from the leader of the stream. */
export async function messageOf(
  requests: Requests,
  stream: string,
  which: Which,
): Promise<Sent | null> {
  const subject = `STREAM.MSG.GET.${stream}`
  const found = await ask(requests, subject, which, Found, problems.messageMissing)
  if (found === null) return null
  const { subject: name, seq, hdrs, data, time } = found.message
  const bytes = Buffer.from(data, 'base64')
  const header = Buffer.from(hdrs, 'base64').toString('utf8')
  return { name, bytes, header, position: seq, appendedAt: Date.parse(time) }
}

const endOfBatch = 204
const noneFound = 404
const tooMany = 413

/** The messages of those subjects, of any copy; null where there are too many for one answer. */
export async function messagesOf(
  requests: Requests,
  stream: string,
  which: { readonly multi_last: readonly string[]; readonly seq?: number },
): Promise<readonly Stored[] | null> {
  const { messages, isWhole } = await gathered(requests, stream, which)
  return isWhole ? messages : null
}

/** At most so many messages of such a subject, from that position on, of any copy. */
export async function messagesFrom(
  requests: Requests,
  stream: string,
  which: { readonly seq: number; readonly next_by_subj: string; readonly batch: number },
): Promise<readonly Stored[]> {
  return (await gathered(requests, stream, which)).messages
}

/** What one answer holds, and whether that is all there is. */
async function gathered(
  requests: Requests,
  stream: string,
  which: unknown,
): Promise<{ readonly messages: readonly Stored[]; readonly isWhole: boolean }> {
  const subject = `${requests.link.api}.DIRECT.GET.${stream}`
  const messages = await requests.gather(subject, JSON.stringify(which))
  const last = messages.at(-1)
  if (last?.status === noneFound) return { messages: [], isWhole: true }
  if (last?.status === tooMany) return { messages: [], isWhole: false }
  if (last?.status !== endOfBatch) {
    const said = last === undefined ? 'nothing' : `${last.status} ${last.description}`
    throw new Fault('log_unreachable', `\`${subject}\` was answered with ${said}`)
  }
  // Else it is cut off before its end, since it grew too long.
  const isWhole = last.header('Nats-Num-Pending') === '0'
  return { messages: messages.slice(0, -1).map(storedIn), isWhole }
}

/** The message of that subject, of any copy; one that it has not yet is null too. */
export async function copyOf(
  requests: Requests,
  stream: string,
  subject: string,
): Promise<Stored | null> {
  const asked = `${requests.link.api}.DIRECT.GET.${stream}.${subject}`
  const message = await requests.send(asked, '')
  const { status, description } = message
  if (status === noneFound) return null
  if (status === 0 && message.header('Nats-Subject') === subject) return storedIn(message)
  const said = `\`${asked}\` was answered with ${status} ${description}`
  throw new Fault('log_unreachable', said)
}

/** The message at that position, of any copy; null where there is none. */
export async function copyAt(
  requests: Requests,
  stream: string,
  seq: number,
): Promise<Stored | null> {
  const asked = `${requests.link.api}.DIRECT.GET.${stream}`
  const message = await requests.send(asked, JSON.stringify({ seq }))
  const { status, description } = message
  if (status === noneFound) return null
  if (status === 0 && message.header('Nats-Sequence') === String(seq)) return storedIn(message)
  throw new Fault('log_unreachable', `\`${asked}\` was answered with ${status} ${description}`)
}

function storedIn(message: Message): Stored {
  return {
    name: message.header('Nats-Subject'),
    bytes: message.bytes,
    position: Number(message.header('Nats-Sequence')),
    appendedAt: Date.parse(message.header('Nats-Time-Stamp')),
  }
}

/** What came of looking; `hidden` is what this credential may not see, or no one answered. */
export type Seen<T> =
  | { readonly is: 'there'; readonly value: T }
  | { readonly is: 'missing' }
  | { readonly is: 'hidden'; readonly why: string }

export async function look<T>(at: () => Promise<T | null>): Promise<Seen<T>> {
  try {
    const value = await at()
    return value === null ? { is: 'missing' } : { is: 'there', value }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { is: 'hidden', why: error.message }
  }
}

/** What an acknowledgement of a publish says. */
const Ack = z.looseObject({
  seq: z.number().default(0),
  duplicate: z.boolean().default(false),
  count: z.number().default(1),
  error: ApiProblem.optional(),
})

export type Ack = z.infer<typeof Ack>

/** As the server writes nearly all of them; taken apart by hand, since there are so many. */
const plainAck = /^\{"stream":"[A-Za-z0-9_-]+", ?"seq":([0-9]{1,15})\}$/

export function ackIn({ bytes }: Message): Ack {
  const text = textIn(bytes)
  const plain = plainAck.exec(text)
  if (plain !== null) return { seq: Number(plain[1]), duplicate: false, count: 1 }
  return Ack.parse(jsonIn(bytes))
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(textIn(bytes))
  } catch (cause) {
    throw new Fault('log_unreachable', 'the answer of the server is not JSON', {
      cause,
    })
  }
}

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}
