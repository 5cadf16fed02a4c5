// A realm of three cells in which each stream is gone in turn: every command shows what is whole,
// names what is not, and the documented command brings it back.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jetStreamLog } from '#log/jetstream/log'
import { streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator } from '#log/nats-admin/operator'
import { cellOf } from '#rules/catalog/cells'
import { realmOfCell } from '#record/names'
import { exitCodes } from '#schemas/faults/exit'
import { runChild } from '../../support/cli-process.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import { testRuntime, type TestRuntime } from '../../support/runtime.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { json } from '../commands.ts'
import { agents, plain, queuesIn, realm } from '../stand.ts'
import { backUp, remove, restore, type Backup } from './backup.ts'

const cells = 3
const indexes = [0, 1, 2] as const
/** Each cell has as many as one log has. */
const intakes = Array.from({ length: 16 }, (_, index) => index)
const logOfControl = `LOG-${realm}-1`
const logOf = (cell: number) => `LOG-${realmOfCell({ of: realm, index: cell })}-1`
const mirrorOf = (cell: number) => `MIRROR-${realmOfCell({ of: realm, index: cell })}-1`
const intakeOf = (cell: number, index: number) => `INTAKE-${realm}-c${cell}-${index}`
const Finding = z.object({
  check: z.string(),
  about: z.string(),
  status: z.string(),
  found: z.string(),
  fix: z.string().nullable(),
})
const setup = { ...plain, catalog: { ...plain.catalog, cells } }

