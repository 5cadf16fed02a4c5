// A connection to NATS: the only place that knows the driver. It must never know what a fact is;
// every error of the driver leaves here as a fault, and no secret ever does.
import { jetstream } from '@nats-io/jetstream'
import {
  connect,
  credsAuthenticator,
  errors,
  headers as newHeaders,
  nkeyAuthenticator,
  nkeys,
  type Authenticator,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import { assert, Fault } from '#record/fault'
import { secretIn, type NatsAccess } from './access.ts'
import { deliveredAs } from './ack-subject.ts'
import { watchDials } from './dials.ts'
import { addressesIn, encryptionOf } from './encryption.ts'
import { unreached } from './greeting.ts'
import type { Message, Outgoing, PublishOptions, Stored } from './message.ts'

export interface LinkEvents {
  /** What was on the way is lost, or not: no one can know. */
  onLost(): void
  onBack(): void
  /** The server refuses this user that subject. */
  onRefused(subject: string): void
}

/** An ordered reading of a stream, which goes on through reconnects. */
export interface StreamReading {
  /** Resolves when nothing more comes, stopped or not. */
  readonly ended: Promise<unknown>
  stop(): void
}

/** How long one server may take, and how long others are tried the first time. */
const connectMsMax = 3_000
const firstMsMax = 7_000
const reconnectWaitMs = 250
const pingMs = 10_000
const pageMax = 1_000
const outgoingMax = 1_000
const signOfLifeMs = 500
/** How long the server may take to begin a reading. */
const beginMsMax = 2_000

export class NatsLink {
  /** Below this subject, and nowhere else, may this user listen for answers. */
  readonly inbox: string
  readonly api: string
  readonly #connection: NatsConnection
  readonly #listeners = new Set<LinkEvents>()
  readonly #headers = new SentHeaders()
  readonly #endDials: () => void
  #outgoing: Outgoing[] = []

  private constructor(
    connection: NatsConnection,
    endDials: () => void,
    inbox: string,
    api: string,
  ) {
    this.#connection = connection
    this.#endDials = endDials
    this.inbox = inbox
    this.api = api
    void this.#watch()
  }

  static async open(access: NatsAccess): Promise<NatsLink> {
    const { authenticator, user } = await authenticate(access)
    const prefix = user === null ? '_INBOX' : `_INBOX_${user}`
    const tls = await encryptionOf(access, Date.now())
    const giveUpAt = performance.now() + firstMsMax
    let hasBegun = false
    const options: NodeConnectionOptions = {
      servers: [...addressesIn(access)],
      inboxPrefix: prefix,
      noAsyncTraces: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectWaitMs,
      // Servers name each other, so that a first connection could be tried for ever.
      reconnectToServer() {
        if (!hasBegun && performance.now() > giveUpAt) throw new Error('no server took it in time')
        return null
      },
      pingInterval: pingMs,
      timeout: connectMsMax,
      name: access.name ?? 'warrant',
      ...(authenticator !== null && { authenticator }),
      ...(tls !== null && { tls }),
    }
    const endDials = watchDials(addressesIn(access))
    try {
      const connection = await connect(options)
      hasBegun = true
      const own = crypto.randomUUID().replaceAll('-', '')
      const api = access.api ?? (user === null ? '$JS.API' : 'LOG.API')
      return new NatsLink(connection, endDials, `${prefix}.${own}`, api)
    } catch (cause) {
      endDials()
      if (cause instanceof errors.AuthorizationError) throw refused(access, cause)
      throw await unreached(access, tls, cause)
    }
  }

  get closed(): boolean {
    return this.#connection.isClosed()
  }

  /** The server that it is connected to. */
  get server(): { readonly name: string; readonly version: string; readonly host: string } {
    const { info } = this.#connection
    const host = this.#connection.getServer()
    return { name: info?.server_name ?? '', version: info?.version ?? '', host }
  }

  /** The driver takes TLS wherever it is offered. */
  get isEncrypted(): boolean {
    const { info } = this.#connection
    return info?.tls_required === true || info?.tls_available === true
  }

  listen(events: LinkEvents): () => void {
    this.#listeners.add(events)
    return () => this.#listeners.delete(events)
  }

  /**
   * All that is published in one turn goes out together: what many workers say at the same moment
   * is otherwise a write to the socket each.
   */
  publish(subject: string, bytes: Uint8Array | string, options: PublishOptions = {}): void {
    if (this.closed) throw linkLost(null)
    this.#outgoing.push({ subject, bytes, options })
    if (this.#outgoing.length === 1) setImmediate(() => this.#send())
    else if (this.#outgoing.length >= outgoingMax) this.#send()
  }

  #send(): void {
    const outgoing = this.#outgoing
    this.#outgoing = []
    if (this.closed) return
    for (const { subject, bytes, options } of outgoing) {
      const { reply, header } = options
      const headers = header === undefined ? {} : { headers: this.#headers.of(header) }
      this.#connection.publish(
        subject,
        bytes,
        reply === undefined ? headers : { reply, ...headers },
      )
    }
  }

  /**
   * Receives what is sent to the subject until the returned function is called; of those with one
   * `queue` one receives it.
   */
  subscribe(subject: string, receive: (message: Message) => void, queue?: string): () => void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) receive(read(message))
    }
    const subscription = this.#connection.subscribe(subject, {
      callback,
      ...(queue !== undefined && { queue }),
    })
    return () => {
      if (!this.closed) subscription.unsubscribe()
    }
  }

  /** Resolves when the server has everything that was sent before. */
  async flush(): Promise<void> {
    this.#send()
    try {
      await this.#connection.flush()
    } catch (error) {
      throw linkLost(error)
    }
  }

  /** Reads a stream in order from that position on; only those subjects, if some are given. */
  async ordered(
    stream: string,
    from: number,
    filters: readonly string[],
    receive: (stored: Stored) => void,
  ): Promise<StreamReading> {
    const client = jetstream(this.#connection, { apiPrefix: this.api, timeout: beginMsMax })
    const [first] = filters
    try {
      const reader = await client.consumers.get(stream, {
        opt_start_seq: from,
        deliver_policy: 'by_start_sequence',
        // One alone is asked to the server in another way, which permissions can know apart.
        ...(first !== undefined && { filter_subjects: filters.length > 1 ? [...filters] : first }),
      })
      const messages = await reader.consume({
        max_messages: pageMax,
        // What the server loses, as when a leader changes, is asked again after two of these.
        idle_heartbeat: signOfLifeMs,
        callback: (delivered) => receive(storedIn(delivered)),
      })
      const ended = messages.closed()
      // Else the server keeps the follower for minutes, and a stream has room for so many.
      void ended.then(() => reader.delete()).catch(() => undefined)
      return { ended, stop: () => void messages.close() }
    } catch (cause) {
      const fix = 'does it exist, and may this user read it'
      const message = `the stream \`${stream}\` cannot be read: ${fix}`
      throw new Fault('log_unreachable', message, { cause })
    }
  }

  async close(): Promise<void> {
    this.#send()
    try {
      if (!this.closed) await this.#connection.close()
    } finally {
      this.#endDials()
    }
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      for (const listener of this.#listeners) {
        if (status.type === 'disconnect') listener.onLost()
        else if (status.type === 'reconnect') listener.onBack()
        else if (status.type === 'error') {
          const { error } = status
          if ('subject' in error && typeof error.subject === 'string')
            listener.onRefused(error.subject)
        }
      }
    }
  }
}

