// The server checks the subject of a publish and never its reply subject, and JetStream's own
// answers are published unchecked. In one account that binds any name; through the imports nothing.
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rightsOf, sitesOf } from '#log/nats-config/rights'
import { token } from '#record/names'
import { allRoles, type Role } from '#record/roles'
import { natsBinary, startNats, until } from '../../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import {
  api,
  boundAs,
  complaintsTo,
  factCount,
  boundSoonAs,
  fresh,
  intake,
  log,
  makeStreams,
  mirror,
  operator,
  place,
  published,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'

/** What an attacker would like to have bound, asked, ended or believed. */
const targets = [
  'main.1.verdict.agent.s.forged',
  'main.1.graph.1',
  'main.1.vlp.other.s.forged',
  subjectOf('main.1.vlp.other.s.forged'),
  'main.1.decision.agent.s.forged.confirmer',
  'main.1.fault.policy.1',
  '$JS.API.STREAM.DELETE.LOG-main-1',
  '$JS.API.STREAM.PURGE.LOG-main-1',
  '$JS.API.CONSUMER.DELETE.LOG-main-1.policy',
  'LOG.API.STREAM.DELETE.LOG-main-1',
  'LOG.API.CONSUMER.MSG.NEXT.LOG-main-1.policy',
  `$JS.API.STREAM.PURGE.${intake}`,
  `$JS.API.CONSUMER.RESET.${intake}.log`,
  '_INTAKE.main.1.1',
  '$JS.ACK.LOG-main-1.policy.1.1.1.1795258544312068606.0',
  `$JS.ACK.${intake}.log.1.1.1.1795258544312068606.0`,
  '_R_.forged',
  '$SYS.REQ.SERVER.PING',
]

/** The name under which the log takes what is published there. */
function nameAt(subject: string): string {
  return subject.replace(/^main\.in\.\w\./, 'main.1.')
}

/** A question that the right allows, with something to answer. */
function questionOf(known: string, own: string): { subject: string; body: string } {
  const subject = known.replace('DIRECT.GET.LOG-main-1.', 'DIRECT.GET.LOG-main-1/')
  const [asked = '', name] = subject.split('/')
  if (name !== undefined) return { subject: `${asked}.main.1.vlp.${own}.s.held`, body: '' }
  const literal = known.replaceAll('*', fresh).replace('>', fresh())
  const follower = literal.split('.').at(-1)
  const bodies: Readonly<Record<string, unknown>> = {
    'STREAM.MSG.GET': { seq: 1 },
    'DIRECT.GET': { seq: 1 },
    'CONSUMER.CREATE': { stream_name: mirror, config: { name: follower, ack_policy: 'none' } },
    'CONSUMER.MSG.NEXT': { batch: 1, no_wait: true },
  }
  const key = Object.keys(bodies).find((one) => literal.includes(one))
  return { subject: literal, body: key === undefined ? 'forged' : JSON.stringify(bodies[key]) }
}