describe.skipIf(!canStartNats)('a realm of three cells', () => {
  let server: NatsServer
  let link: NatsLink
  let requests: Requests
  let cwd = ''
  const copies = new Map<string, Backup>()
  let count = 0

  async function onCell<T>(cell: number, use: (on: TestRuntime) => Promise<T>): Promise<T> {
    const of = realmOfCell({ of: realm, index: cell })
    const on = await opened(of)
    try {
      return await use(on)
    } finally {
      await on.runtime.stop()
    }
  }

  async function opened(of: string, stages?: []): Promise<TestRuntime> {
    const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: of })
    const parts = { place: { realm: of, era: 1 }, id: of === realm ? 'test' : `${of}/test` }
    return testRuntime({ ...setup, log, parts, ...(stages !== undefined && { stages }) })
  }

  let agentIn: (cell: number) => string

  beforeAll(async () => {
    server = await startNats()
    cwd = await temporaryFolder()
    const operator = await openOperator({ servers: server.url })
    await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
    await operator.close()
    link = await NatsLink.open({ servers: server.url })
    requests = new Requests(link)
    const control = await opened(realm, [])
    const { catalog } = control.runtime.follower.state
    agentIn = (cell) => agents.find(({ id }) => cellOf(catalog, id) === cell)?.id ?? ''
    const { position } = await control.log.head()
    await control.runtime.stop()
    for (const cell of indexes) {
      await until(async () => {
        return ((await streamInfo(requests, logOf(cell)))?.state.last_seq ?? 0) >= position
      })
      await onCell(cell, () => called('ask', 'look', '--agent', agentIn(cell)))
    }
  })
  afterAll(async () => {
    requests.close()
    await link.close()
    await server.dispose()
  })

  const called = (...args: readonly string[]): Promise<Ran> =>
    run([...args, '--log', server.url], { cwd })

  /** What it says in JSON, whatever becomes of it in the end, and the code of that. */
  async function said(...args: readonly string[]) {
    const { code, stdout } = await called(...args, '--json')
    const lines = json(stdout)
    const error = lines.find((line) => line.error !== undefined)?.error ?? null
    return { code, error, lines: lines.filter((line) => line.error === undefined) }
  }

  async function failures(...args: readonly string[]): Promise<readonly string[]> {
    const { lines } = await said('doctor', ...args)
    const findings = z.array(Finding).parse(lines[0].findings)
    const failed = findings.filter(({ status }) => status === 'failure')
    for (const { fix } of findings)
      expect(fix ?? '').not.toMatch(/"cells": [0-9]|catalog (spread|move)/)
    return failed.map(({ check, about, found, fix }) => `${check} ${about} ${found} ${fix}`)
  }

  /** As docs/run/operations.md says: from a copy, then new mirrors. */
  async function restored(stream: string): Promise<void> {
    const copy = copies.get(stream)
    if (copy === undefined) throw new Error('there is a copy of each log')
    await restore(link, copy)
    expect((await called('nats', 'init', '--remake-mirrors')).stderr).toBe('')
  }

  const remade = async (): Promise<void> => {
    expect((await called('nats', 'init')).stderr).toBe('')
  }

  const gone = (cell: number) => ({ cell, realm: realmOfCell({ of: realm, index: cell }) })
  const control = { cell: null, realm }
  test.each([
    { of: control, streams: [logOfControl], repair: () => restored(logOfControl) },
    ...indexes.map((cell) => ({
      of: gone(cell),
      streams: [logOf(cell)],
      repair: () => restored(logOf(cell)),
    })),
    // Only the catalog knows that there was a last one.
    {
      of: gone(2),
      streams: [logOf(2), mirrorOf(2), ...intakes.map((index) => intakeOf(2, index))],
      repair: () => restored(logOf(2)),
    },
    { of: gone(1), streams: [mirrorOf(1)], repair: remade },
    { of: gone(0), streams: [mirrorOf(0), intakeOf(0, 3)], repair: remade },
  ])('without $streams.0 names it, and shows what is whole', async ({ of, streams, repair }) => {
    const [stream = ''] = streams
    copies.set(stream, await backUp(link, stream))
    for (const each of streams) await remove(link, each)
    const names = expect.stringMatching(new RegExp(`^${of.realm}: `))
    const lost = { code: 1, error: { code: 'log_tampered', message: names } }

    const log = await said('log')
    expect(log).toMatchObject(lost)
    const there = new Set(log.lines.map(({ cell }) => cell))
    expect(there).toEqual(new Set([null, ...indexes].filter((cell) => cell !== of.cell)))
    const stats = await said('stats')
    expect(stats).toMatchObject(lost)
    const agentsThere = indexes.filter((cell) => cell !== of.cell).map(agentIn)
    const counted = stats.lines[0].agents.map(({ agent }: { agent: string }) => agent)
    expect(counted.toSorted()).toEqual(agentsThere.toSorted())
    for (const question of ['reviews', 'faults', 'grants']) {
      expect(await said(question)).toMatchObject(lost)
    }

    const file = join(cwd, `${(count += 1)}.backup`)
    expect(await said('backup', file)).toMatchObject({ ...lost, lines: [{ lost: [of.realm] }] })
    const verified = await run(['verify', file], { cwd })
    expect([verified.code, verified.stdout]).toEqual([
      exitCodes.unchecked,
      expect.stringContaining(`the log of ${of.realm} is not in it`),
    ])
    const replayed = await runChild(['replay', '--log', server.url], { cwd })
    const which = of.cell === null ? 'what all cells share' : `cell ${of.cell}`
    expect([replayed.code, replayed.stdout]).toEqual([
      exitCodes.differs,
      expect.stringContaining(`not replayed: ${which}`),
    ])
    expect(await failures()).toContainEqual(
      expect.stringMatching(new RegExp(`^cells .*: ${of.realm} `)),
    )
    if (of.cell !== null) {
      // Work on all cells does not begin without one; each of the others goes on by its number.
      expect(await said('up', 'policy')).toMatchObject({ code: 1 })
      expect(await said('ask', 'look', '--agent', agentIn(of.cell))).toMatchObject(lost)
    }
    const healthy = of.cell === 2 ? 0 : 2
    const asked = await onCell(healthy, () => said('ask', 'look', '--agent', agentIn(healthy)))
    expect(asked).toMatchObject({ code: 0, lines: [{ outcome: 'allow' }] })

    if (stream.startsWith('LOG')) {
      const refused = await called('nats', 'init')
      if (streams.length === 1) expect(refused.stderr).toContain(`\`${stream}\` is gone`)
    }
    await repair()
    // A server tries again some seconds later what it did not find.
    await until(async () => (await failures()).length === 0)
    const again = await onCell(of.cell ?? 1, () => {
      return said('ask', 'look', '--agent', agentIn(of.cell ?? 1))
    })
    expect(again).toMatchObject({ code: 0, lines: [{ outcome: 'allow', reasons: [] }] })
  })

  test.each([0, 1, 3])('without its intake %i names it, and takes in what comes', async (index) => {
    const stream = intakeOf(1, index)
    await remove(link, stream)
    expect(await failures('--realm', 'main-c1')).toEqual([
      expect.stringMatching(new RegExp(`^intake ${stream} `)),
    ])
    const { lines } = await said('nats', 'init')
    const made = lines[0].made.filter(({ isNew }: { isNew: boolean }) => isNew)
    expect(made).toEqual([{ name: stream, isNew: true }])
    expect(await failures('--realm', 'main-c1')).toEqual([])
    await onCell(1, async () => {
      const asked = await said('ask', 'look', '--agent', agentIn(1))
      expect(asked).toMatchObject({ code: 0, lines: [{ outcome: 'allow' }] })
    })
  })
})
