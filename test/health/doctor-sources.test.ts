// What the doctor finds, on a real server, of how a log takes in what speakers publish and what all
// cells share: a queue that is another, and a position that the source does not have.
import { afterEach, describe, expect, test } from 'vitest'
import { messageOf, operate, streamInfo } from '#log/nats/api'
import { intakePrefix, intakeQueueConfig } from '#log/nats/intake'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator } from '#log/nats-admin/operator'
import { natsRotation } from '#log/nats-admin/rotation'
import { rotate } from '#replay/eras/rotate'
import { examine } from '#health/doctor/examination'
import { stages } from '#workers/stages'
import { backUp, remove, restore } from '../cells/servers/backup.ts'
import { agentOf, asked, plain, queuesIn, standing, type Stand } from '../cells/stand.ts'
import { changeCatalog } from '../support/runtime.ts'
import { canStartNats, startNats, until, type NatsServer } from '../support/servers/nats-server.ts'
import { root } from '../replay/eras/parts/live.ts'

const key = 'Nats-Stream-Source'

describe.skipIf(!canStartNats)('what a log takes in', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function requestsTo({ url }: NatsServer): Promise<Requests> {
    const requests = new Requests(await NatsLink.open({ servers: url }))
    ends.push(async () => {
      requests.close()
      await requests.link.close()
    })
    return requests
  }

  /** What fails of the intakes and of what they are taken in by. */
  async function failures({ url }: NatsServer, realm: string) {
    const place = { url, folder: null }
    const found = await examine({ place, realm, rootKey: 'k', stages, monitors: [], settings: {} })
    return found
      .filter(({ check, status }) => check === 'intake' && status === 'failure')
      .map(({ about, found: what }) => [about, what] as const)
  }

  test('a queue of an intake that is another, or gone, is found, and made again', async () => {
    const server = await startNats()
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    ends.push(() => operator.close())
    const make = () => makeRealm(operator, 'main', { replicas: 1, intakes: 2, queuesIn })
    await make()
    const requests = await requestsTo(server)
    const subject = `${intakePrefix('main', 'bot')}.vlp.bot.-`
    await requests.send(`${subject}.m1`, '{}')
    const taken = async (id: string) =>
      (await messageOf(requests, 'LOG-main-1', { last_by_subj: `main.1.vlp.bot.-.${id}` })) !== null
    await until(() => taken('m1'))
    expect(await failures(server, 'main')).toEqual([])
    for (const [index, lane, change, field] of [
      [0, 0, { max_ack_pending: 5 }, 'max_ack_pending'],
      [1, 3, { filter_subjects: ['main.in.0.*.*.*.*'] }, 'filter_subjects'],
      [0, 15, { deliver_policy: 'new' }, 'deliver_policy'],
    ] as const) {
      const about = `INTAKE-main-${index}`
      const config = { ...intakeQueueConfig('main', index, lane), ...change }
      const queue = `${about}.log-${lane}`
      await operate(requests, `CONSUMER.DELETE.${queue}`, undefined)
      expect(await failures(server, 'main')).toMatchObject([
        [about, expect.stringContaining(`its queue \`log-${lane}\` is not there`)],
      ])
      const body = { stream_name: about, config, action: 'create' }
      await operate(requests, `CONSUMER.DURABLE.CREATE.${queue}`, body)
      const [[name, found] = ['', '']] = await failures(server, 'main')
      expect([name, found]).toEqual([
        about,
        expect.stringContaining(`${field} of its queue \`log-${lane}\` is `),
      ])
      await operate(requests, `CONSUMER.DELETE.${queue}`, undefined)
      await make()
      expect(await failures(server, 'main')).toEqual([])
    }
    await requests.send(`${subject}.m2`, '{}')
    // The log looks for a queue that was gone every ten seconds or more.
    for (let wait = 0; wait < 3; wait += 1) await until(() => taken('m2')).catch(() => null)
    expect(await taken('m2')).toBe(true)
    expect(await failures(server, 'main')).toEqual([])
  })

  /** The header with which the server says where that fact of the cell's log came from. */
  async function sourceOf(requests: Requests, name: string): Promise<readonly string[]> {
    const fact = await messageOf(requests, 'LOG-main-c0-1', { last_by_subj: name })
    const line = fact?.header.split('\r\n').find((one) => one.startsWith(`${key}: `)) ?? ''
    return line.slice(`${key}: `.length).split(' ')
  }

  /** An agent's message that says, where the log alone sees it, that this was taken. */
  async function forged(at: Stand, requests: Requests, source: readonly string[]): Promise<string> {
    const agent = agentOf(at, 0)
    const id = crypto.randomUUID()
    const subject = `${intakePrefix('main-c0', agent)}.vlp.${agent}.-.${id}`
    const header = { 'Nats-Expected-Nothing': `${key}${key}`, [key]: source.join(' ') }
    await requests.send(subject, '{}', header)
    const name = `main-c0.1.vlp.${agent}.-.${id}`
    await until(async () => {
      return (await messageOf(requests, 'LOG-main-c0-1', { last_by_subj: name })) !== null
    })
    return name
  }

  async function begun() {
    const at = await standing({ setup: plain })
    ends.push(() => at.dispose())
    return { at, requests: await requestsTo(at.server) }
  }

  test('a position of an intake that an agent forged is found, and a rotation undoes it', async () => {
    const { at, requests } = await begun()
    const { server } = at
    expect(await asked(at, 0)).toBe('main-c0 allow')
    const [said = ''] = (await saidIn(requests, at)).slice(-1)
    const source = await sourceOf(requests, said)
    // Behind the name stands by which queue it was taken.
    const [intake = ''] = source[0]?.split(':') ?? []
    const beyond = source.with(1, String(Number(source[1]) + 4))
    expect(await failures(server, 'main-c0')).toEqual([])
    await forged(at, requests, beyond)
    const claims = [[intake, expect.stringContaining('the log claims to have it up to ')]]
    expect(await failures(server, 'main-c0')).toEqual(claims)
    // While the server runs, the next message sets it right.
    expect(await asked(at, 0)).toBe('main-c0 allow')
    expect(await failures(server, 'main-c0')).toEqual([])
    await forged(at, requests, beyond.with(1, String(Number(source[1]) + 9)))
    await server.kill()
    await server.start()
    await until(
      async () => (await streamInfo(requests, 'LOG-main-c0-1').catch(() => null)) !== null,
    )
    expect(await failures(server, 'main-c0')).toEqual(claims)
    const [first = expect.fail('there are two')] = at.on
    const answers = () =>
      first.log.head().then(
        () => true,
        () => false,
      )
    await until(answers)
    const access = { servers: server.url }
    await rotate(first.runtime, root, natsRotation(access, access))
    expect(await failures(server, 'main-c0')).toEqual([])
    expect(await asked(at, 0)).toBe('main-c0 allow')
  })

  test('so is one of what all cells share, and a control log that was restored', async () => {
    const { at, requests } = await begun()
    const { server } = at
    const source = await sourceOf(requests, 'main.1.catalog.1')
    expect(source[0]).toBe('LOG-main-1')
    await asked(at, 0)
    await forged(at, requests, source.with(1, '1000'))
    const claims = ['LOG-main-1', expect.stringMatching(/up to 1000, and it ends at [0-9]+$/)]
    // The intake did not get on by it either, as far as the log says.
    expect(await failures(server, 'main-c0')).toContainEqual(claims)
    const learning = { op: 'set', key: 'learning' } as const
    const folded = async (revision: number) => {
      for (const { runtime } of at.on) {
        await until(() => runtime.follower.state.catalogRevision === revision)
      }
    }
    await changeCatalog(at.control.runtime, { ...learning, value: true })
    await folded(2)
    await asked(at, 0)
    expect(await failures(server, 'main-c0')).toEqual([])
    const backup = await backUp(requests.link, 'LOG-main-1')
    await changeCatalog(at.control.runtime, { ...learning, value: false })
    await folded(3)
    await remove(requests.link, 'LOG-main-1')
    await restore(requests.link, backup)
    for (const cell of ['main-c0', 'main-c1']) {
      expect(await failures(server, cell)).toEqual([
        ['LOG-main-1', expect.stringContaining('the log claims to have it up to ')],
      ])
    }
  })

  /** What agents said in the first cell, in order. */
  async function saidIn(requests: Requests, at: Stand): Promise<readonly string[]> {
    const agent = agentOf(at, 0)
    const found = await messageOf(requests, 'LOG-main-c0-1', {
      seq: 1,
      next_by_subj: `main-c0.1.vlp.${agent}.>`,
    })
    return found === null ? [] : [found.name]
  }
})
