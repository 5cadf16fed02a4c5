// Counts what the log holds by the library of NATS alone: it reads the streams of all eras itself,
// and knows no fold, no stage and nothing that our runtime has noted.
import { jetstream, jetstreamManager, JetStreamApiError } from '@nats-io/jetstream'
import type { JsMsg, StreamInfo } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { z } from 'zod'
import type { Asked } from './load.ts'

export interface Counts {
  readonly acknowledged: number
  /** Acknowledged, and not in the log. */
  readonly lost: number
  /** In the log a second time, perhaps in another era. */
  readonly doubled: number
  readonly twoVerdicts: number
  /** In the log, and without a verdict. */
  readonly noVerdict: number
  /** Jobs that were set aside. */
  readonly faults: number
}

const Message = z.object({
  payload: z.object({ intent: z.object({ args: z.object({ line: z.number() }) }) }),
})
const streamNotFound = 10_059
const pageMax = 1_000

export class Tally {
  readonly #connection: NatsConnection
  readonly #realm: string
  /** By the stream, the position up to which it has been read. */
  readonly #readTo = new Map<string, number>()
  /** By agent and line, where the message is. */
  readonly #messages = new Map<string, string>()
  readonly #verdicts = new Map<string, number>()
  #doubled = 0
  #faults = 0

  private constructor(connection: NatsConnection, realm: string) {
    this.#connection = connection
    this.#realm = realm
  }

  static async open(url: string, realm: string): Promise<Tally> {
    return new Tally(await connect({ servers: url.split(',') }), realm)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  /** Reads what has come since, in every era there is. */
  async read(): Promise<void> {
    for (let era = 1; ; era += 1) {
      const stream = `LOG-${this.#realm}-${era}`
      const info = await this.#info(stream)
      if (info === null) return
      const { first_seq: first, last_seq: last, messages } = info.state
      const from = (this.#readTo.get(stream) ?? first - 1) + 1
      if (messages === 0 || from > last) continue
      await this.#readStream(stream, from, last)
    }
  }

  counts(asked: readonly Asked[], isCounted: (agent: string) => boolean): Counts {
    const takenIn = asked.filter(({ isTakenIn }) => isTakenIn)
    const lost = takenIn.filter(({ agent, line }) => !this.#messages.has(`${agent} ${line}`))
    const addresses = [...this.#messages].flatMap(([key, address]) =>
      isCounted(key.split(' ')[0] ?? '') ? [address] : [],
    )
    return {
      acknowledged: takenIn.length,
      lost: lost.length,
      doubled: this.#doubled,
      twoVerdicts: [...this.#verdicts.values()].filter((count) => count > 1).length,
      noVerdict: addresses.filter((address) => !this.#verdicts.has(address)).length,
      faults: this.#faults,
    }
  }

  async #info(stream: string): Promise<StreamInfo | null> {
    try {
      return await (await jetstreamManager(this.#connection)).streams.info(stream)
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === streamNotFound) return null
      throw error
    }
  }

  async #readStream(stream: string, from: number, last: number): Promise<void> {
    const options = { deliver_policy: 'by_start_sequence', opt_start_seq: from } as const
    const reader = await jetstream(this.#connection).consumers.get(stream, options)
    const messages = await reader.consume({ max_messages: pageMax })
    for await (const message of messages) {
      // A reader that was held up begins again, and is given some of it twice.
      if (message.seq > (this.#readTo.get(stream) ?? 0)) this.#count(message)
      this.#readTo.set(stream, Math.max(message.seq, this.#readTo.get(stream) ?? 0))
      if (message.seq >= last) break
    }
    await reader.delete()
  }

  #count(message: JsMsg): void {
    const [, , kind, ...tokens] = message.subject.split('.')
    const address = tokens.join('.')
    if (kind === 'fault') this.#faults += 1
    if (kind === 'verdict') this.#verdicts.set(address, (this.#verdicts.get(address) ?? 0) + 1)
    if (kind !== 'vlp') return
    const { line } = Message.parse(JSON.parse(message.string())).payload.intent.args
    const key = `${tokens[0] ?? ''} ${line}`
    if (this.#messages.has(key)) this.#doubled += 1
    else this.#messages.set(key, address)
  }
}
