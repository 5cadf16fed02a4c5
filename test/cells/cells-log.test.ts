// `warrant log` and what is done to a log, on a realm of two cells with none of them named: it is
// about all of them, and about what they share once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ended, says } from '../support/cli-process.ts'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { commands, json, type Commands } from './commands.ts'
import { agentOf, cells, realm } from './stand.ts'

describe.skipIf(!canStartNats)('the log of a realm of two cells', () => {
  let on: Commands

  beforeAll(async () => {
    on = await commands()
  })
  afterAll(() => on.at.dispose())

  test('the log is that of all cells by time, with what they share once', async () => {
    for (const cell of [0, 1, 0]) await on.asked(cell, 'look')
    const all = await on.printed('log')
    const times = all.map(({ appendedAt }) => appendedAt)
    expect(times).toEqual(times.toSorted((one, other) => Date.parse(one) - Date.parse(other)))
    const names = all.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, cell } of all) {
      expect(name.split('.')[0]).toBe(cell === null ? realm : `${realm}-c${cell}`)
    }
    const [shared, first, second] = await Promise.all(
      [on.at.control.log, on.logIn(0), on.logIn(1)].map(async (log) => (await log.head()).position),
    )
    expect(all).toHaveLength((first ?? 0) + (second ?? 0) - (shared ?? 0))
    // In text nothing is there twice: the name says the cell.
    const { stdout } = await on.called('log', '--name', 'verdict.>')
    expect(stdout).toMatch(/ main-c0[.]1[.]verdict[.].* main-c1[.]1[.]verdict[.]/s)
    expect(await on.printed('log', '--name', 'catalog.>', '--limit', '1')).toMatchObject([
      { name: 'main.1.catalog.1', cell: null, position: 1 },
    ])
    expect(await on.printed('log', '--limit', '3')).toEqual(all.slice(0, 3))
    expect(await on.printed('log', '--from', '-5')).toEqual(all.slice(-5))
    for (const range of [
      ['--from', '2'],
      ['--to', '9'],
      ['--void', '--from', '2'],
    ]) {
      const { code, stderr } = await on.called('log', ...range)
      expect([code, stderr]).toEqual([2, expect.stringContaining('main-c0, main-c1')])
    }
  })

  test('graph and catalog are those of the control log', async () => {
    const { stdout } = await on.called('catalog', 'show', '--json')
    expect(stdout).toMatch(new RegExp(`"cells": *${cells}`))
    expect((await on.called('graph', 'show')).stdout).toContain('delete')
    const inCell = await on.called('catalog', 'show', '--realm', 'main-c1')
    expect(inCell.code).toBe(0)
    expect(inCell.stdout).toContain(`spread over ${cells} cells`)
  })

  test('what all share is found in the log of a cell that is named, by its kind', async () => {
    for (const named of [['--realm', 'main-c1'], []]) {
      const found = await on.printed('log', '--name', 'catalog.>', ...named)
      expect(found[0]).toMatchObject({ name: 'main.1.catalog.1' })
      expect('cell' in found[0]).toBe(named.length === 0)
    }
    const verdicts = await on.printed('log', '--name', 'verdict.>', '--realm', 'main-c1')
    expect(verdicts.length).toBeGreaterThan(0)
    expect(verdicts.every(({ name }) => name.startsWith('main-c1.1.verdict.'))).toBe(true)
  })

  test('the log is followed in all cells', async () => {
    const child = on.started('log', '--follow', '--name', 'verdict.>', '--from', '-1', '--json')
    const ran = ended(child)
    const seen = new Set<number>()
    for (const cell of [1, 0]) {
      void says(child, 'stdout', `"main-c${cell}.1.verdict.`).then(() => seen.add(cell))
    }
    await until(async () => {
      for (const cell of [0, 1]) await on.asked(cell, 'look')
      return seen.size === 2
    })
    child.kill('SIGINT')
    const { code, stdout } = await ran
    expect(code).toBe(0)
    expect(new Set(json(stdout).map(({ cell }) => cell))).toEqual(new Set([0, 1]))
  })

  test('what counts for nothing is listed with its cell', async () => {
    await on.logIn(1).append({ name: 'main-c1.1.grounding.no.s.x.1', bytes: Buffer.from('{}') })
    await on.at.control.log.append({ name: 'main.1.catalog.99', bytes: Buffer.from('{}') })
    await until(async () => (await on.logIn(0).get('main.1.catalog.99')) !== undefined)
    const found = (await on.printed('log', '--void')).map(({ cell, name }) => [cell, name])
    expect(found).toContainEqual([1, 'main-c1.1.grounding.no.s.x.1'])
    expect(found.filter(([, name]) => name === 'main.1.catalog.99')).toEqual([
      [null, 'main.1.catalog.99'],
    ])
    expect(await on.printed('log', '--void', '--name', 'catalog.>')).toMatchObject([{ cell: null }])
  })

  test('snapshots are written, compared and removed of each cell', async () => {
    const none = await on.called('log', 'snapshot', '--check', '--json')
    expect(json(none.stdout)[0].error).toMatchObject({
      code: 'no_snapshot',
      message: expect.stringMatching(/^main-c0: .*; no cell is done$/),
    })
    expect(await on.printed('log', 'snapshot', '--realm', 'main-c0')).toHaveLength(1)
    const half = json((await on.called('log', 'snapshot', '--check', '--json')).stdout)
    expect(half).toMatchObject([
      { cell: 0, difference: null },
      { error: { message: expect.stringMatching(/^main-c1: .*; done: main-c0$/) } },
    ])
    expect(await on.printed('log', 'snapshot')).toMatchObject([{ cell: 0 }, { cell: 1 }])
    expect(await on.printed('log', 'snapshot', '--check')).toMatchObject([
      { cell: 0, difference: null },
      { cell: 1, difference: null },
    ])
    expect(await on.printed('log', 'snapshot', '--remove')).toEqual([
      { removed: expect.any(Number) },
    ])
    expect((await on.called('log', 'snapshot', '--check')).code).toBe(1)
  })

  test('each cell is rotated in turn, and none twice where that was interrupted', async () => {
    const eras = async () =>
      (await on.printed('log', '--eras'))[0].map(
        ({ cell, era, state }: { cell: number; era: number; state: string }) => [cell, era, state],
      )
    expect(await eras()).toEqual([
      [0, 1, 'open'],
      [1, 1, 'open'],
    ])
    const { code, stdout } = await on.called('log', 'rotate', '--as', 'root', '--realm', 'main-c0')
    expect([code, stdout]).toEqual([0, expect.stringContaining('era 2 is open')])
    const rest = await on.called('log', 'rotate', '--as', 'root')
    expect(rest.stdout).toContain('main-c0: era 2 is open already')
    expect(rest.stdout).toMatch(/main-c1: era 1 is sealed at position \d+, and era 2 is open/)
    const both = await on.called('log', 'rotate', '--as', 'root', '--json')
    expect(json(both.stdout)).toMatchObject([
      { cell: 0, sealed: { era: 2 } },
      { cell: 1, sealed: { era: 2 } },
    ])
    expect((await eras()).filter(([, , state]: string[]) => state === 'open')).toEqual([
      [0, 3, 'open'],
      [1, 3, 'open'],
    ])
    expect((await on.called('log', '--eras')).stdout).toMatch(/^cell +era .*\n0 +1 /)
    const found = await on.printed('log', '--name', 'catalog.>')
    expect(found.filter(({ name }) => name === 'main.1.catalog.1')).toHaveLength(1)
    for (const cell of [0, 1]) expect(await on.asked(cell, 'look')).toContain(agentOf(on.at, cell))
  })
})
