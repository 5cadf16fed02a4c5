// A server that takes no more at the moment, played by a responder where no stream is: what it said
// no to is sent again, and never taken for a decision.
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JetStreamAppends } from '#log/jetstream/appends'
import { OwnLog } from '#log/jetstream/own-log'
import { shardOf } from '#log/nats/intake'
import { NatsLink } from '#log/nats/link'
import { apiFault } from '#log/nats/problems'
import { Requests } from '#log/nats/requests'
import { shareNats, hasNats, type SharedNats } from '../../support/servers/nats-server.ts'

const tooMany = { code: 429, err_code: 10_167, description: 'too many requests' }
const storeFull = { code: 503, err_code: 10_023, description: 'insufficient resources' }
const diskFull = { code: 503, err_code: 10_077, description: 'no space left on device' }
const nameTaken = {
  code: 503,
  err_code: 10_077,
  description: 'maximum messages per subject exceeded',
}
const badRequest = { code: 400, err_code: 10_003, description: 'bad request' }

test.each([
  ['too many requests', tooMany, 'log_overloaded', 'soon'],
  ['a request that waited too long', { ...tooMany, code: 408 }, 'log_overloaded', 'soon'],
  ['a full store', storeFull, 'log_overloaded', 'soon'],
  ['a full disk', diskFull, 'log_overloaded', 'soon'],
  ['a code that no one knows', { ...badRequest, err_code: 19_999 }, 'log_refused', 'soon'],
  ['a bad request', badRequest, 'log_refused', 'never'],
])('%s', (_, problem, code, retry) => {
  expect(apiFault('a.b', problem)).toMatchObject({ code, retry })
})

describe.skipIf(!hasNats)('a server that takes no more', () => {
  let server: SharedNats
  let stand: NatsConnection
  const opened: Requests[] = []

  beforeAll(async () => {
    server = await shareNats()
    stand = await connect({ servers: server.url })
  })
  afterAll(async () => {
    for (const requests of opened) await requests.link.close()
    await stand.close()
    await server.dispose()
  })

  /** Answers appends below that prefix with each of the problems in turn, and then takes them. */
  async function refusing(prefix: string, problems: readonly unknown[]): Promise<string[]> {
    const seen: string[] = []
    stand.subscribe(`${server.realm}.${prefix}.>`, {
      callback: (error, message) => {
        if (error !== null || message.reply === undefined) return
        if (message.reply === '') return
        const problem = problems[seen.length]
        seen.push(message.subject)
        const taken = { stream: 'S', seq: seen.length, count: 1 }
        message.respond(JSON.stringify(problem === undefined ? taken : { error: problem }))
      },
    })
    await stand.flush()
    return seen
  }

  async function link(): Promise<Requests> {
    const requests = new Requests(await NatsLink.open({ servers: server.url }))
    opened.push(requests)
    return requests
  }

  const message = (agent: string) => ({
    name: `${server.realm}.1.vlp.${agent}.-.1`,
    bytes: Buffer.from('{}'),
  })

  const entry = (prefix: string, id: number) => ({
    name: `${server.realm}.${prefix}.${id}`,
    bytes: Buffer.from('{}'),
  })

  test('has an agent’s append sent again after a pause', async () => {
    const seen = await refusing(`in.${shardOf('a')}.vlp.a`, [tooMany, storeFull])
    const log = new OwnLog((await link()).link, server.realm)
    await log.publish(message('a'))
    expect(seen).toHaveLength(3)
    expect(new Set(seen)).toEqual(new Set([`${server.realm}.in.${shardOf('a')}.vlp.a.-.1`]))
  })

  test('fails an agent’s append once the caller’s time is up, and says why', async () => {
    const full = Array.from({ length: 50 }, () => tooMany)
    const seen = await refusing(`in.${shardOf('b')}.vlp.b`, full)
    const log = new OwnLog((await link()).link, server.realm)
    const failed = log.publish(message('b'), 400)
    await expect(failed).rejects.toMatchObject({ code: 'log_overloaded', retry: 'soon' })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.length).toBeLessThan(9)
  })

  test('does not get the facts of a refused batch one by one', async () => {
    const seen = await refusing(
      '3',
      Array.from({ length: 999 }, () => tooMany),
    )
    const appends = new JetStreamAppends(await link())
    const pushed = Array.from({ length: 300 }, (_, id) => appends.push(entry('3', id)))
    const outcomes = await Promise.allSettled(pushed)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    // The commit of the batch is all that asks for an answer.
    expect(seen).toHaveLength(1)
  })

  test('and says that a name is bound is believed', async () => {
    await refusing('4', [nameTaken])
    expect(await new JetStreamAppends(await link()).push(entry('4', 1))).toBeNull()
  })
})