// What the server says in the place of an answer has no bytes, and of other messages nearly no one
// asks for a header: to read them costs more than all else about a message.
function read(message: Msg): Message {
  const { subject, reply = '', data: bytes } = message
  const headers = bytes.length === 0 ? message.headers : undefined
  return {
    subject,
    reply,
    bytes,
    // The server adds its own after what the publisher said; only the last can be believed.
    header: (key) => message.headers?.last(key) ?? '',
    status: headers?.code ?? 0,
    description: headers?.description ?? '',
  }
}

/** As the driver delivers what it read of a stream. */
interface Delivered {
  readonly subject: string
  readonly data: Uint8Array
  readonly reply?: string
}

function storedIn({ subject, data, reply = '' }: Delivered): Stored {
  const as = deliveredAs(reply)
  assert(as !== null, 'what is read of a stream says where it stands')
  return { name: subject, bytes: data, position: as.position, appendedAt: as.appendedAt }
}

/**
 * Headers as the driver sends them. It would keep a map of lists, try each value by patterns, and
 * put them together again for each message.
 */
class SentHeaders {
  readonly #headers = Object.assign(newHeaders(), { encode: () => this.#bytes })
  #bytes = new Uint8Array(0)

  /** Good for the next message alone. */
  of(header: Readonly<Record<string, string>>): ReturnType<typeof newHeaders> {
    let text = 'NATS/1.0'
    for (const key of Object.keys(header)) {
      const value = header[key] ?? ''
      assert(!lineBreak.test(value), 'a header is one line')
      text += `\r\n${key}: ${value}`
    }
    this.#bytes = Buffer.from(`${text}\r\n\r\n`, 'utf8')
    return this.#headers
  }
}

const lineBreak = /[\r\n]/

interface Credential {
  readonly authenticator: Authenticator | null
  /** The public key of the user, which also says where it may listen. */
  readonly user: string | null
}

async function authenticate({ nkeyFile, credsFile }: NatsAccess): Promise<Credential> {
  if (nkeyFile !== undefined && credsFile !== undefined) {
    throw new Fault('credentials_invalid', 'give an nkey file or a creds file, not both')
  }
  if (nkeyFile !== undefined) {
    const seed = await secretIn(nkeyFile)
    try {
      const user = nkeys.fromSeed(seed).getPublicKey()
      return { authenticator: nkeyAuthenticator(seed), user }
    } catch {
      // The driver's own error may quote what it could not read.
      const message = `\`${nkeyFile}\` holds no nkey seed: it begins with SU`
      throw new Fault('credentials_invalid', message)
    }
  }
  if (credsFile === undefined) return { authenticator: null, user: null }
  const creds = await secretIn(credsFile)
  return { authenticator: credsAuthenticator(creds), user: null }
}

function refused({ servers, nkeyFile, credsFile }: NatsAccess, cause: unknown): Fault {
  const file = nkeyFile ?? credsFile
  const message =
    file === undefined
      ? `\`${servers}\` takes no one without credentials: name yours in \`WARRANT_NATS_NKEY_FILE\``
      : `\`${servers}\` refuses the credentials \`${file}\`: are they of a user that ` +
        '`warrant nats-config` wrote into its configuration'
  return new Fault('not_permitted', message, { cause })
}

function linkLost(cause: unknown): Fault {
  return new Fault('log_unreachable', 'the connection to NATS is closed', { cause })
}
