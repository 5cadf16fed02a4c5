// An era is rotated on a real server: the stream is sealed by an operator, the next goes on
// counting, and anyone who follows and works goes on without a word.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog, openOperator, type Operator } from '#log/nats-admin/operator'
import { natsRotation } from '#log/nats-admin/rotation'
import { streamNames } from '#log/nats/stream'
import { nameOf, patternOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { keyIdOf } from '#record/signature'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import { replay } from '#replay/replay'
import { rotate } from '#replay/eras/rotate'
import { Principal } from '#schemas/catalog'
import { stages } from '#workers/stages'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { root, sayIn } from '../../replay/eras/parts/live.ts'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import {
  changeCatalog,
  keys,
  newKey,
  testRuntime,
  type TestRuntime,
} from '../../support/runtime.ts'
import { look, names } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look] },
  graph: { primitives: [{ name: 'file', depths: [{ level: 0 }, { level: 1 }] }] },
}
const intent = { tool: 'look' }
const place = { realm: 'main', era: 1 }

describe.skipIf(!canStartNats)('an era that turns on a server', () => {
  let server: NatsServer
  let operator: Operator
  let on: TestRuntime
  let other: Log
  const open = async (): Promise<Log> =>
    jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: 'main' })

  beforeAll(async () => {
    server = await startNats()
    operator = await openOperator({ servers: server.url })
    const queues = stages.map(({ name, kinds }) => ({
      name,
      names: kinds.map((kind) => patternOf(place, kind, '>')),
    }))
    await makeLog(operator.atLog, place, { replicas: 1, queues })
    on = await testRuntime({ ...setup, log: await open() })
    other = await open()
  })
  afterAll(async () => {
    await other.close()
    await on.runtime.stop()
    await operator.close()
    await server.dispose()
  })

  test('goes on counting, and everyone goes on', async () => {
    const before = await on.bot.ask(intent)
    const { position: last } = await other.head()
    const access = { servers: server.url }
    const rotated = await rotate(on.runtime, root, natsRotation(access, access))
    expect(rotated.sealed).toMatchObject({ era: 1, facts: last, position: last + 1 })
    const chunk = await other.get('main.2.snapshot.1')
    expect(chunk?.position).toBe(last + 1)
    const after = await on.bot.ask(intent)
    expect(after.name).toBe(`main.2.verdict.${after.intent}`)
    expect([before.outcome, after.outcome]).toEqual(['allow', 'allow'])
    const positions: number[] = []
    for await (const fact of other.read({})) positions.push(fact.position)
    const { position } = await other.head()
    expect(positions).toEqual(Array.from({ length: position }, (_, index) => index + 1))
    expect(await names(other, 'main.*.verdict.>')).toEqual([before.name, after.name])
  })

  test('is sealed by the server itself, no matter who asks', async () => {
    const name = nameOf(place, 'verdict', 'bot.-.late')
    const append = other.append({ name, bytes: new Uint8Array([1]) })
    await expect(append).rejects.toMatchObject({ code: 'era_sealed' })
    for (const era of [1, 2]) {
      const info = await streamInfo(operator.atLog, streamNames({ ...place, era }).log)
      expect(info?.config['sealed'] === true).toBe(era === 1)
    }
  })

  test('gives an address of the era before no second verdict', async () => {
    const [old = ''] = await names(other, 'main.1.vlp.>')
    const ulid = old.split('.').at(-1) ?? ''
    await sayIn(other, { era: 2, ulid, intent })
    const next = await on.bot.ask(intent)
    expect(next.outcome).toBe('allow')
    const about = await names(other, `main.*.verdict.bot.-.${ulid}`)
    expect(about).toEqual([`main.1.verdict.bot.-.${ulid}`])
  })

  test('is followed from its middle by who comes later, and derives again', async () => {
    const seen: number[] = []
    const { position } = await other.head()
    const stop = new AbortController()
    for await (const fact of other.follow(2, stop.signal)) {
      seen.push(fact.position)
      if (fact.position === position) break
    }
    expect(seen).toEqual(Array.from({ length: position - 1 }, (_, index) => index + 2))
    const { callbacks } = on.runtime
    const report = await replay({ log: other, place, rootKey: null, callbacks, stages })
    expect(report).toMatchObject({ differences: 0, eras: 2 })
  })

  test('turns again, and a log opened before it sees that', async () => {
    const access = { servers: server.url }
    await rotate(on.runtime, root, natsRotation(access, access))
    const verdict = await on.bot.ask(intent)
    expect(verdict.name.startsWith('main.3.')).toBe(true)
    expect((await other.get(verdict.name))?.name).toBe(verdict.name)
    await until(async () => (await names(other, 'main.3.verdict.>')).length === 1)
  })

  test('is believed by its root key without the streams before, which of its admins turned it', async () => {
    const access = { servers: server.url }
    const mia = { id: 'mia', privateKey: newKey() }
    const entry = { id: 'mia', roles: ['policy-admin'], keys: [publicKeyOf(mia.privateKey)] }
    const put = { op: 'put' as const, collection: 'principals' as const }
    await changeCatalog(on.runtime, { ...put, entry: Principal.parse(entry) })
    await rotate(on.runtime, mia, natsRotation(access, access))
    const verdict = await on.bot.ask(intent)
    expect(verdict.name.startsWith('main.4.')).toBe(true)
    for (const era of [1, 2, 3]) {
      const { log, mirror } = streamNames({ ...place, era })
      await operator.atLog.send(`$JS.API.STREAM.DELETE.${mirror}`, '')
      await operator.atLog.send(`$JS.API.STREAM.DELETE.${log}`, '')
    }
    const left = await open()
    const { callbacks } = on.runtime
    const replayed = async (rootKey: string) =>
      replay({ log: left, place, rootKey, callbacks, stages })
    const key = keyIdOf(publicKeyOf(keys.root))
    expect(await replayed(key)).toMatchObject({
      root: key,
      start: { era: 4, by: 'mia', isRooted: true },
      differences: 0,
      unchecked: 0,
    })
    const other = soundBeginningOf(left, place, keyIdOf(entry.keys[0] ?? ''))
    await expect(other).rejects.toMatchObject({ code: 'root_key_differs' })
    await left.close()
    const cwd = await temporaryFolder()
    const file = join(cwd, 'rest.backup')
    const backedUp = await run(['backup', file, '--log', server.url], { cwd })
    expect(backedUp).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['verify', file, '--root-key', key], { cwd })).toMatchObject({ code: 0 })
    const alone = await run(['restore', file], { cwd })
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('a part of a log') })
  })
})
