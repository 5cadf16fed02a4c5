// The doctor on real servers: a stream whose fields someone changed, facts that someone removed,
// servers that sync or do not, and credentials that may more than they should.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operate, streamInfo } from '#log/nats/api'
import { intakeName, intakePrefix, sourcesOf } from '#log/nats/intake'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { logStream, streamNames } from '#log/nats/stream'
import { jobsOf } from '#runtime/engine/era-watch'
import { examine } from '#health/doctor/examination'
import { inProduction, type DoctorFinding } from '#health/doctor/finding'
import { stages } from '#workers/stages'
import {
  canStartNats,
  freePort,
  startNats,
  until,
  type NatsServer,
} from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { short } from './doctor-sight.ts'

interface Monitored {
  readonly server: NatsServer
  readonly monitor: string
}

async function startMonitored(syncAlways: boolean): Promise<Monitored> {
  const port = await freePort()
  const config = `http: "127.0.0.1:${port}"`
  const server = await startNats({ syncAlways, config })
  return { server, monitor: `http://127.0.0.1:${port}` }
}

/** What one server and no accounts promise less than production needs. */
const alone = ['replicas warning', 'operator warning', 'accounts warning']

describe.skipIf(!canStartNats)('on one server without accounts', () => {
  let synced: Monitored
  let unsynced: Monitored
  let admin: Requests
  let made = 0

  beforeAll(async () => {
    synced = await startMonitored(true)
    unsynced = await startMonitored(false)
    admin = new Requests(await NatsLink.open({ servers: synced.server.url }))
  })
  afterAll(async () => {
    admin.close()
    await admin.link.close()
    await synced.server.dispose()
    await unsynced.server.dispose()
  })

  function looked(realm: string, monitors = [synced.monitor], url = synced.server.url) {
    const place = { url, folder: null }
    return examine({ place, realm, rootKey: 'a-key', stages, monitors, settings: {} })
  }

  /** A realm of its own, as an operator makes it. */
  async function newRealm(on = admin, era = 1, intakes = 2) {
    const place = { realm: `r${(made += 1)}`, era }
    const queues = stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    await makeLog(on, place, { replicas: 1, queues, intakes })
    return { ...streamNames(place), ...place }
  }

  async function changed(stream: string, fields: object): Promise<void> {
    const info = await streamInfo(admin, stream)
    const config = Object.fromEntries(
      Object.entries({ ...info?.config, ...fields }).filter(([, value]) => value !== null),
    )
    await operate(admin, `STREAM.UPDATE.${stream}`, config)
  }

  /** Where a speaker publishes that message. */
  function said(realm: string, id: string): string {
    return [intakePrefix(realm, 'x'), 'vlp', 'x', '-', id].join('.')
  }

  function of(
    findings: readonly DoctorFinding[],
    check: DoctorFinding['check'],
  ): DoctorFinding | undefined {
    return findings.find((finding) => finding.check === check)
  }

  test('a log as it was made lacks replicas and accounts alone, and looking changes nothing', async () => {
    const { realm, log, mirror } = await newRealm()
    const held = async () => {
      const infos = [await streamInfo(admin, log), await streamInfo(admin, mirror)]
      return infos.map((info) => ({ config: info?.config, state: info?.state }))
    }
    const before = await held()
    expect(short(await looked(realm))).toEqual(alone)
    expect(short(inProduction(await looked(realm)))).toEqual(
      alone.map((one) => one.replace('warning', 'failure')),
    )
    expect(await held()).toEqual(before)
  })

  test('the queues of a later era are those that its workers use', async () => {
    const { realm } = await newRealm(admin, 2)
    expect(short(await looked(realm))).toEqual(alone)
  })

  test('sync is proven by the server that has it, and by no other', async () => {
    const { realm } = await newRealm()
    const unproven = await looked(realm, [])
    expect(short(unproven)).toEqual(['sync warning', ...alone])
    expect(of(unproven, 'sync')?.found).toContain('not proven')
    const other = new Requests(await NatsLink.open({ servers: unsynced.server.url }))
    const there = await newRealm(other)
    other.close()
    await other.link.close()
    const now = await looked(there.realm, [unsynced.monitor], unsynced.server.url)
    expect(of(now, 'sync')?.found).toContain('it syncs at intervals')
    expect(short(now)).toEqual(['sync failure', ...alone])
  })

  test('a server that has no room for a fact fails', async () => {
    const http = await freePort()
    const store = JSON.stringify(join(await temporaryFolder(), 'store'))
    const limit = 'sync_interval: always, max_file_store: 3MB'
    const config = `jetstream { store_dir: ${store}, ${limit} }\nhttp: "127.0.0.1:${http}"`
    const small = await startNats({ config })
    const requests = new Requests(await NatsLink.open({ servers: small.url }))
    const { realm } = await newRealm(requests)
    const storage = async () => {
      const found = await looked(realm, [`http://127.0.0.1:${http}`], small.url)
      return of(found, 'storage')?.status
    }
    expect(await storage()).toBe('ok')
    const body = 'x'.repeat(200_000)
    let answer = ''
    for (let count = 0; count < 100 && !answer.includes('"err_code":10023'); count += 1) {
      const { bytes } = await requests.send(said(realm, `${count}`), body)
      answer = Buffer.from(bytes).toString()
    }
    expect(answer).toContain('"err_code":10023')
    expect(await storage()).toBe('failure')
    requests.close()
    await requests.link.close()
    await small.dispose()
  })

  test('monitoring that is something else, or gone, proves nothing', async () => {
    const { realm } = await newRealm()
    const page = createServer((_request, response) => response.end('{"server_name":"test"}'))
    page.listen(0, '127.0.0.1')
    await once(page, 'listening')
    const address = page.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const said = await looked(realm, [`http://127.0.0.1:${port}`])
    page.close()
    expect(short(said)).toEqual(['sync warning', 'sync warning', ...alone])
    expect(short(await looked(realm, [`http://127.0.0.1:${await freePort()}`]))).toEqual([
      'sync warning',
      'sync warning',
      ...alone,
    ])
    await expect(looked(realm, ['http://user:secret@127.0.0.1:1'])).rejects.toMatchObject({
      code: 'monitor_invalid',
      message: expect.not.stringContaining('secret'),
    })
  })

  test('each field that a server lets be changed behind our back is named', async () => {
    const changes: readonly (readonly [string, object])[] = [
      ['max_msgs_per_subject', { max_msgs_per_subject: 2 }],
      ['discard', { discard: 'old', discard_new_per_subject: false }],
      ['discard_new_per_subject', { discard: 'new', discard_new_per_subject: false }],
      ['max_msgs', { max_msgs: 1_000 }],
      ['max_bytes', { max_bytes: 1_000_000 }],
      ['max_age', { max_age: 3_600_000_000_000 }],
      ['duplicate_window', { duplicate_window: 60_000_000_000 }],
      ['allow_direct', { allow_direct: false }],
      ['allow_msg_ttl', { allow_msg_ttl: true }],
      ['compression', { compression: 's2' }],
      ['republish', { republish: { src: '>', dest: 'out.>' } }],
      ['no_ack', { no_ack: true }],
    ]
    const onlyOf = {
      stream: [
        ['allow_atomic', { allow_atomic: false }],
        ['max_msg_size', { max_msg_size: 1_000_000 }],
      ],
      intake: [
        ['allow_atomic', { allow_atomic: true }],
        ['max_msg_size', { max_msg_size: 1_000 }],
      ],
    } as const
    for (const check of ['stream', 'intake'] as const) {
      for (const [field, fields] of [...changes, ...onlyOf[check]]) {
        const made = await newRealm()
        const about = check === 'stream' ? made.log : intakeName(made.realm, 1)
        await changed(about, fields)
        const found = (await looked(made.realm)).find((one) => one.about === about)
        expect([field, found?.check, found?.status]).toEqual([field, check, 'failure'])
        expect(found?.found).toContain(`${field} is `)
      }
    }
    const { realm, log } = await newRealm()
    const intake = intakeName(realm, 1)
    await changed(log, { subjects: [`${realm}.1.verdict.*.*.*`] })
    await changed(intake, { subjects: [`${realm}.in.1.vlp.*.*.*`] })
    const findings = await looked(realm)
    expect(of(findings, 'stream')?.found).toContain('subjects is ')
    expect(findings.find(({ about }) => about === intake)?.found).toContain('subjects is ')
  })

  test('a source of the log that someone changed or took away is found', async () => {
    const { realm, log } = await newRealm()
    const sources = sourcesOf({ realm, era: 1 }, { from: [1, 1], inTurns: true, isLaned: false })
    const elsewhere = [{ src: `${realm}.in.*.*.>`, dest: `${realm}.1.verdict.>` }]
    await changed(log, {
      sources: [sources[0], { name: intakeName(realm, 1), subject_transforms: elsewhere }],
    })
    expect(of(await looked(realm), 'stream')?.found).toContain('sources is ')
    await changed(log, { sources: sources.slice(0, 1) })
    const one = (await looked(realm)).filter(({ status }) => status === 'failure')
    expect(one.map(({ check }) => check)).toContain('intake')
    await changed(log, { sources: null })
    expect(of(await looked(realm), 'intake')).toMatchObject({ status: 'failure' })
  })

  test('a stream that acknowledges before it writes fails, though its server reports that it syncs', async () => {
    const place = { realm: 'quick', era: 1 }
    const config = {
      ...logStream(place, { replicas: 1 }),
      persist_mode: 'async',
      allow_atomic: false,
    }
    await operate(admin, `STREAM.CREATE.${streamNames(place).log}`, config)
    const findings = await looked(place.realm)
    expect(of(findings, 'sync')?.status).toBe('ok')
    expect(of(findings, 'persistence')?.status).toBe('failure')
  })

  test('a mirror that was changed, and a queue that is another, fail', async () => {
    const { realm, log, mirror } = await newRealm()
    await changed(mirror, { max_age: 3_600_000_000_000 })
    expect(of(await looked(realm), 'mirror')?.found).toContain('max_age is ')
    await operate(admin, `CONSUMER.DELETE.${log}.policy`, {})
    expect(of(await looked(realm), 'queue')?.status).toBe('ok')
    const queues = (await looked(realm)).filter(({ check }) => check === 'queue')
    expect(queues.map(({ status }) => status)).toEqual(['ok', 'failure', 'ok', 'ok'])
    const config = { durable_name: 'policy', ack_policy: 'none', filter_subject: 'x.>' }
    const body = { stream_name: log, config, action: 'create' }
    await operate(admin, `CONSUMER.DURABLE.CREATE.${log}.policy`, body)
    const other = (await looked(realm)).filter(({ check }) => check === 'queue')[1]
    expect(other?.status).toBe('failure')
    for (const field of ['names', 'ack_policy', 'max_ack_pending']) {
      expect(other?.found).toContain(`${field} is `)
    }
  })

  test('a consumer that someone made on the log itself is found', async () => {
    const { realm, log } = await newRealm()
    expect(of(await looked(realm), 'consumers')?.status).toBe('ok')
    const config = { durable_name: 'spy', ack_policy: 'none', deliver_subject: 'spy.here' }
    const body = { stream_name: log, config, action: 'create' }
    await operate(admin, `CONSUMER.DURABLE.CREATE.${log}.spy`, body)
    expect(of(await looked(realm), 'consumers')).toMatchObject({ status: 'warning' })
  })

  test('facts that an operator removed, a stream without its mirror, and no log are found', async () => {
    const { realm, log, mirror } = await newRealm()
    for (const id of ['a', 'b', 'c']) await admin.send(said(realm, id), '{}')
    await until(async () => (await streamInfo(admin, log))?.state.messages === 3)
    expect(of(await looked(realm), 'facts')).toMatchObject({ status: 'ok' })
    await operate(admin, `STREAM.DELETE.${mirror}`, {})
    expect(of(await looked(realm), 'mirror')).toMatchObject({ status: 'failure' })
    await changed(log, {
      max_msgs_per_subject: 1,
      max_msgs: 2,
      discard: 'old',
      discard_new_per_subject: false,
    })
    expect(of(await looked(realm), 'stream')).toMatchObject({ status: 'failure' })
    const nothing = await looked('nowhere')
    expect(short(nothing)).toEqual(['log failure'])
  })

  test('a server that is not there is a failure, and no fault', async () => {
    const url = `nats://127.0.0.1:${await freePort()}`
    expect(short(await looked('main', [], url))).toEqual(['connection failure'])
  })
})
