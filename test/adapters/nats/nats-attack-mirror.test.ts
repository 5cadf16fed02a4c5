// The mirror in an account of its own: followers read as before, and none of them can have it ask
// for the jobs of a queue.
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOfMirror } from '#adapters/nats-admin/server-config-mirror'
import { natsBinary, until } from '../../support/servers/nats-server.ts'
import {
  api,
  fresh,
  log,
  makeStreams,
  mirror,
  operator,
  readers,
  startPowers,
  tried,
  type Powers,
} from '../../support/servers/nats-powers.ts'

describe.skipIf(natsBinary === null)('a mirror apart', () => {
  let powers: Powers
  let admin: NatsConnection
  const names = ['a', 'b', 'c'].map((id) => `main.1.vlp.agent.s.${id}`)
  // Were it taken for a question to a queue, or for a follower to make, it would be a good one.
  const body = JSON.stringify({ batch: 5, stream_name: log, config: { ack_policy: 'none' } })

  beforeAll(async () => {
    powers = await startPowers({ mirrorApart: true })
    admin = await powers.as(operator)
    await makeStreams(admin, 1, true)
    const agent = await powers.as('agent')
    for (const name of names) await tried(agent, name, body)
    await until(async () => {
      const info = await api(admin, `${apiOfMirror}.STREAM.INFO.${mirror}`)
      return JSON.stringify(info['state']).includes(`"messages":${names.length}`)
    })
  }, 30_000)
  afterAll(() => powers.dispose())

  test.each(readers)('is followed by %s as the other is, with the same positions', async (role) => {
    const user = await powers.as(role)
    const to = { apiPrefix: 'LOG.API' }
    const follower = await jetstream(user, to).consumers.get(mirror, { opt_start_seq: 2 })
    const seen: string[] = []
    for await (const { seq, subject } of await follower.consume({ max_messages: 10 })) {
      seen.push(`${seq} ${subject}`)
      if (seen.length === 2) break
    }
    expect(seen).toEqual([`2 ${names[1]}`, `3 ${names[2]}`])
    const last = { last_by_subj: names[0] }
    expect(await tried(user, `LOG.API.DIRECT.GET.${mirror}`, JSON.stringify(last))).toBe(body)
    const info = await api(user, `LOG.API.STREAM.INFO.${mirror}`)
    expect(info).toMatchObject({ state: { last_seq: names.length }, mirror: { lag: 0 } })
  })

  test.each([
    `$JS.API.CONSUMER.MSG.NEXT.${log}.grounding`,
    `LOG.API.CONSUMER.MSG.NEXT.${log}.grounding`,
    `LOG.API.CONSUMER.CREATE.${log}`,
    `$JS.API.STREAM.DELETE.${mirror}`,
    `$JS.API.STREAM.PURGE.${mirror}`,
    `$JS.FC.${log}.forged`,
    `MIRROR.${log}.forged`,
    'main.1.graph.7',
  ])('has no follower that delivers to %s', async (target) => {
    const auditor = await powers.as('auditor')
    const before = await whole()
    const name = fresh()
    const delivered = { deliver_subject: target, idle_heartbeat: 100_000_000 }
    const config = { name, ack_policy: 'explicit', deliver_policy: 'all', ...delivered }
    const request = { stream_name: mirror, config, action: 'create' }
    const made = await api(auditor, `LOG.API.CONSUMER.CREATE.${mirror}.${name}`, request)
    expect(made).not.toHaveProperty('error')
    const info = await api(admin, `${apiOfMirror}.CONSUMER.INFO.${mirror}.${name}`)
    expect(info).toMatchObject({ delivered: { consumer_seq: 0 }, num_pending: names.length })
    expect(info).not.toHaveProperty('push_bound', true)
    expect(await whole()).toEqual(before)
  })

  test('gives no one but the operator its account’s rights', async () => {
    for (const role of [...readers, 'agent'] as const) {
      const user = await powers.as(role)
      for (const prefix of [apiOfMirror, 'LOG.API', '$JS.API']) {
        const asked = `${prefix}.STREAM.DELETE.${mirror}`
        expect(await tried(user, asked, '')).toContain('Permissions Violation')
      }
    }
  })

  /** What no follower may change: the facts, and the jobs that are out. */
  async function whole(): Promise<unknown> {
    const { state } = await api(admin, `$JS.API.STREAM.INFO.${log}`)
    const queue = await api(admin, `$JS.API.CONSUMER.INFO.${log}.grounding`)
    return { state, out: queue['num_ack_pending'], waiting: queue['num_waiting'] }
  }
})
