// Messages of one agent by the library of NATS alone, and which of them the server acknowledges.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node'
import { intakeSubject } from '#log/nats/intake'
import type { Entry } from '#ports/log'
import type { Asked } from './load.ts'

const refused = '"error"'
/** The codes by which the server says that its store has no room. */
const isFullOf = /"err_code":\s*(?:10023|10047|10077)\b/
const answerMsMax = 5_000
const pauseMs = 20

/**
 * Writes them all at once but for the last. What the server drops gets no answer at all; answers
 * come in the order of what is taken in, so the last is written until it has one.
 */
export async function flooded(
  url: string,
  agent: string,
  entries: readonly Entry[],
): Promise<readonly Asked[]> {
  const connection = await connect({ servers: url.split(',') })
  const inbox = createInbox()
  const asked: Asked[] = []
  connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error !== null) throw error
      if (message.string().includes(refused)) return
      const line = Number(message.subject.split('.').at(-1))
      asked.push({ agent, line, isTakenIn: true, isAnswered: false })
    },
  })
  for (const [line, { name, bytes }] of entries.slice(0, -1).entries()) {
    connection.publish(subjectOf(name), bytes, { reply: `${inbox}.${line}` })
  }
  const last = entries.at(-1)
  if (last !== undefined) await answerTo(connection, last)
  await connection.close()
  return asked
}

/** Writes one after the other until the server refuses one, since its store is full. */
export async function filled(
  url: string,
  agent: string,
  entries: Iterable<Entry>,
): Promise<readonly Asked[]> {
  const connection = await connect({ servers: url.split(',') })
  const asked: Asked[] = []
  for (const entry of entries) {
    const answer = await answerTo(connection, entry)
    if (isFullOf.test(answer)) break
    asked.push({ agent, line: asked.length, isTakenIn: true, isAnswered: false })
    await sleep(pauseMs)
  }
  await connection.close()
  return asked
}

async function answerTo(connection: NatsConnection, { name, bytes }: Entry): Promise<string> {
  for (;;) {
    try {
      const options = { timeout: answerMsMax }
      return (await connection.request(subjectOf(name), bytes, options)).string()
    } catch {
      // It was dropped, or is answered late: a name is bound once, however often it is written.
    }
  }
}

function subjectOf(name: string): string {
  return intakeSubject(name) ?? name
}
