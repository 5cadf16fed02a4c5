// A server with the configuration of two cells: it holds an agent to its own, and lets those bind
// and read what the cells share who may.
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { intakeSubject } from '#log/nats/intake'
import { mirrorStream } from '#log/nats/stream'
import { apiOfMirror } from '#log/nats-config/mirror'
import {
  api,
  fresh,
  operator,
  startPowers,
  tried,
  type Powers,
} from '../../../support/servers/nats-powers.ts'
import { canStartNats, until } from '../../../support/servers/nats-server.ts'

describe.skipIf(!canStartNats)('a server of two cells', () => {
  let powers: Powers
  let admin: NatsConnection
  let agent: NatsConnection

  beforeAll(async () => {
    powers = await startPowers({ cells: 2 })
    admin = await powers.as(operator)
    const streams = [
      ['LOG-main-1', 'main.1.>'],
      ...['main-c0', 'main-c1'].flatMap((cell) => [
        [`LOG-${cell}-1`, `${cell}.1.>`],
        [`INTAKE-${cell}-0`, `${cell}.in.>`],
      ]),
    ]
    for (const [name = '', subject] of streams) {
      const config = { name, subjects: [subject], allow_direct: true }
      const made = await api(admin, `$JS.API.STREAM.CREATE.${name}`, config)
      expect(made).not.toHaveProperty('error')
    }
    agent = await powers.as('agent')
  })
  afterAll(() => powers.dispose())

  const said = (cell: number, speaker: string) =>
    intakeSubject(`main-c${cell}.1.vlp.${speaker}.s.${fresh()}`) ?? ''

  test('takes from an agent what it says in its own cell, and nothing elsewhere', async () => {
    expect(await tried(agent, said(1, 'agent'))).toContain('"stream":"INTAKE-main-c1-0"')
    for (const subject of [
      said(0, 'agent'),
      said(1, 'other'),
      'main.1.catalog.1',
      'main.1.vlp.agent.s.a',
    ])
      expect([subject, await tried(agent, subject)]).toEqual([
        subject,
        expect.stringContaining('Violation'),
      ])
    const other = await powers.as('other')
    expect(await tried(other, said(0, 'other'))).toContain('"stream":"INTAKE-main-c0-0"')
    expect(await tried(other, said(1, 'other'))).toContain('Violation')
  })

  test('gives an agent its facts of its own cell, and those of no other', async () => {
    const verdict = (cell: number) => `main-c${cell}.1.verdict.agent.s.${cell}`
    const got = (cell: number) =>
      tried(agent, `LOG.API.DIRECT.GET.LOG-main-c${cell}-1.${verdict(cell)}`, '')
    const policy = await powers.as('policy')
    for (const cell of [0, 1])
      expect(await tried(policy, verdict(cell), 'allow')).toContain('"seq"')
    expect(await got(1)).toBe('allow')
    expect(await got(0)).toContain('Violation')
    const control = 'LOG.API.DIRECT.GET.LOG-main-1.main.1.catalog.1'
    expect(await tried(agent, control, '')).toContain('Violation')
  })

  test('gives an agent the notices of its own cell alone', async () => {
    const policy = await powers.as('policy')
    const received: string[] = []
    const refused: unknown[] = []
    for (const cell of [0, 1]) {
      agent.subscribe(`main-c${cell}.notice.agent.s.*`, {
        callback: (error, message) => {
          if (error === null) received.push(message.subject)
          else refused.push(error)
        },
      })
    }
    await agent.flush()
    for (const cell of [0, 1]) policy.publish(`main-c${cell}.notice.agent.s.a`)
    await until(() => received.length > 0 && refused.length > 0)
    expect(received).toEqual(['main-c1.notice.agent.s.a'])
    expect(refused).toHaveLength(1)
  })

  test('lets a tool speak in both cells, and those who may bind what the cells share', async () => {
    const tool = await powers.as('tool')
    for (const cell of [0, 1])
      expect(await tried(tool, said(cell, 'tool'))).toContain(`INTAKE-main-c${cell}-0`)
    const binds = [
      ['policy-admin', 'main.1.catalog.1'],
      ['learning', 'main.1.proposal.p'],
      ['confirmer', 'main.1.ruling.p.confirmer'],
    ] as const
    for (const [role, name] of binds) {
      const user = await powers.as(role)
      expect(await tried(user, name)).toContain('"stream":"LOG-main-1"')
      expect(await tried(user, 'main.1.verdict.agent.s.a')).toContain('Violation')
    }
    const policy = await powers.as('policy')
    expect(await tried(policy, 'main.1.catalog.2')).toContain('Violation')
  })

  test('feeds the mirror of each log, also of what the cells share', async () => {
    const admins = await powers.as('policy-admin')
    await tried(admins, 'main.1.graph.1', 'shared')
    await tried(await powers.as('policy'), 'main-c0.1.verdict.agent.s.seen', 'seen')
    const auditor = await powers.as('auditor')
    for (const [realm, name] of [
      ['main', 'main.1.graph.1'],
      ['main-c0', 'main-c0.1.verdict.agent.s.seen'],
    ] as const) {
      const copy = mirrorStream({ realm, era: 1 }, { replicas: 1, mirrorApart: true })
      const api = `${apiOfMirror('people')}.STREAM.CREATE.MIRROR-${realm}-1`
      expect(await tried(admin, api, JSON.stringify(copy))).not.toContain('"error"')
      const body = JSON.stringify({ last_by_subj: name })
      const got = () => tried(auditor, `LOG.API.DIRECT.GET.MIRROR-${realm}-1`, body)
      await until(async () => !(await got()).startsWith('404'))
      expect(await got()).toBe(realm === 'main' ? 'shared' : 'seen')
    }
  })
})
