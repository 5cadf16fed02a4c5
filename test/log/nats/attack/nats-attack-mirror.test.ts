// The mirrors in accounts of their own: followers read as before, none of them can have a mirror
// ask for the jobs of a queue, and people cannot take the room that workers need.
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allMirrors, apiOfMirror } from '#log/nats-config/mirror'
import { natsBinary } from '../../../support/servers/nats-server.ts'
import {
  api,
  boundSoonAs,
  fresh,
  intake,
  log,
  makeStreams,
  mirror,
  mirrored,
  operator,
  readers,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'

/** As many as the server takes, and one more. */
const followersMax = 1_001

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
    for (const name of names) {
      await tried(agent, subjectOf(name), body)
      await boundSoonAs(admin, name)
    }
    await mirrored(admin)
  })
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
    // In the account of the log someone listens to these.
    '_INTAKE.main.1.1',
    `$JS.API.CONSUMER.RESET.${intake}.log`,
    `$JS.ACK.${intake}.log.1.1.1.1795258544312068606.0`,
    `$JS.FC.${intake}.log.forged`,
    subjectOf('main.1.vlp.agent.s.forged'),
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
    const info = await api(admin, `${apiOfMirror('people')}.CONSUMER.INFO.${mirror}.${name}`)
    expect(info).toMatchObject({ delivered: { consumer_seq: 0 }, num_pending: names.length })
    expect(info).not.toHaveProperty('push_bound', true)
    expect(await whole()).toEqual(before)
  })

  test('gives no one but the operator its account’s rights', async () => {
    for (const role of [...readers, 'agent'] as const) {
      const user = await powers.as(role)
      for (const prefix of [...allMirrors.map(apiOfMirror), 'LOG.API', '$JS.API']) {
        const asked = `${prefix}.STREAM.DELETE.${mirror}`
        expect(await tried(user, asked, '')).toContain('Permissions Violation')
      }
    }
  })

  test('is not used up for workers by people, and forgets followers that are gone', async () => {
    const [confirmer, policy] = [await powers.as('confirmer'), await powers.as('policy')]
    const follow = async (user: NatsConnection) => {
      const name = fresh()
      const config = { durable_name: name, ack_policy: 'none', deliver_policy: 'all' }
      const request = { stream_name: mirror, config, action: 'create' }
      return api(user, `LOG.API.CONSUMER.CREATE.${mirror}.${name}`, request)
    }
    const kept = await follow(confirmer)
    expect(kept).toMatchObject({ config: { inactive_threshold: 300_000_000_000 } })
    let taken = kept
    for (let count = 0; count < followersMax && taken['error'] === undefined; count += 1)
      taken = await follow(confirmer)
    expect(taken).toMatchObject({ error: { description: 'maximum consumers limit reached' } })
    expect(await follow(policy)).not.toHaveProperty('error')
  })

  /** What no follower may change: the facts, the jobs that are out, and what the log takes in. */
  async function whole(): Promise<unknown> {
    const { state } = await api(admin, `$JS.API.STREAM.INFO.${log}`)
    const queue = await api(admin, `$JS.API.CONSUMER.INFO.${log}.grounding`)
    const taking = await api(admin, `$JS.API.CONSUMER.INFO.${intake}.log`)
    const { num_ack_pending: out, num_waiting: waiting } = queue
    return { state, out, waiting, created: taking['created'], delivered: taking['delivered'] }
  }
})
