// The log of a cell that is restored from a backup while the control log went on: it goes on from
// where it was, with nothing that all share lost, doubled or out of order.
import { afterEach, describe, expect, test } from 'vitest'
import { messageOf, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { makeRealm } from '#log/nats-admin/cells'
import { inspectNats } from '#log/nats-admin/inspect'
import { openOperator } from '#log/nats-admin/operator'
import { realmOfCell } from '#record/names'
import type { Log } from '#ports/log'
import { eraFindings } from '#health/doctor/streams'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import { names } from '../../support/scene.ts'
import { backUp, remove, restore } from './backup.ts'
import { bindingIn, cells, madeCells, opened, queuesIn, realm, sharedIn } from '../stand.ts'

const cell = realmOfCell({ of: realm, index: 0 })
const stream = `LOG-${cell}-1`
const bytes = Buffer.from('{}')
const said = (number: number) => `${cell}.1.vlp.bot.-.m${number}`
const grounded = (number: number) => `${cell}.1.grounding.bot.-.m${number}.1`

describe.skipIf(!canStartNats)('the log of a cell', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function linked(servers: string) {
    const link = await NatsLink.open({ servers })
    const requests = new Requests(link)
    ends.push(async () => {
      requests.close()
      await link.close()
    })
    return { link, requests }
  }

  async function openedHere(server: NatsServer, of: string): Promise<Log> {
    const log = await opened(server, of)
    ends.push(() => log.close())
    return log
  }

  async function remadeMirrors({ url }: NatsServer): Promise<void> {
    const operator = await openOperator({ servers: url })
    const wanted = { cells, replicas: 1, queuesIn, remakeMirrors: true }
    await makeRealm(operator, realm, wanted)
    await operator.close()
  }

  /** What the doctor finds of its mirrors. */
  async function mirrors({ url }: NatsServer) {
    const seen = await inspectNats({ servers: url }, { realm: cell, queues: () => [] })
    const findings = (seen.eras ?? []).flatMap((era) => eraFindings(cell, era))
    return findings.filter(({ check }) => check === 'mirror')
  }

  test('goes on sourcing from where it was when it is restored', async () => {
    const server = await startNats()
    ends.push(() => server.dispose())
    await madeCells(server)
    const { link, requests } = await linked(server.url)
    const control = await openedHere(server, realm)
    const before = await openedHere(server, cell)
    const binding = bindingIn(control)
    ends.push(binding.end)
    await until(() => binding.acknowledged.length > 50)
    for (const number of [1, 2]) {
      await before.append({ name: said(number), bytes })
      await before.append({ name: grounded(number), bytes })
    }
    const backup = await backUp(link, stream)
    const kept = (await names(before, '>')).slice(0, backup.state.last_seq)
    expect(kept).toContain(grounded(2))
    // What came after the backup, and what comes while there is no stream.
    await before.append({ name: said(3), bytes })
    await before.append({ name: grounded(3), bytes })
    const count = binding.acknowledged.length
    await until(() => binding.acknowledged.length > count + 50)
    await remove(link, stream)
    await until(() => binding.acknowledged.length > count + 60)
    await restore(link, backup)
    await until(() => binding.acknowledged.length > count + 150)
    await binding.end()

    const shared = await names(control, '>')
    const all = shared.length + kept.length - kept.filter((name) => shared.includes(name)).length
    const info = () => streamInfo(requests, stream)
    // With the message that the intake still has.
    await until(async () => ((await info())?.state.last_seq ?? 0) >= all + 1)
    const last = all + 1
    const facts = { messages: last, first_seq: 1, last_seq: last, num_subjects: last }
    expect((await info())?.state).toMatchObject({ ...facts, num_deleted: 0 })
    const found: string[] = []
    for (let seq = 1; seq <= last; seq += 1) {
      found.push((await messageOf(requests, stream, { seq }))?.name ?? '')
    }
    expect(found.slice(0, kept.length)).toEqual(kept)
    expect(found.filter((name) => name.startsWith('main.'))).toEqual(shared)
    expect(found.filter((name) => name.startsWith(cell)).toSorted()).toEqual(
      [said(1), said(2), said(3), grounded(1), grounded(2)].toSorted(),
    )

    // The server still copies what the restored log has not: the doctor finds it.
    expect(await mirrors(server)).toMatchObject([{ status: 'ok' }, { status: 'failure' }])
    await remadeMirrors(server)
    await until(async () => (await mirrors(server)).every(({ status }) => status === 'ok'))
    const after = await openedHere(server, cell)
    expect(await names(after, '>')).toEqual(found)
    expect(await sharedIn(after)).toEqual(shared)
    for (const name of [said(1), said(3), grounded(2), shared[0] ?? '']) {
      expect(await after.append({ name, bytes: Buffer.from('[]') })).toMatchObject({
        appended: false,
        fact: { bytes },
      })
    }
    const { fact } = await after.append({ name: grounded(3), bytes })
    expect(fact.position).toBe(last + 1)
  })
})
