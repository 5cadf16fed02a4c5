// Agents by the library of NATS alone, in a process of their own: one that floods, or polite ones
// that ask on a schedule and do what the server says. A polite one prints what it saw, as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { z } from 'zod'
import { intakeSubject } from '#log/nats/intake'
import { assert } from '#record/fault'
import type { Entry } from '#ports/log'
import { messagesIn } from '../../test/support/intents.ts'
import { place } from '../../test/support/scene.ts'

/** What one agent publishes: how many, and at which rate; without one all in one write. */
const Flood = z.object({
  count: z.number(),
  perSecond: z.number().optional(),
  /** Whether each is one byte, and no message. */
  isJunk: z.boolean().optional(),
})
export type Flood = z.infer<typeof Flood>

const Order = z.object({
  url: z.string(),
  agent: z.string(),
  flood: Flood.optional(),
  polite: z.object({ count: z.number(), perSecond: z.number() }).optional(),
})
export type Order = z.infer<typeof Order>

/** When it was due, and when it was taken in. */
interface Asked {
  readonly address: string
  readonly scheduled: number
  readonly taken: number
}

const answerMsMax = 5_000
const pauseMs = 20

const [given = ''] = process.argv.slice(2)
await obey(Order.parse(JSON.parse(given)))

async function obey({ url, agent, flood, polite }: Order): Promise<void> {
  const connection = await connect({ servers: url })
  const junk = Buffer.from('x')
  if (flood !== undefined) {
    for await (const { name, bytes } of paced(agent, flood)) {
      connection.publish(subjectOf(name), flood.isJunk === true ? junk : bytes)
    }
    await connection.flush()
  }
  if (polite !== undefined) {
    const asked: Promise<Asked>[] = []
    for await (const entry of paced(agent, polite)) asked.push(ask(entry))
    process.stdout.write(JSON.stringify(await Promise.all(asked)))
  }
  await connection.close()

  async function ask({ name, bytes }: Entry): Promise<Asked> {
    const scheduled = Date.now()
    for (;;) {
      const answer = await connection
        .request(subjectOf(name), bytes, { timeout: answerMsMax })
        .then((message) => message.string())
        .catch(() => '"code":429')
      const address = name.split('.').slice(3).join('.')
      if (!/"code":\s*429/.test(answer)) return { address, scheduled, taken: Date.now() }
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}

/** As a timer of a few milliseconds allows: what is late by then is given at once. */
async function* paced(
  agent: string,
  { count, perSecond = Infinity }: Pick<Flood, 'count' | 'perSecond'>,
): AsyncGenerator<Entry> {
  const start = performance.now()
  let index = 0
  for (const entry of messagesIn(place, count, { agents: [agent] })) {
    while (performance.now() < start + (index * 1_000) / perSecond) await sleep(5)
    yield entry
    index += 1
  }
}

function subjectOf(name: string): string {
  const subject = intakeSubject(name)
  assert(subject !== null, 'agents publish to an intake')
  return subject
}
