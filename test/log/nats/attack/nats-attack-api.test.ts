// What changes streams, makes and takes queues, ends jobs, or listens to others: asked by every
// role, in every way that the wall leaves, and refused by the server.
import { setTimeout as sleep } from 'node:timers/promises'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxOf } from '#log/nats-config/nkeys'
import { allRoles, powersOf } from '#record/roles'
import { natsBinary, until } from '../../../support/servers/nats-server.ts'
import {
  api,
  boundAs,
  boundSoonAs,
  complaintsTo,
  factCount,
  fresh,
  intake,
  log,
  makeStreams,
  mirror,
  mirrored,
  operator,
  published,
  readers,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'

const violation = 'Permissions Violation'

/** Rights that only an operator has, or no one. */
const forbidden = [
  ...[
    'CREATE',
    'UPDATE',
    'DELETE',
    'PURGE',
    'RESTORE',
    'SNAPSHOT',
    'MSG.DELETE',
    'LEADER.STEPDOWN',
  ].flatMap((what) => [log, mirror, intake].map((stream) => `STREAM.${what}.${stream}`)),
  'STREAM.CREATE.OTHER',
  'STREAM.LIST',
  'ACCOUNT.INFO',
  `CONSUMER.CREATE.${log}`,
  `CONSUMER.CREATE.${log}.policy`,
  `CONSUMER.CREATE.${log}.policy.main.1.vlp.>`,
  `CONSUMER.DURABLE.CREATE.${log}.policy`,
  `CONSUMER.DURABLE.CREATE.${mirror}.policy`,
  `CONSUMER.CREATE.${mirror}`,
  `CONSUMER.DELETE.${log}.policy`,
  `CONSUMER.PAUSE.${log}.policy`,
  `CONSUMER.RESET.${log}.policy`,
  `CONSUMER.UNPIN.${log}.policy`,
  `CONSUMER.LEADER.STEPDOWN.${log}.policy`,
  `CONSUMER.LIST.${log}`,
  `CONSUMER.NAMES.${mirror}`,
  `DIRECT.GET.${log}`,
  `DIRECT.GET.${intake}`,
  `DIRECT.GET.${intake}.${subjectOf('main.1.vlp.other.s.x')}`,
  `STREAM.MSG.GET.${intake}`,
  `CONSUMER.CREATE.${intake}`,
  `CONSUMER.CREATE.${intake}.log`,
  `CONSUMER.DURABLE.CREATE.${intake}.log`,
  `CONSUMER.LIST.${intake}`,
  ...['INFO', 'MSG.NEXT', 'DELETE', 'PAUSE', 'RESET', 'UNPIN', 'LEADER.STEPDOWN'].map(
    (what) => `CONSUMER.${what}.${intake}.log`,
  ),
]

/** What would harm if it came through all the same. */
const harmful = JSON.stringify({
  name: log,
  stream_name: log,
  subjects: ['main.1.vlp.*.*.*', 'main.in.*.vlp.*.*.*'],
  max_msgs: 1,
  discard: 'old',
  sources: [{ name: mirror }],
  mirror: { name: mirror },
  republish: { src: '>', dest: 'main.1.verdict.>' },
  allow_rollup_hdrs: true,
  allow_msg_ttl: true,
  seq: 1,
  config: { durable_name: 'policy', ack_policy: 'none', deliver_subject: 'main.notice.agent.s.x' },
})

describe.skipIf(natsBinary === null)('the wall', () => {
  let powers: Powers
  let admin: NatsConnection
  let agent: NatsConnection

  beforeAll(async () => {
    powers = await startPowers({ mirrorApart: false })
    admin = await powers.as(operator)
    await makeStreams(admin, 1, false)
    agent = await powers.as('agent')
    for (let count = 0; count < 5; count += 1) {
      const name = `main.1.vlp.agent.s.${fresh()}`
      await tried(agent, subjectOf(name))
      await boundSoonAs(admin, name)
    }
    await mirrored(admin, ['$JS.API'])
  })
  afterAll(() => powers.dispose())

  test.each(allRoles)(
    'lets %s change no stream and no queue, by any name of the API',
    async (role) => {
      const user = await powers.as(role)
      const before = await api(admin, `$JS.API.STREAM.INFO.${log}`)
      for (const prefix of ['LOG.API', '$JS.API', '$JS.LOG.API', '$JS.hub.API']) {
        for (const what of forbidden) {
          expect(await tried(user, `${prefix}.${what}`, harmful)).toContain(violation)
        }
      }
      const after = await api(admin, `$JS.API.STREAM.INFO.${log}`)
      expect(after).toMatchObject({ config: before['config'], state: before['state'] })
    },
  )

  test.each(allRoles)(
    'lets %s work no queue but its own, and read no more than it may',
    async (role) => {
      const user = await powers.as(role)
      const { queue, readsAll } = powersOf(role)
      for (const other of ['grounding', 'policy', 'confirmation', 'learning'].filter(
        (one) => one !== queue,
      )) {
        for (const what of ['INFO', 'MSG.NEXT']) {
          const asked = `LOG.API.CONSUMER.${what}.${log}.${other}`
          expect(await tried(user, asked, '')).toContain(violation)
        }
        await endsNoJob(user, log, other)
      }
      await endsNoJob(user, intake, 'log')
      for (const flow of [`$JS.FC.${intake}.log.x`, '_INTAKE.main.1.0', '_INTAKE.main.1.1']) {
        expect(await tried(user, flow, '')).toContain(violation)
      }
      if (readsAll) return
      const everything = [`STREAM.MSG.GET.${log}`, `STREAM.INFO.${log}`, 'STREAM.NAMES']
      const others = ['vlp.other.s.x', 'verdict.other.s.x', 'grounding.agent.s.x.1', 'catalog.1']
      const named = others.map((name) => `DIRECT.GET.${log}.main.1.${name}`)
      const reading = [`CONSUMER.CREATE.${mirror}.x`, `DIRECT.GET.${mirror}`, ...named]
      for (const what of [...everything, ...reading]) {
        expect(await tried(user, `LOG.API.${what}`, '{"seq":1}')).toContain(violation)
      }
    },
  )

  test('an agent that asks for one name gets no other by what it sends beside it', async () => {
    await tried(await powers.as('other'), subjectOf('main.1.vlp.other.s.held'), 'secret')
    await tried(agent, subjectOf('main.1.vlp.agent.s.held'), 'own')
    expect(await boundSoonAs(admin, 'main.1.vlp.other.s.held')).toBe('secret')
    expect(await boundSoonAs(admin, 'main.1.vlp.agent.s.held')).toBe('own')
    const asked = `LOG.API.DIRECT.GET.${log}.main.1.vlp.agent.s.held`
    for (const body of [
      { last_by_subj: 'main.1.vlp.other.s.held' },
      { multi_last: ['main.1.vlp.other.>'] },
      { seq: 1, batch: 100, next_by_subj: 'main.1.vlp.other.>' },
    ]) {
      expect(await tried(agent, asked, JSON.stringify(body))).not.toContain('secret')
    }
    const wild = `LOG.API.DIRECT.GET.${log}.main.1.vlp.agent.*.*`
    expect(await tried(agent, wild, '')).not.toContain('secret')
  })

  test.each(allRoles)('lets %s receive its own answers alone', async (role) => {
    const user = await powers.as(role)
    const complaints = complaintsTo(user)
    const other = inboxOf(powers.keyOf('other').publicKey)
    const ears = ['>', '*', `${other}.>`, '_INBOX.>', '_R_.>', '$JS.>', '$SYS.>', 'main.>']
    const taken = ['main.1.vlp.>', 'main.in.>', '_INTAKE.>', '_INTAKE.main.1.1', '$JS.FC.>']
    const more = [...taken, 'main.notice.>', 'main.notice.*.*.*', 'main.notice.other.s.x']
    for (const subject of [...ears, ...more]) user.subscribe(subject, { callback: () => undefined })
    await user.flush()
    await until(() => complaints.length >= ears.length + more.length)
    expect(
      complaints.every((said) => said.includes('Permissions Violation for Subscription')),
    ).toBe(true)
  })

  test('an agent gives no notice, and receives its own alone', async () => {
    for (const role of ['agent', 'tool', 'grounding', 'confirmer'] as const) {
      const said = await tried(await powers.as(role), 'main.notice.other.s.x', '')
      expect(said).toContain(violation)
    }
    const received: string[] = []
    const callback = (_: unknown, { subject }: { readonly subject: string }) =>
      void received.push(subject)
    agent.subscribe('main.notice.agent.*.*', { callback })
    await agent.flush()
    const policy = await powers.as('policy')
    await published(policy, 'main.notice.other.s.x')
    await published(policy, 'main.notice.agent.s.x')
    await until(() => received.length > 0)
    expect(received).toEqual(['main.notice.agent.s.x'])
  })

  test('within one account a guessed inbox can be written to, and not from another account', async () => {
    const guessed = (name: string) => `${inboxOf(powers.keyOf(name).publicKey)}.guessed`
    const received: string[] = []
    for (const name of ['other', 'policy', 'confirmer']) {
      const user = await powers.as(name)
      user.subscribe(guessed(name), { callback: () => void received.push(name) })
      await user.flush()
      const subject = subjectOf(`main.1.vlp.agent.s.${fresh()}`)
      await published(agent, subject, { reply: guessed(name) })
    }
    // Hence inboxes that no one can guess, and answers that are checked against the log.
    await until(() => received.length > 0)
    await tried(agent, subjectOf(`main.1.vlp.agent.s.${fresh()}`))
    expect(received).toEqual(['other'])
  })

  /** What the log is once nothing more comes. */
  async function settledInfo(): Promise<Record<string, unknown>> {
    let before: Record<string, unknown> = {}
    let after = await api(admin, `$JS.API.STREAM.INFO.${log}`)
    while (JSON.stringify(before['state']) !== JSON.stringify(after['state'])) {
      await sleep(200)
      before = after
      after = await api(admin, `$JS.API.STREAM.INFO.${log}`)
    }
    return after
  }

  test.each(readers)(
    '%s makes no follower that writes names, ends jobs or asks the API',
    async (role) => {
      const user = await powers.as(role)
      // What was asked before is answered.
      const before = await settledInfo()
      for (const target of [
        'main.1.verdict.agent.s.pushed',
        'main.1.graph.7',
        'main.2.verdict.agent.s.pushed',
        subjectOf('main.1.vlp.agent.s.pushed'),
        `$JS.API.STREAM.DELETE.${log}`,
        `$JS.API.STREAM.PURGE.${log}`,
        `$JS.API.CONSUMER.DELETE.${log}.policy`,
        `$JS.ACK.${log}.grounding.1.1.1.1795258544312068606.0`,
        `$JS.ACK.${intake}.log.1.1.1.1795258544312068606.0`,
      ]) {
        const name = await pushed(user, target)
        const info = await api(admin, `$JS.API.CONSUMER.INFO.${mirror}.${name}`)
        // No one listens at exactly that subject, so nothing is ever sent to it.
        expect(info).toMatchObject({ delivered: { consumer_seq: 0 } })
        expect(info).not.toHaveProperty('push_bound', true)
      }
      const after = await api(admin, `$JS.API.STREAM.INFO.${log}`)
      expect(after).toMatchObject({ config: before['config'], state: before['state'] })
      expect(await boundAs(admin, 'main.1.verdict.agent.s.pushed')).toBeNull()
    },
  )

  test('a follower can hold up a queue, for as long as a job may take: seen, and not refused', async () => {
    const auditor = await powers.as('auditor')
    const count = await factCount(admin)
    expect(await jobsOut()).toBe(0)
    await pushed(auditor, `$JS.API.CONSUMER.MSG.NEXT.${log}.grounding`)
    await until(async () => (await jobsOut()) > 0)
    expect(await factCount(admin)).toBe(count)
  })

  async function endsNoJob(user: NatsConnection, stream: string, queue: string): Promise<void> {
    const job = `$JS.ACK.${stream}.${queue}.1.1.1.1795258544312068606.0`
    for (const said of ['', '+TERM', '-NAK', '+NXT', '+WPI']) {
      expect(await tried(user, job, said)).toContain(violation)
    }
  }

  async function jobsOut(): Promise<number> {
    const info = await api(admin, `$JS.API.CONSUMER.INFO.${log}.grounding`)
    return Number(info['num_ack_pending'])
  }

  /** A follower whose deliveries, and whose heartbeats, go to that subject. */
  async function pushed(user: NatsConnection, target: string): Promise<string> {
    const name = fresh()
    const delivered = { deliver_subject: target, idle_heartbeat: 100_000_000 }
    const config = { name, ack_policy: 'explicit', deliver_policy: 'all', ...delivered }
    const request = { stream_name: mirror, config, action: 'create' }
    const made = await api(user, `LOG.API.CONSUMER.CREATE.${mirror}.${name}`, request)
    expect(made).not.toHaveProperty('error')
    return name
  }
})

test('an inbox is below the user’s own key', () => {
  expect(createInbox(inboxOf('UABC'))).toMatch(/^_INBOX_UABC\.\w{20,}/)
})