describe.skipIf(natsBinary === null)('an answer sent to a name', () => {
  let powers: Powers
  let admin: NatsConnection

  beforeAll(async () => {
    powers = await startPowers()
    admin = await powers.as(operator)
    await makeStreams(admin)
    // Whatever is asked for, its bytes are what the attacker would like to see bound.
    for (const own of ['agent', 'tool', 'desk']) {
      const name = `main.1.vlp.${own}.s.held`
      await tried(await powers.as(own), subjectOf(name), '{"allow":true}')
      await boundSoonAs(admin, name)
    }
    // They are counted from the first case on, so all of them must be there.
    for (const kind of ['grounding', 'review']) {
      const name = `main.1.${kind}.agent.s.held.1`
      await published(admin, name, { body: 'job' })
      await boundSoonAs(admin, name)
    }
  })
  afterAll(() => powers.dispose())

  test.each(allRoles)('binds nothing, whatever %s asks', async (role: Role) => {
    const user = await powers.as(role)
    const own = token(role)
    for (const { known } of rightsOf(role, sitesOf(place), own)) {
      const isAppend = known.startsWith('main.')
      for (const reply of targets) {
        const { subject, body } = questionOf(known, own)
        // Its own append is bound of course, and nothing but that.
        const before = (await factCount(admin)) + (isAppend ? 1 : 0)
        await published(user, subject, { reply, body })
        // The same question asked honestly is answered after the other one was.
        const honest = questionOf(known, own).subject
        if (!/ACK|MSG\.NEXT/.test(known)) await tried(user, honest, body)
        if (honest.startsWith('main.in.')) await boundSoonAs(admin, nameAt(honest))
        expect(await factCount(admin)).toBeLessThanOrEqual(before + (isAppend ? 1 : 0))
      }
    }
    for (const name of targets.filter((one) => one.startsWith('main.'))) {
      expect(await boundAs(admin, nameAt(name))).toBeNull()
    }
    expect(await api(admin, `$JS.API.CONSUMER.INFO.${log}.policy`)).not.toHaveProperty('error')
    const held = await api(admin, `$JS.API.STREAM.INFO.${intake}`)
    expect(held).toMatchObject({ state: { first_seq: 1 } })
  })

  test.each([
    // The intake takes no batch, and the log that of a worker.
    ['agent', 'vlp', 0],
    ['policy', 'verdict', 2],
  ])('binds nothing through a batch of %s that is committed with it', async (role, kind, batch) => {
    const user = await powers.as(role)
    const id = fresh()
    const before = await factCount(admin)
    const first = { 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': '1' }
    const last = { 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': '2', 'Nats-Batch-Commit': '1' }
    const name = () => `main.1.${kind}.agent.s.${fresh()}`
    await published(user, subjectOf(name()), { reply: targets[0] ?? '', header: first })
    await published(user, subjectOf(name()), { reply: targets[0] ?? '', header: last })
    const honest = name()
    await tried(user, subjectOf(honest))
    await boundSoonAs(admin, honest)
    expect(await factCount(admin)).toBe(before + batch + 1)
    expect(await boundAs(admin, targets[0] ?? '')).toBeNull()
  })

  test('ends no job of another: the server takes no such reply subject', async () => {
    const agent = await powers.as('agent')
    const asked = `LOG.API.DIRECT.GET.${log}.main.1.vlp.agent.s.held`
    const complaints = complaintsTo(agent)
    await published(agent, asked, { reply: `$JS.ACK.${log}.grounding.1.1.1.1.0` })
    await until(() => complaints.length > 0)
    expect(complaints[0]).toMatch(/permissions violation for publish with reply/i)
  })

  test('and without the wall it binds the verdict', async () => {
    // The same permissions in one account that also has the log.
    const store = await temporaryFolder()
    const server = await startNats({
      config: `jetstream { store_dir: "${store}" }
      accounts { ALL { jetstream: enabled, users: [
        { user: op, password: op }
        { user: agent, password: agent, permissions: {
          publish: ["main.in.*.vlp.agent.*.*", "$JS.API.DIRECT.GET.${log}.main.1.*.agent.*.*"]
          subscribe: ["_INBOX_agent.>"]
        } }
      ] } }`,
    })
    const own = await connect({ port: server.port, user: 'op', pass: 'op' })
    const login = { user: 'agent', pass: 'agent', inboxPrefix: '_INBOX_agent' }
    const agent = await connect({ port: server.port, ...login })
    try {
      await makeStreams(own, 1, false)
      const asked = (name: string) => `$JS.API.DIRECT.GET.${log}.${name}`
      expect(await tried(agent, 'main.1.verdict.agent.s.b')).toContain('Violation')
      await tried(own, 'main.1.verdict.agent.s.a', '{"allow":true}')
      const verdict = asked('main.1.verdict.agent.s.a')
      await published(agent, verdict, { reply: 'main.1.verdict.agent.s.b' })
      expect(await boundSoonAs(own, 'main.1.verdict.agent.s.b')).toBe('{"allow":true}')
      // What was taken in names its source, and the server binds no such answer.
      const message = 'main.1.vlp.agent.s.held'
      await tried(agent, subjectOf(message), '{"allow":true}')
      await boundSoonAs(own, message)
      await published(agent, asked(message), { reply: 'main.1.verdict.agent.s.c' })
      await published(agent, subjectOf('main.1.vlp.agent.s.b'), { reply: 'main.1.graph.1' })
      expect(await boundSoonAs(own, 'main.1.graph.1')).toContain(`"stream":"${intake}"`)
      expect(await boundAs(own, 'main.1.verdict.agent.s.c')).toBeNull()
    } finally {
      await Promise.all([own.close(), agent.close()])
      await server.dispose()
    }
  })
})
