// `warrant catalog move` on a realm of two cells on a server: it waits for what is open, goes on
// where it was cut off, and what moved with the agent counts in its new cell.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellOf, movesBetween } from '#rules/catalog/cells'
import { movePlan } from '#authoring/moves/move-plan'
import { stages } from '#workers/stages'
import { ended, says } from '../../support/cli-process.ts'
import { canStartNats, until } from '../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { commands, json, type Commands } from '../commands.ts'
import { agents, opened, plain, realm } from '../stand.ts'
import { z } from 'zod'
import { testRuntime } from '../../support/runtime.ts'

describe.skipIf(!canStartNats)('moving an agent of a realm of two cells', () => {
  let on: Commands

  beforeAll(async () => {
    on = await commands({ stagesIn: () => stages })
  })
  afterAll(() => on.at.dispose())

  const catalog = () => on.at.control.runtime.follower.state.catalog
  const cellNow = (id: string) => cellOf(catalog(), id) ?? -1
  /** The fleet of an agent in that cell, or the number-th one besides. */
  function fleetIn(cell: number, of: string): string {
    const names = ['north', 'south', 'east', 'west', 'up', 'down', 'in', 'out']
    const found = names.find((fleet) => {
      const [move] = movePlan(catalog(), of, { fleet }).moves
      return (move?.to ?? cellNow(of)) === cell
    })
    return found ?? expect.fail(`cell ${cell} has a fleet`)
  }
  const asked = async (id: string, tool = 'look') =>
    json((await on.called('ask', tool, '--agent', id, '--json')).stdout)[0]
  const move = (id: string, ...args: readonly string[]) =>
    on.called('catalog', 'move', id, ...args, '--as', 'root', '--json')

  test('waits for its open review, and goes on where it was cut off', async () => {
    const from = 0
    const intent = await on.waiting(from)
    const [id = ''] = intent.split('.')
    const fleet = fleetIn(1, id)
    const late = await move(id, '--fleet', fleet, '--wait', '0.5')
    expect(late.code).toBe(4)
    const { code, message } = json(late.stdout)[0].error
    expect(code).toBe('move_waiting')
    expect(message).toContain(`${intent} for approval from \`olga\` until `)
    expect(message).toContain(`cancel it with \`warrant catalog move ${id} --stay`)
    expect(late.stderr).toContain('1 intent in main-c0 waits')
    expect((await asked(id)).reasons).toMatchObject([{ code: 'agent_moving', recover: 'wait' }])
    expect((await on.called('catalog', 'show')).stdout).toContain('MOVING')

    const child = on.started('catalog', 'move', id, '--fleet', fleet, '--as', 'root', '--json')
    const waits = says(child, 'stderr', 'waiting')
    const ran = ended(child)
    await waits
    const yes = await on.called('approve', intent, '--as', 'olga', '--json')
    expect(json(yes.stdout)[0]).toMatchObject({ outcome: 'allow' })
    const { code: exit, stdout } = await ran
    expect([exit, json(stdout)[0]]).toEqual([
      0,
      { id, moved: [{ id, from: 0, to: 1 }], cell: 1, left: null, revision: expect.any(Number) },
    ])
    expect(cellNow(id)).toBe(1)
    const there = await asked(id)
    expect([there.outcome, there.name]).toEqual([
      'allow',
      expect.stringMatching(/^main-c1[.]1[.]verdict/),
    ])
  })

  test('takes its block along, which is lifted in its new cell', async () => {
    const id = agents.map((one) => one.id).find((one) => cellNow(one) === 1) ?? ''
    const stop = {
      id: 'MSG-stop',
      protocol: 'VLP/1.1',
      type: 'notice',
      timestamp: '2026-01-01T00:00:00Z',
      sender: 'guard',
      receiver: id,
      content: 'stop',
      confidence: 1,
      safety: { level: 'block', issues: [] },
    }
    const name = 'main-c1.1.vlp.guard.-.stop'
    await on.logIn(1).append({ name, bytes: Buffer.from(JSON.stringify(stop)) })
    const to = ['--fleet', fleetIn(0, id)]
    const moved = await on.called('catalog', 'move', id, ...to, '--as', 'root')
    expect([moved.code, moved.stderr]).toEqual([0, ''])
    expect(moved.stdout).toMatch(`${id} is in cell 0, and was in 1`)
    expect((await asked(id)).reasons).toMatchObject([
      { code: 'message_blocked', params: { principal: 'guard', fact: name } },
    ])
    const lifted = await on.called('unblock', id, '--as', 'olga', '--json')
    expect(json(lifted.stdout)[0]).toMatchObject({ agent: id, lifted: [name] })
    expect((await asked(id)).outcome).toBe('allow')
    const again = await move(id, '--fleet', catalog().principals.get(id)?.attributes['fleet'] ?? '')
    expect(json(again.stdout)[0]).toEqual({ id, moved: [], cell: 0, left: null, revision: null })
    const owned = cellNow('olga')
    const back = await move(id, '--no-fleet')
    expect(json(back.stdout)[0]).toMatchObject({ id, cell: owned, revision: expect.any(Number) })
    expect(catalog().principals.get(id)?.attributes).toEqual({})
    expect(cellNow(id)).toBe(owned)
  })

  test('moves all that an owner owns, and needs no move in the same cell', async () => {
    const owned = [
      { id: 'team', owner: 'olga' },
      { id: 'one', owner: 'team' },
    ]
    const puts = owned.map((entry) => ({ op: 'put', collection: 'principals', entry }))
    const file = join(await temporaryFolder(), 'owned.json')
    await writeFile(file, JSON.stringify(puts))
    expect(await on.called('catalog', 'apply', file, '--as', 'root')).toMatchObject({ code: 0 })
    const from = cellNow('team')
    const owners = ['root', 'piet', 'quin', 'honest', 'guard']
    const near = owners.find((owner) => movePlan(catalog(), 'team', { owner }).moves.length === 0)
    const far = owners.find((owner) => movePlan(catalog(), 'team', { owner }).moves.length === 2)
    const same = await move('team', '--owner', near ?? '')
    expect(json(same.stdout)[0]).toMatchObject({ moved: [], cell: from, left: null })
    const { stdout, code } = await move('team', '--owner', far ?? '')
    expect([code, json(stdout)[0]]).toMatchObject([
      0,
      {
        moved: ['team', 'one'].map((id) => ({ id, from, to: 1 - from })),
        left: expect.any(Number),
        revision: expect.any(Number),
      },
    ])
    expect(['team', 'one'].map(cellNow)).toEqual([1 - from, 1 - from])
    expect((await asked('one')).outcome).toBe('allow')
  })

  test('is cancelled, and refuses what it cannot do before anything is signed', async () => {
    const intent = await on.waiting(0)
    const [id = ''] = intent.split('.')
    expect((await move(id, '--fleet', fleetIn(1, id), '--wait', '0')).code).toBe(4)
    const { stdout } = await ended(on.started('doctor', '--json'))
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'moving', about: id, status: 'warning' }),
    )
    const { catalogRevision } = on.at.control.runtime.follower.state
    const stayed = json((await move(id, '--stay')).stdout)[0]
    expect(stayed).toEqual({ id, stay: [id], revision: catalogRevision + 1 })
    expect((await asked(id)).outcome).toBe('allow')
    expect(json((await move(id, '--stay')).stdout)[0]).toEqual({ id, stay: [], revision: null })
    await on.called('decline', intent, '--as', 'olga')
    const refused = async (...[of, ...args]: readonly [string, ...string[]]) =>
      json((await move(of, ...args)).stdout)[0].error.code
    expect(await refused('ghost', '--fleet', 'x')).toBe('unknown_principal')
    expect(await refused(id, '--owner', 'ghost')).toBe('unknown_owner')
    expect(await refused('olga', '--owner', id)).toBe('owner_cycle')
    expect(await refused(id)).toBe('usage')
    expect(await refused(id, '--fleet', 'x', '--owner', 'olga')).toBe('usage')
    expect(catalogRevision + 1).toBe(on.at.control.runtime.follower.state.catalogRevision)
  })

  test('is derived again, and compared, by a replay of all cells', async () => {
    // It takes threads, and so a process of its own.
    const { stdout, code, stderr } = await ended(on.started('replay', '--json'))
    const { logs } = JSON.parse(stdout)
    const bare = { differences: 0, first: null }
    const none = { ...bare, findings: { counts: { arrivalDiffers: 0 } } }
    expect([stderr, code, logs]).toMatchObject(['', 0, [none, none, none]])
  })
})

// `warrant catalog spread` on a realm of two cells on a server that gets a third: those whom it
// moves leave and arrive with what their cells have of them, and it goes back the same way.

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
