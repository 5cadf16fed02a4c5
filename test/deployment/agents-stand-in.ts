// A log on a plain server with someone who answers in place of the stages, for programs that speak
// to NATS and to nothing of ours.
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { intakeName } from '#log/nats/intake'
import { intakeStream, logStream, streamNames } from '#log/nats/stream'
import { digestOf } from '#record/digest'
import { assert } from '#record/fault'

export interface StandIn {
  readonly connection: NatsConnection
  /** What was published, by name. */
  readonly messages: ReadonlyMap<string, Uint8Array>
  close(): Promise<void>
}

/** What comes of an intent: how it is answered, and whether a notice is sent. */
export interface Answering {
  readonly outcome: 'allow' | 'deny' | 'none'
  readonly reasons?: readonly Readonly<Record<string, unknown>>[]
  readonly notice: boolean
  /** Whether it is about the message that was published. */
  readonly digest?: string
  /** How often the same bytes come before they are answered; once if not said. */
  readonly after?: number
}

export async function standIn(url: string, realm: string, answer: Answering): Promise<StandIn> {
  const connection = await connect({ servers: url })
  const place = { realm, era: 1 }
  const stream = streamNames(place).log
  const intake = intakeName(realm, 0)
  for (const config of [
    logStream(place, { replicas: 1 }),
    intakeStream(realm, 0, { replicas: 1, intakes: 1 }),
  ]) {
    const subject = `$JS.API.STREAM.CREATE.${String(config['name'])}`
    const made = await connection.request(subject, JSON.stringify(config))
    assert(!made.string().includes('"error"'), made.string())
  }
  const messages = new Map<string, Uint8Array>()
  const { after = 1 } = answer
  const came = new Map<string, number>()
  connection.subscribe(`${realm}.in.*.vlp.*.*.*`, {
    callback: (error, { subject, data }) => {
      if (error !== null) return
      messages.set(subject, data)
      const same = `${subject} ${digestOf(data)}`
      came.set(same, (came.get(same) ?? 0) + 1)
      if ((came.get(same) ?? 0) < after) return
      const address = subject.split('.').slice(4).join('.')
      if (answer.outcome !== 'none') {
        const { outcome, reasons = [], digest = digestOf(data) } = answer
        const verdict = { id: address, data: { outcome, reasons, message: { digest } } }
        connection.publish(`${realm}.1.verdict.${address}`, JSON.stringify(verdict))
      }
      if (answer.notice) connection.publish(`${realm}.notice.${address}`)
    },
  })
  await connection.flush()
  const close = async (): Promise<void> => {
    // The server may be others' too, so nothing is left on it.
    for (const one of [stream, intake]) await connection.request(`$JS.API.STREAM.DELETE.${one}`)
    await connection.close()
  }
  return { connection, messages, close }
}
