// What a client binds under its own name: messages, and the withdrawal of an intent.
import { randomBytes } from 'node:crypto'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { writeEvent } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { addressOf, token } from '#core/kernel/names'
import { signData } from '#core/kernel/signature'
import { buildMessage, messageId, sessionId, type MessageFields } from '#core/messages/build'
import { writeLine } from '#core/kernel/ndjson'
import { doorField } from '#core/messages/sender'
import { signMessage } from '#core/messages/signed'
import type { SaidFact } from '#runtime/engine/binding'
import { currentTraceparent } from '#runtime/operations/tracing'
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
  /** How long it is tried while the log is out of reach or full. */
  readonly waitMs?: number
  /** The last part of its address, where the caller chooses it; else a new ULID. */
  readonly id?: string | undefined
}

export async function publish(
  log: IntentLog,
  speaker: Speaker,
  fields: Omit<MessageFields, 'sender'>,
  { session, waitMs, id }: Publishing = {},
): Promise<Published> {
  const { clock, ids } = log
  const sender = senderOf(speaker)
  const said = { ...through(speaker, await traced(fields)), sender }
  const now = clock.now()
  const ulid = id ?? ids.next(now)
  const address = addressOf(sender, session?.id ?? null, ulid)
  const mark = { now, id: `MSG-${ulid}` }
  // Where several processes speak for one sender, its messages bear no numbers.
  if (speaker.via !== undefined) {
    const message = buildMessage({ ...said, session_id: session?.id ?? null }, mark)
    return bindMessage(log, speaker, { address, message, waitMs })
  }
  if (session?.seq === null) {
    const last = await log.lastSeq(sender, session.id)
    session.seq ??= last
  }
  const message = session === undefined ? buildMessage(said, mark) : nextOf(session, said, now)
  return bindMessage(log, speaker, { address, message, waitMs })
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
  const { appended, name } = bound
  if (!appended) throw new Fault('name_taken', `\`${name}\` is bound already`)
  return { ...bound, address }
}

export async function withdraw(
  log: IntentLog,
  speaker: Speaker,
  address: string,
  note?: string,
): Promise<void> {
  const { clock } = log
  const agent = senderOf(speaker)
  if (token(agent) !== address.split('.')[0]) {
    throw new Fault('not_yours', `\`${address}\` is not an intent of \`${agent}\``)
  }
  const content = { intent: { address, agent, session: null }, ...(note !== undefined && { note }) }
  const { privateKey } = speaker
  const bytes = (name: string): Uint8Array => {
    const signature =
      privateKey === undefined
        ? undefined
        : signData({ log: log.id(), name }, jsonOf(content), privateKey)
    const data = jsonOf({ ...content, signature })
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `agent/${token(agent)}`, time, basis: log.basis(), ...doorOf(speaker) }
    return writeEvent('withdrawal', name, data, stamp)
  }
  await log.bind({ kind: 'withdrawal', tokens: [address], bytes })
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
async function traced<F extends Omit<MessageFields, 'sender'>>(fields: F): Promise<F> {
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
