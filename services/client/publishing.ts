// What a client binds under its own name: messages, and the withdrawal of an intent.
import { randomBytes } from 'node:crypto'
import { canonical, jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { addressOf, token } from '#record/names'
import { signData } from '#record/crypto/private-key'
import { messageOfFact } from '#messages/check'
import { buildMessage, messageId, sessionId, type MessageFields } from '#messages/build'
import { writeLine } from '#record/ndjson'
import { doorField } from '#messages/sender'
import { signMessage } from '#messages/signed-message'
import type { SaidFact } from '#runtime/engine/binding'
import { currentTraceparent, makesSpans } from '#health/tracing'
import { Intent } from '#schemas/intent'
import type { VlpMessage } from '#schemas/vlp'
import { about } from './intent-fault.ts'
import type { Bound, IntentLog } from './intent-log.ts'

/** Who publishes; with a private key, each message is signed. */
export interface Speaker {
  readonly as?: string
  /** PEM of an Ed25519 private key. */
  readonly privateKey?: string
  /** The door that speaks for it, which every fact then states: the catalog must assign it. */
  readonly via?: string
}

/** A session as this client counts in it; null until it has seen what it said there before. */
export interface SessionHandle {
  readonly id: string
  seq: number | null
}

/** A message that is in the log, under its name. */
export interface Published extends Bound {
  readonly address: string
}

export interface Publishing {
  readonly session?: SessionHandle | undefined
  /**
   * What the sender itself calls the message, which is then the last part of its address: published
   * again under it, it is there once. Without it that part is a new ULID.
   */
  readonly key?: string | undefined
  /** Called before it is published, and not where it was before. What it throws is thrown. */
  readonly check?: () => Promise<void>
  /** How long it is tried while the log is out of reach or full. */
  readonly waitMs?: number
}

export async function publish(
  log: IntentLog,
  speaker: Speaker,
  fields: Omit<MessageFields, 'sender'>,
  { session, key, check, waitMs }: Publishing = {},
): Promise<Published> {
  const keyed = key === undefined ? null : { session, key }
  const before = keyed && (await publishedBefore(log, speaker, fields, keyed))
  if (before !== null) return before
  await check?.()
  const { clock } = log
  const sender = senderOf(speaker)
  const said = { ...through(speaker, await traced(fields)), sender }
  const now = clock.now()
  const id = key ?? log.nextId()
  const address = addressOf(sender, session?.id ?? null, id)
  const mark = { now, id: `MSG-${id}` }
  const message = await messageIn(log, session, {
    said,
    mark,
    isNumbered: speaker.via === undefined,
  })
  const bound = await bindMessage(log, speaker, { address, message, waitMs })
  if (bound.appended) return bound
  // Another process of this sender has published it meanwhile.
  const meanwhile = keyed && (await publishedBefore(log, speaker, fields, keyed))
  if (meanwhile === null) throw new Fault('name_taken', `\`${bound.name}\` is bound already`)
  return meanwhile
}

interface Saying {
  readonly said: MessageFields
  readonly mark: { readonly now: number; readonly id: string }
  /** Where several processes speak for one sender, its messages bear no numbers. */
  readonly isNumbered: boolean
}

async function messageIn(
  log: IntentLog,
  session: SessionHandle | undefined,
  { said, mark, isNumbered }: Saying,
): Promise<VlpMessage> {
  if (session === undefined) return buildMessage(said, mark)
  if (!isNumbered) return buildMessage({ ...said, session_id: session.id }, mark)
  if (session.seq === null) {
    const last = await log.lastSeq(said.sender, session.id)
    session.seq ??= last
  }
  return nextOf(session, said, mark.now)
}

interface Keyed {
  readonly session: SessionHandle | undefined
  readonly key: string
}

/**
 * The message that this sender has published under the key; null where there is none. Throws a
 * Fault `request_differs` where it says something else.
 */
async function publishedBefore(
  log: IntentLog,
  speaker: Speaker,
  fields: Omit<MessageFields, 'sender'>,
  { session, key }: Keyed,
): Promise<Published | null> {
  const address = addressOf(senderOf(speaker), session?.id ?? null, key)
  const fact = await about(address, () => log.opening(address))
  if (fact === undefined) return null
  const message = messageOfFact(fact)
  if (message === null || canonical(saidIn(message)) !== canonical(saidIn(fields))) {
    throw new Fault('request_differs', `\`${address}\` says something else: take another key`)
  }
  return { appended: false, name: fact.name, position: fact.position, address }
}

/** What of a message must be the same where it is published again: of a request, what would run. */
function saidIn({ type, content, payload }: Partial<Omit<MessageFields, 'sender'>>): Json {
  const intent = Intent.safeParse(payload?.['intent'])
  if (intent.success) {
    const { tool, args, subject, search, evaluations } = intent.data
    // A search of who may has no subject, and two pages of one differ in the search alone.
    return jsonOf({ tool, args, subject, search, evaluations })
  }
  return jsonOf({ type, content, payload: payload ?? {} })
}

/** Binds a whole message at its address, signed where the speaker has a key. */
async function bindMessage(
  log: IntentLog,
  { privateKey }: Speaker,
  {
    address,
    message,
    waitMs,
  }: {
    readonly address: string
    readonly message: VlpMessage
    readonly waitMs: number | undefined
  },
): Promise<Published> {
  const bytes = (name: string): Uint8Array => {
    const signed =
      privateKey === undefined ? message : signMessage({ log: log.id(), name }, message, privateKey)
    return Buffer.from(writeLine(signed).trimEnd(), 'utf8')
  }
  const bound = await about(address, () =>
    log.bind({ kind: 'vlp', tokens: [address], bytes }, waitMs),
  )
  return { ...bound, address }
}

export async function withdraw(
  log: IntentLog,
  speaker: Speaker,
  address: string,
  note?: string,
): Promise<void> {
  const agent = senderOf(speaker)
  if (token(agent) !== address.split('.')[0]) {
    throw new Fault('not_yours', `\`${address}\` is not an intent of \`${agent}\``)
  }
  const content = { intent: { address, agent, session: null }, ...(note !== undefined && { note }) }
  await log.bind({ tokens: [address], ...ownFact(log, speaker, { kind: 'withdrawal', content }) })
}

/** What a speaker binds that is no message: signed where it has a key. */
export function ownFact<K extends 'routing' | 'withdrawal'>(
  log: IntentLog,
  speaker: Speaker,
  { kind, content }: { readonly kind: K; readonly content: object },
): { readonly kind: K; readonly bytes: (name: string) => Uint8Array } {
  const { privateKey } = speaker
  const bytes = (name: string): Uint8Array => {
    const signature =
      privateKey === undefined
        ? undefined
        : signData({ log: log.id(), name }, jsonOf(content), privateKey)
    const time = new Date(log.clock.now()).toISOString()
    const source = `agent/${token(senderOf(speaker))}`
    const stamp = { source, time, basis: log.basis(), ...doorOf(speaker) }
    return writeEvent(kind, name, jsonOf({ ...content, signature }), stamp)
  }
  return { kind, bytes }
}

/** What an agent itself says of a warrant that it was given. */
export function ownWord(
  { clock, basis }: Pick<IntentLog, 'clock' | 'basis'>,
  kind: 'ownstart' | 'ownoutcome',
  address: string,
  { data, ...stamp }: OwnWord,
): SaidFact {
  const [agent = '', session = ''] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const content = jsonOf({ ...data, intent })
  const bytes = (name: string): Uint8Array => {
    const time = new Date(clock.now()).toISOString()
    return writeEvent(kind, name, content, { ...stamp, time, basis: basis() })
  }
  return { kind, tokens: [address], bytes }
}

interface OwnWord {
  readonly data: { readonly [key: string]: Json }
  readonly source: string
  readonly via?: string
}

/** Of the stamp of an event: through which door it came, where it came through one. */
export function doorOf({ via }: Speaker): { readonly via?: string } {
  return via === undefined ? {} : { via }
}

function through<F extends Omit<MessageFields, 'sender'>>({ via }: Speaker, fields: F): F {
  return via === undefined
    ? fields
    : { ...fields, _extras: { ...fields._extras, [doorField]: via } }
}

/** A session of that id, which is counted on in, or a new one, which begins with number 1. */
export function sessionOf(
  { clock }: Pick<IntentLog, 'clock'>,
  speaker: Speaker,
  id?: string,
): SessionHandle {
  if (id !== undefined) return { id, seq: null }
  const suffix = randomBytes(3).toString('hex')
  const date = new Date(clock.now()).toISOString().slice(0, 10)
  return { id: sessionId({ date, agent: senderOf(speaker), suffix }), seq: 0 }
}

/** With the traceparent of the span that is active here, unless the message brings its own. */
function traced<F extends Omit<MessageFields, 'sender'>>(fields: F): F | Promise<F> {
  return makesSpans() ? tracedHere(fields) : fields
}

async function tracedHere<F extends Omit<MessageFields, 'sender'>>(fields: F): Promise<F> {
  const traceparent = await currentTraceparent()
  return traceparent === null ? fields : { ...fields, _extras: { traceparent, ...fields._extras } }
}

export function senderOf({ as }: Speaker): string {
  if (as !== undefined) return as
  throw new Fault('no_sender', 'say who speaks: connect({ as: `<principal>` })')
}

// The number is taken as soon as the message is made, so that two at once do not share it.
function nextOf(session: SessionHandle, fields: MessageFields, now: number) {
  const seq = (session.seq ?? 0) + 1
  const id = messageId('MSG', session.id, seq)
  const message = buildMessage({ ...fields, session_id: session.id, seq }, { now, id })
  session.seq = seq
  return message
}
