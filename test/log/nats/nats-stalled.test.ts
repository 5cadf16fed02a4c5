// A server that died may know of a queue of an intake less than the log has of it, and then counts
// as under way for ever what the log has. It is found, and what lets it go on loses nothing.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { afterEach, describe, expect, test } from 'vitest'
import { queueInfo, streamInfo } from '#log/nats/api'
import { intakeQueue, intakeSubject, takenOf, type Taken } from '#log/nats/intake'
import { inspectIntakes } from '#log/nats-admin/inspect-intakes'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { isStalled, releaseStalled } from '#log/nats-admin/stalled'
import { streamNames } from '#log/nats/stream'
import { assert } from '#record/fault'
import { nameOf, type Place } from '#record/names'
import { natsBinary, startNats, until } from '../../support/servers/nats-server.ts'

const place: Place = { realm: 'main', era: 1 }
/** More than twice as many as may be under way. */
const forgotten = 600

describe.skipIf(natsBinary === null)('a queue that a server left standing', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  test('is found, and goes on where it stood', async () => {
    const server = await startNats({ syncAlways: true })
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    ends.push(() => operator.close())
    const { atLog } = operator
    await makeLog(atLog, place, { replicas: 1, queues: [] })
    const connection = await connect({ servers: server.url, maxReconnectAttempts: -1 })
    ends.push(() => connection.close())
    let published = 0
    const publish = async (): Promise<void> => {
      const subject = intakeSubject(nameOf(place, 'vlp', `ann.-.${(published += 1)}`)) ?? ''
      // Until it is answered, the same again: it may have been taken in while no answer came.
      await until(async () => {
        const answer = await connection.request(subject, 'x').catch(() => null)
        return /"seq":|per subject/.test(answer?.string() ?? '')
      })
    }
    const logInfo = async () => {
      const info = await streamInfo(atLog, streamNames(place).log)
      assert(info !== null, 'the log is there')
      return info
    }
    const countOf = async () => (await logInfo()).state.messages
    const laneOfAnn = async (): Promise<Taken> => {
      const taken = takenOf(place, await logInfo()).find(({ seq }) => seq > 0)
      assert(taken !== undefined, 'the log has taken something of her lane')
      return taken
    }

    await publish()
    await until(async () => (await countOf()) === 1)
    const { name, lane } = await laneOfAnn()
    const queue = intakeQueue(lane)
    await server.stop()
    // What the server knows of the queue is set back to this, as a crash sets it back a little.
    const known = join(server.folder, 'store', 'jetstream', '$G', 'streams', name, 'obs', queue)
    const kept = mkdtempSync(join(tmpdir(), 'warrant-test-'))
    ends.push(async () => rmSync(kept, { recursive: true }))
    cpSync(known, kept, { recursive: true })
    await server.start()
    await until(async () => (await laneOfAnn()).seq === 1)
    for (let sent = 0; sent < forgotten; sent += 1) await publish()
    await until(async () => (await countOf()) === published)
    await server.kill()
    cpSync(kept, known, { recursive: true, force: true })
    await server.start()
    await until(async () => (await laneOfAnn()).seq === published)
    await publish()
    const stands = async (): Promise<boolean> => {
      const info = await queueInfo(atLog, name, queue)
      return info !== null && info.num_pending > 0 && isStalled(info, (await laneOfAnn()).seq)
    }
    await until(stands)

    const seen = (await inspectIntakes(atLog, place)).find((one) => one.name === name)
    expect(seen?.standing).toMatchObject({ isStalled: true, taken: published - 1, isSure: true })
    expect(await releaseStalled(atLog, place)).toEqual([`${name} ${queue}`])
    await until(async () => (await countOf()) === published)
    expect((await logInfo()).state.num_subjects).toBe(published)
    expect(await releaseStalled(atLog, place)).toEqual([])
  })
})
