// What an agent can put around a message of its own, and what it can call it: nothing of that may
// replace, remove, delay or bind anything of anyone else.
import { jetstream } from '@nats-io/jetstream'
import { createInbox, headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxOf } from '#log/nats-config/nkeys'
import { logStream } from '#log/nats/stream'
import { entryBytesMax } from '#ports/log'
import { natsBinary, until } from '../../../support/servers/nats-server.ts'
import {
  api,
  batch,
  boundAs,
  boundSoonAs,
  factCount,
  fresh,
  log,
  makeStreams,
  mirror,
  mirrored,
  operator,
  place,
  published,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'

const own = (id = fresh()) => `main.1.vlp.agent.s.${id}`
const verdict = (id = fresh()) => `main.1.verdict.agent.s.${id}`

const logBytesMax = Number(logStream(place, { replicas: 1 })['max_msg_size'])

/** Where facts come in: by whom, under which names, and the answer to a batch. */
const doors = [
  { at: 'the intake', by: 'agent', name: own, bytesMax: entryBytesMax, batched: 10174 },
  { at: 'the log', by: 'policy', name: verdict, bytesMax: logBytesMax, batched: 10176 },
] as const

describe.skipIf(natsBinary === null)('around a message', () => {
  let powers: Powers
  let admin: NatsConnection
  let agent: NatsConnection
  let policy: NatsConnection

  beforeAll(async () => {
    powers = await startPowers()
    admin = await powers.as(operator)
    await makeStreams(admin)
    agent = await powers.as('agent')
    policy = await powers.as('policy')
  })
  afterAll(() => powers.dispose())

  describe.each(doors)('at $at', ({ by, name, bytesMax, batched: refusal }) => {
    let speaker: NatsConnection
    beforeAll(async () => {
      speaker = await powers.as(by)
    })

    /** Says something after all that came before, and waits until the log has it. */
    async function saidMore(): Promise<void> {
      const more = name()
      expect(await tried(speaker, subjectOf(more))).toContain('"seq"')
      await boundSoonAs(admin, more)
    }

    test.each([
      ['a rollup of one name', { 'Nats-Rollup': 'sub' }, 10111],
      ['a rollup of all', { 'Nats-Rollup': 'all' }, 10111],
      ['a time to live', { 'Nats-TTL': '1s' }, 10166],
      [
        'a schedule that writes elsewhere',
        { 'Nats-Schedule': '@at 2030-01-01T00:00:00Z', 'Nats-Schedule-Target': verdict('later') },
        10188,
      ],
      ['a counter', { 'Nats-Incr': '+1' }, 10168],
      [
        'a source that it is not from',
        { 'Nats-Stream-Source': `x 1 > > ${verdict('src')}` },
        10227,
      ],
      ['another stream than it comes to', { 'Nats-Expected-Stream': 'OTHER' }, 10060],
      ['a last position that is not', { 'Nats-Expected-Last-Sequence': '99999' }, 10071],
      ['a last message that is not', { 'Nats-Expected-Last-Msg-Id': 'none' }, 10070],
      ['a place in a batch that is not open', batched('none', 5), refusal],
    ])('the server refuses %s', async (_, header, code) => {
      const [refused, before] = [name(), await factCount(admin)]
      const said = await tried(speaker, subjectOf(refused), 'x', header)
      expect(said).toContain(`"err_code":${code}`)
      await saidMore()
      expect(await factCount(admin)).toBe(before + 1)
      expect(await boundAs(admin, refused)).toBeNull()
    })

    test.each([
      ['a rollup', { 'Nats-Rollup': 'all' }],
      ['a time to live', { 'Nats-TTL': '1s' }],
      ['a counter', { 'Nats-Incr': '+1' }],
    ])('nor does %s get in by a batch', async (_, header) => {
      const before = await factCount(admin)
      const commit = { ...batched(fresh(), 1), 'Nats-Batch-Commit': '1', ...header }
      expect(await tried(speaker, subjectOf(name()), 'x', commit)).toContain('"error"')
      await saidMore()
      expect(await factCount(admin)).toBe(before + 1)
    })

    test.each([
      ['a schedule’s time to live', { 'Nats-Schedule-TTL': '1s' }],
      ['a mark of removal', { 'Nats-Marker-Reason': 'Purge' }],
      ['who asks', { 'Nats-Request-Info': '{"acc":"LOG","user":"operator"}' }],
      ['sums of a counter', { 'Nats-Counter-Sources': '{}' }],
    ])('%s is words and does nothing', async (_, header) => {
      const [taken, before] = [name(), await factCount(admin)]
      expect(await tried(speaker, subjectOf(taken), 'said', header)).toContain('"seq"')
      expect(await boundSoonAs(admin, taken)).toBe('said')
      expect(await factCount(admin)).toBe(before + 1)
    })

    test('a trace of a message goes nowhere that its sender may not publish', async () => {
      const target = 'main.1.graph.1'
      const before = await factCount(admin)
      for (const only of ['false', 'true']) {
        const header = { 'Nats-Trace-Dest': target, 'Nats-Trace-Only': only }
        await published(speaker, subjectOf(name()), { header })
      }
      await saidMore()
      expect(await boundAs(admin, target)).toBeNull()
      expect(await factCount(admin)).toBeLessThanOrEqual(before + 3)
    })

    test('a body over the limit binds nothing, and one over the server’s ends the connection', async () => {
      const refused = name()
      const big = 'x'.repeat(bytesMax + 1)
      expect(await tried(speaker, subjectOf(refused), big)).toContain('"err_code":10054')
      await saidMore()
      expect(await boundAs(admin, refused)).toBeNull()
      expect(speaker.info?.max_payload).toBeLessThan(2 * entryBytesMax)
    })
  })

  test('whether a name is bound a worker can probe, and that cannot be refused', async () => {
    const name = verdict()
    await tried(policy, name)
    const probe = {
      'Nats-Expected-Last-Subject-Sequence': '0',
      'Nats-Expected-Last-Subject-Sequence-Subject': name,
    }
    expect(await tried(policy, verdict(), 'x', probe)).toMatch(/wrong last sequence: \d+/)
    // What the log has bound an intake does not know.
    const taken = own()
    expect(await tried(agent, subjectOf(taken), 'x', probe)).toContain('"seq"')
    expect(await boundSoonAs(admin, taken)).toBe('x')
    expect(await boundAs(admin, name)).toBe('{}')
  })

  test('a message id of another’s makes no append of ours vanish', async () => {
    const [taken, name] = [own(), verdict()]
    expect(await tried(agent, subjectOf(taken), 'x', { 'Nats-Msg-Id': 'K' })).toContain('"seq"')
    await boundSoonAs(admin, taken)
    expect(await tried(policy, name, 'said')).not.toContain('duplicate')
    expect(await boundAs(admin, name)).toBe('said')
  })

  test('and who would set one is informed, and that nothing is stored', async () => {
    for (const [speaker, first, second] of [
      [agent, own(), own()],
      [policy, verdict(), verdict()],
    ] as const) {
      const header = { 'Nats-Msg-Id': fresh() }
      await tried(speaker, subjectOf(first), 'x', header)
      expect(await tried(speaker, subjectOf(second), 'x', header)).toContain('"duplicate": true')
      await boundSoonAs(admin, first)
      expect(await boundAs(admin, second)).toBeNull()
    }
  })

  test('batches that are opened and left push others back to single appends, no further', async () => {
    const grounding = await powers.as('grounding')
    const name = () => `main.1.grounding.agent.s.${fresh()}.1`
    const left = await Promise.all(
      Array.from({ length: 60 }, () => tried(grounding, name(), 'x', batched(fresh(), 1))),
    )
    expect(left.filter((said) => said.includes('"err_code":10210'))).toHaveLength(10)
    const names = [verdict(), verdict()]
    expect(await batch(policy, names)).toContain('"err_code":10176')
    for (const name of names) {
      expect(await boundAs(admin, name)).toBeNull()
      expect(await tried(policy, name, 'said')).toContain('"seq"')
    }
  })

  test('its own words for subject and position come first, and the server’s last', async () => {
    const name = own()
    const forged = { 'Nats-Subject': verdict('forged'), 'Nats-Sequence': '1' }
    expect(await tried(agent, subjectOf(name), 'x', forged)).toContain('"seq"')
    await boundSoonAs(admin, name)
    await mirrored(admin)
    const asked = { last_by_subj: name }
    const answer = await policy.request(`LOG.API.DIRECT.GET.${mirror}`, JSON.stringify(asked))
    expect(answer.headers?.get('Nats-Subject')).toBe(forged['Nats-Subject'])
    expect(answer.headers?.last('Nats-Subject')).toBe(name)
  })

  test('a message that looks like the server’s own word is delivered as a message', async () => {
    const heartbeat = headers(100, 'Idle Heartbeat')
    heartbeat.set('Nats-Last-Consumer', '1')
    const name = own()
    await agent.request(subjectOf(name), 'said', { headers: heartbeat, timeout: 5_000 })
    const worker = await powers.as('grounding')
    const queue = await jetstream(worker, { apiPrefix: 'LOG.API' }).consumers.get(log, 'grounding')
    const seen: string[] = []
    await until(async () => {
      const job = await queue.next({ expires: 1_000 })
      job?.ack()
      if (job?.subject === name) seen.push(job.string())
      return seen.length > 0
    })
    expect(seen).toEqual(['said'])
  })

  test('an empty message ends the question that brings it, and what came after is lost', async () => {
    const worker = await powers.as('gateway')
    for (const body of ['a', '', 'b']) await tried(policy, verdict(), body)
    await mirrored(admin)
    const last = await factCount(admin)
    const follower = fresh()
    const config = { name: follower, ack_policy: 'none', opt_start_seq: last - 2 }
    const made = { stream_name: mirror, config: { ...config, deliver_policy: 'by_start_sequence' } }
    await api(worker, `LOG.API.CONSUMER.CREATE.${mirror}.${follower}`, made)
    const inbox = createInbox(inboxOf(powers.keyOf('gateway').publicKey))
    const received: string[] = []
    worker.subscribe(inbox, { callback: (_, message) => void received.push(message.string()) })
    const next = `LOG.API.CONSUMER.MSG.NEXT.${mirror}.${follower}`
    await published(worker, next, { reply: inbox, body: JSON.stringify({ batch: 3 }) })
    const info = async () => api(worker, `LOG.API.CONSUMER.INFO.${mirror}.${follower}`)
    await until(async () => JSON.stringify(await info()).includes('"num_pending":0'))
    await worker.flush()
    expect(received).toEqual(['a', ''])
  })

  test('and anyone who asks for one at a time loses none to it', async () => {
    const worker = await powers.as('grounding')
    const sent = [own(), own(), own()]
    for (const name of sent) await tried(agent, subjectOf(name), name === sent[1] ? '' : 'job')
    const inbox = createInbox(inboxOf(powers.keyOf('grounding').publicKey))
    const received = new Set<string>()
    const ask = () => {
      const body = JSON.stringify({ batch: 1, expires: 5_000_000_000 })
      worker.publish(`LOG.API.CONSUMER.MSG.NEXT.${log}.grounding`, body, { reply: inbox })
    }
    const callback = (_: unknown, { subject, reply = '' }: Received) => {
      if (reply === '') return
      received.add(subject)
      worker.publish(reply)
      ask()
    }
    worker.subscribe(inbox, { callback })
    ask()
    await until(() => sent.every((name) => received.has(name)))
  })

  test.each([
    ['3000 characters', own('x'.repeat(3_000))],
    ['letters of elsewhere', own('é')],
    ['one wildcard', own('*')],
    ['the other wildcard', own('>')],
    ['a wildcard for a session', 'main.1.vlp.agent.*.x'],
  ])('a name of %s is junk, and takes no other name away', async (_, name) => {
    const held = own()
    await tried(agent, subjectOf(held), 'held')
    expect(await tried(agent, subjectOf(name), 'junk')).toContain('"seq"')
    expect(await tried(agent, subjectOf(held), 'again')).toContain('"err_code":10077')
    const free = own()
    expect(await tried(agent, subjectOf(free), 'free')).toContain('"seq"')
    expect(await boundSoonAs(admin, free)).toBe('free')
    expect(await boundAs(admin, held)).toBe('held')
    await factCount(admin)
  })

  test('and the log is the same after the server was killed', async () => {
    const before = await factCount(admin)
    await powers.server.kill()
    await powers.server.start()
    const back = await powers.as(operator)
    await until(async () => (await factCount(back)) === before)
    const again = await powers.as('agent')
    expect(await tried(again, subjectOf(own('*')))).toContain('"err_code":10077')
  })
})

interface Received {
  readonly subject: string
  readonly reply?: string
}

function batched(id: string, sequence: number): Readonly<Record<string, string>> {
  return { 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': `${sequence}` }
}
