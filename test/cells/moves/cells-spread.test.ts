// `warrant catalog spread` on a realm of two cells on a server that gets a third: those whom it
// moves leave and arrive with what their cells have of them, and it goes back the same way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cellOf, movesBetween } from '#rules/catalog/cells'
import { stages } from '#workers/stages'
import { ended } from '../../support/cli-runner.ts'
import { canStartNats, until } from '../../support/servers/nats-server.ts'
import { testRuntime } from '../../support/runtime.ts'
import { commands, json, type Commands } from '../commands.ts'
import { agents, opened, plain, realm } from '../stand.ts'

const Replayed = z.object({ differences: z.number() })

describe.skipIf(!canStartNats)('spreading agents over another number of cells', () => {
  let on: Commands
  const ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    on = await commands({ stagesIn: () => stages })
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await on.at.dispose()
  })

  const catalog = () => on.at.control.runtime.follower.state.catalog
  const spread = (...args: readonly string[]) =>
    on.called('catalog', 'spread', ...args, '--as', 'root', '--json')
  const asked = async (id: string) =>
    json((await on.called('ask', 'look', '--agent', id, '--json')).stdout)[0]
  const replayed = async () => {
    const { stdout } = await ended(on.started('replay', '--json'))
    const { logs } = z.object({ logs: z.array(Replayed) }).parse(json(stdout)[0])
    return logs.map(({ differences }) => differences)
  }

  test('is refused where there are not so many', async () => {
    const { code, stdout } = await spread('3')
    expect([code, json(stdout)[0].error.code]).toEqual([1, 'cells_fixed'])
    expect(stdout).toContain('nats init --cells')
  })

  test('moves those whose cell is another, and they are answered there', async () => {
    const made = await on.called('nats', 'init', '--cells', '3')
    expect(made.code).toBe(0)
    const moves = movesBetween(catalog(), { ...catalog(), cells: 3 })
    const moved = agents.filter(({ id }) => moves.some((move) => move.id === id))
    const kept = agents.filter(({ id }) => !moves.some((move) => move.id === id))
    // Rendezvous hashing moves no one between the cells that were there.
    expect(new Set(moves.map(({ to }) => to))).toEqual(new Set([2]))
    expect([moved.length > 0, kept.length > 0]).toEqual([true, true])

    const { code, stdout, stderr } = await spread('3')
    expect([code, stderr]).toEqual([0, ''])
    expect(json(stdout)[0]).toMatchObject({ cells: 3, moved: moves })
    await until(() => catalog().cells === 3)
    expect(moved.map(({ id }) => cellOf(catalog(), id))).toEqual(moved.map(() => 2))

    const log = await opened(on.at.server, 'main-c2')
    const { position } = await on.at.control.log.head()
    await until(async () => (await log.head()).position >= position)
    const parts = { place: { realm: 'main-c2', era: 1 }, id: 'main-c2/test' }
    const third = await testRuntime({ ...plain, log, parts })
    ends.push(() => third.runtime.stop())
    for (const { id } of [...moved.slice(0, 1), ...kept.slice(0, 1)]) {
      const { outcome, name } = await asked(id)
      expect([outcome, name.split('.')[0]]).toEqual(['allow', `${realm}-c${cellOf(catalog(), id)}`])
    }
    expect(await replayed()).toEqual([0, 0, 0, 0])
  })

  test('goes back the same way, and changes nothing where they are spread so', async () => {
    const { code, stdout } = await spread('2')
    expect([code, json(stdout)[0].cells]).toEqual([0, 2])
    await until(() => catalog().cells === 2)
    const again = await spread('2')
    expect(json(again.stdout)[0]).toEqual({ cells: 2, moved: [], left: null, revision: null })
    expect(await replayed()).toEqual([0, 0, 0, 0])
    const { findings } = json((await on.called('doctor', '--json')).stdout)[0]
    const found = findings.find(({ check }: { check: string }) => check === 'cells')
    expect(found).toMatchObject({ status: 'warning' })
    expect(found.fix).toContain('warrant catalog spread 3')
  })
})
