// Every role can do its whole work through the imports: append alone and in batches, follow the
// mirror, work a queue, read a session, receive notices.
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxOf } from '#log/nats-config/nkeys'
import { logStream } from '#log/nats/stream'
import { queueOf } from '#record/names'
import { allRoles, powersOf } from '#record/roles'
import { natsBinary, until } from '../../support/servers/nats-server.ts'
import {
  api,
  batch,
  boundAs,
  boundSoonAs,
  fresh,
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
} from '../../support/servers/nats-powers.ts'

const prefix = { apiPrefix: 'LOG.API' }

describe.skipIf(natsBinary === null)('through the imports', () => {
  let powers: Powers
  let admin: NatsConnection
  const names = ['main.1.vlp.agent.s.a', 'main.1.vlp.agent.s.b', 'main.1.vlp.agent.s.c']

  beforeAll(async () => {
    powers = await startPowers()
    admin = await powers.as(operator)
    await makeStreams(admin)
    const agent = await powers.as('agent')
    for (const name of names) {
      await tried(agent, subjectOf(name), `bytes of ${name}`)
      await boundSoonAs(admin, name)
    }
    await mirrored(admin)
  })
  afterAll(() => powers.dispose())

  test.each(readers)('%s follows the mirror in order', async (role) => {
    const user = await powers.as(role)
    const follower = await jetstream(user, prefix).consumers.get(mirror, { opt_start_seq: 2 })
    const messages = await follower.consume({ max_messages: 10 })
    const seen: string[] = []
    for await (const { subject, seq } of messages) {
      seen.push(`${seq} ${subject}`)
      if (seen.length === 2) break
    }
    expect(seen).toEqual([`2 ${names[1]}`, `3 ${names[2]}`])
    expect(await follower.delete()).toBe(true)
  })

  test.each(readers)('%s asks the log what is bound, and which eras there are', async (role) => {
    const user = await powers.as(role)
    const found = await api(user, `LOG.API.STREAM.MSG.GET.${log}`, { last_by_subj: names[1] })
    expect(found).toMatchObject({ message: { seq: 2 } })
    for (const stream of [log, mirror]) {
      const info = await api(user, `LOG.API.STREAM.INFO.${stream}`)
      expect(info).toMatchObject({ state: { first_seq: 1 } })
    }
    const known = await api(user, 'LOG.API.STREAM.NAMES')
    expect(known).toMatchObject({ streams: ['INTAKE-main-0', log] })
  })

  test.each(readers)('%s reads a session at once', async (role) => {
    const user = await powers.as(role)
    const inbox = createInbox(inboxOf(powers.keyOf(role).publicKey))
    const seen: string[] = []
    const answers = user.subscribe(inbox, {
      callback: (_, { headers: header }) => {
        seen.push(header?.get('Nats-Subject') ?? '')
      },
    })
    const body = JSON.stringify({ multi_last: ['main.1.vlp.agent.s.*'] })
    await published(user, `LOG.API.DIRECT.GET.${mirror}`, { reply: inbox, body })
    await until(() => seen.length >= 4)
    answers.unsubscribe()
    // The last one says that this was all.
    expect(seen).toEqual([...names, ''])
  })

  const workers = allRoles.filter((role) => powersOf(role).queue !== null)
  test.each(workers)('%s takes a job of its queue and ends it', async (role) => {
    const user = await powers.as(role)
    const name = jobOf[role] ?? ''
    if (role !== 'grounding') await published(admin, name, { body: 'job' })
    const queue = await jetstream(user, prefix).consumers.get(log, role)
    const job = await queue.next({ expires: 5_000 })
    expect(job?.subject).toBe(name)
    expect(await job?.ackAck()).toBe(true)
    const info = await api(user, `LOG.API.CONSUMER.INFO.${log}.${role}`)
    expect(info).toMatchObject({ num_ack_pending: 0, delivered: { consumer_seq: 1 } })
  })

  test('a job that was given back is redelivered', async () => {
    const user = await powers.as('grounding')
    const queue = await jetstream(user, prefix).consumers.get(log, 'grounding')
    const first = await queue.next({ expires: 5_000 })
    first?.nak()
    const seen = new Set<string>()
    for (let jobs = 0; jobs < 2; jobs += 1) {
      const job = await queue.next({ expires: 5_000 })
      seen.add(`${job?.subject} ${job?.info.deliveryCount}`)
      await job?.ackAck()
    }
    expect([...seen].toSorted()).toEqual([`${names[1]} 2`, `${names[2]} 1`])
  })

  test('many answers of one worker bind at once, or none of them', async () => {
    const policy = await powers.as('policy')
    const some = ['x', 'y', 'z'].map((id) => `main.1.verdict.agent.${fresh()}.${id}`)
    expect(await batch(policy, some)).toContain('"count":3')
    expect(await boundAs(admin, some[2] ?? '')).toBe('said')
    const more = `main.1.verdict.agent.${fresh()}.x`
    expect(await batch(policy, [more, some[0] ?? ''])).toContain('"err_code":10077')
    expect(await boundAs(admin, more)).toBeNull()
  })

  test('an agent reads its own message and verdict, and learns that it is there', async () => {
    const agent = await powers.as('agent')
    const received = agent.subscribe('main.notice.agent.*.*', { max: 1 })
    await agent.flush()
    const policy = await powers.as('policy')
    await tried(policy, 'main.1.verdict.agent.s.a', 'allow')
    await published(policy, 'main.notice.agent.s.a')
    for await (const { subject } of received) expect(subject).toBe('main.notice.agent.s.a')
    const get = `LOG.API.DIRECT.GET.${log}`
    expect(await tried(agent, `${get}.main.1.verdict.agent.s.a`, '')).toBe('allow')
    expect(await tried(agent, `${get}.${names[0]}`, '')).toBe(`bytes of ${names[0]}`)
    expect(await tried(agent, `${get}.main.1.verdict.agent.s.none`, '')).toContain('404')
  })

  test('every era up to the newest can be read and worked', async () => {
    const later = await startPowers({ era: 2 })
    try {
      const own = await later.as(operator)
      const agent = await later.as('agent')
      const worker = await later.as('grounding')
      const sealed = { ...logStream({ realm: 'main', era: 1 }, { replicas: 1 }), sealed: true }
      for (const era of [1, 2]) {
        await makeStreams(own, era)
        const subject = subjectOf(`main.${era}.vlp.agent.s.${era}`)
        expect(await tried(agent, subject)).toContain(`"seq":${era}`)
        const name = queueOf('grounding', era)
        const queue = await jetstream(worker, prefix).consumers.get(`LOG-main-${era}`, name)
        expect(await (await queue.next({ expires: 20_000 }))?.ackAck()).toBe(true)
        // Of two eras one takes what comes: the operator has ended the first.
        if (era === 1) await api(own, '$JS.API.STREAM.UPDATE.LOG-main-1', sealed)
      }
      expect(await tried(worker, 'main.1.grounding.agent.s.a.1')).toContain('sealed')
      const asked = 'LOG.API.DIRECT.GET.LOG-main-1.main.1.vlp.agent.s.1'
      expect(await tried(agent, asked, '')).toBe('{}')
      expect(await tried(worker, 'main.3.grounding.agent.s.a.1')).toContain('Violation')
    } finally {
      await later.dispose()
    }
  })

  test('an operator looks after streams and queues', async () => {
    const manager = await jetstreamManager(admin)
    expect((await manager.consumers.list(log).next()).map(({ name }) => name)).toContain('policy')
  })
})

/** What the queues of `makeStreams` take. */
const jobOf: Readonly<Record<string, string>> = {
  grounding: 'main.1.vlp.agent.s.a',
  policy: 'main.1.grounding.agent.s.a.1',
  confirmation: 'main.1.review.agent.s.a.1',
  learning: 'main.1.hold.agent.s.a.1',
  verification: 'main.1.outcome.agent.s.a',
  projector: 'main.1.graph.1',
  sealer: 'main.1.verdict.agent.s.q',
}
