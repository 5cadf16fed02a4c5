// Many messages of one agent written at once over one connection, by the library of NATS alone, and
// which of them the server acknowledges.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createInbox } from '@nats-io/transport-node'
import { intakeSubject } from '#adapters/nats/intake'
import type { Entry } from '#ports/log'
import type { Asked } from './load.ts'

/** What the server drops gets no answer at all. */
const quietMsMax = 10_000
const lookMs = 500

/** Resolves when no more answers come. */
export async function flooded(
  url: string,
  agent: string,
  entries: readonly Entry[],
): Promise<readonly Asked[]> {
  const connection = await connect({ servers: url.split(',') })
  const inbox = createInbox()
  const asked: Asked[] = []
  let answers = 0
  connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error !== null) throw error
      answers += 1
      if (message.string().includes('"error"')) return
      const line = Number(message.subject.split('.').at(-1))
      asked.push({ agent, line, isTakenIn: true, verdictMs: null })
    },
  })
  for (const [line, { name, bytes }] of entries.entries()) {
    connection.publish(intakeSubject(name) ?? name, bytes, { reply: `${inbox}.${line}` })
  }
  for (let [before, quietMs] = [-1, 0]; quietMs < quietMsMax; quietMs += lookMs) {
    if (answers > before) quietMs = 0
    before = answers
    await sleep(lookMs)
  }
  await connection.close()
  return asked
}
