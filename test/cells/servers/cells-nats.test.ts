// A realm of several cells on a real server: each cell's log has what all share, in one order, and
// what is about its own agents.
import { afterEach, describe, expect, test } from 'vitest'
import { cellsOf } from '#log/nats/cells'
import { natsRotation } from '#log/nats-admin/rotation'
import { realmOfCell } from '#record/names'
import type { Log } from '#ports/log'
import { rotate } from '#replay/eras/rotate'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { root } from '../../replay/eras/parts/live.ts'
import { canStartNats, startNats, until } from '../../support/servers/nats-server.ts'
import { changeCatalog } from '../../support/runtime.ts'
import { names } from '../../support/scene.ts'
import {
  asked,
  bindingIn,
  cells,
  madeCells,
  opened,
  plain,
  realm,
  sharedIn,
  standing,
} from '../stand.ts'
import type { Stand } from '../stand.ts'

describe.skipIf(!canStartNats)('a realm of two cells on a server', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function stand(): Promise<Stand> {
    const at = await standing({ setup: plain })
    ends.push(() => at.dispose())
    return at
  }

  async function replayed(log: Log, of: string) {
    const callbacks = { run: () => Promise.reject(new Error('none is asked')) }
    return replay({ log, place: { realm: of, era: 1 }, rootKey: null, stages, callbacks })
  }

  async function expectAllDerived({ server, on }: Stand) {
    for (let index = 0; index < on.length; index += 1) {
      const of = realmOfCell({ of: realm, index })
      const log = await opened(server, of)
      expect(await replayed(log, of)).toMatchObject({ differences: 0, first: null, unchecked: 0 })
      await log.close()
    }
  }

  test('is decided in each, and what is signed once counts in both', async () => {
    const at = await stand()
    expect(await asked(at, 0)).toBe('main-c0 allow')
    expect(await asked(at, 1)).toBe('main-c1 allow')
    expect(await asked(at, 0, 1)).toBe('main-c0 deny')
    // It is bound through a cell's log as well: there is one control log.
    const [first, second] = at.on
    if (first === undefined || second === undefined) throw new Error('there are two')
    await changeCatalog(first.runtime, { op: 'set', key: 'learning', value: true })
    for (const { runtime } of [at.control, ...at.on]) {
      await until(() => runtime.follower.state.catalogRevision === 2)
    }
    const [control, ...others] = await Promise.all(
      [at.control, first, second].map(({ log }) => sharedIn(log)),
    )
    expect(others).toEqual([control, control])
    await expectAllDerived(at)
  })

  test('goes on with the control log where an era of a cell is rotated', async () => {
    const at = await stand()
    const [first] = at.on
    if (first === undefined) throw new Error('there are two')
    const access = { servers: at.server.url }
    const changing = (async () => {
      for (let turn = 0; turn < 30; turn += 1) {
        await changeCatalog(at.control.runtime, {
          op: 'set',
          key: 'learning',
          value: turn % 2 === 0,
        })
      }
    })()
    const rotation = natsRotation(access, access)
    await rotate(first.runtime, root, rotation)
    await changing
    // Nothing that is shared comes in the second era, and something in the third.
    await until(() => first.runtime.follower.state.catalogRevision === 31)
    await rotate(first.runtime, root, rotation)
    await rotate(first.runtime, root, rotation)
    await changeCatalog(at.control.runtime, { op: 'set', key: 'learning', value: true })
    const { catalogRevision } = at.control.runtime.follower.state
    expect(catalogRevision).toBe(32)
    for (const { runtime } of at.on) {
      await until(() => runtime.follower.state.catalogRevision === catalogRevision)
    }
    expect(first.runtime.follower.state.place).toEqual({ realm: 'main-c0', era: 4 })
    expect(await asked(at, 0)).toBe('main-c0 allow')
    expect(await sharedIn(first.log)).toEqual(await names(at.control.log, '>'))
    await expectAllDerived(at)
  })

  test('has one era of what all share, and leaves it as it is', async () => {
    const at = await stand()
    const access = { servers: at.server.url }
    const rotation = natsRotation(access, access)
    const fixed = expect.objectContaining({ code: 'era_fixed' })
    await expect(rotate(at.control.runtime, root, rotation)).rejects.toEqual(fixed)
    await expect(rotation.seal({ realm, era: 1 })).rejects.toEqual(fixed)
    await changeCatalog(at.control.runtime, { op: 'set', key: 'learning', value: true })
    expect(await cellsOf(at.operator.atLog, realm)).toBe(cells)
  })

  test('has what all share in one order, also where the server was killed meanwhile', async () => {
    const server = await startNats()
    ends.push(() => server.dispose())
    await madeCells(server)
    const log = await opened(server, realm)
    ends.push(() => log.close())
    const { acknowledged, end } = bindingIn(log)
    for (let turn = 0; turn < 3; turn += 1) {
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 50)
      await server.kill()
      await server.start()
    }
    await end()
    const wanted = await soonNames(log)
    expect(wanted).toEqual(expect.arrayContaining([...acknowledged]))
    for (let index = 0; index < cells; index += 1) {
      const cell = await opened(server, realmOfCell({ of: realm, index }))
      await until(async () => (await cell.head()).position >= wanted.length)
      expect(await soonNames(cell)).toEqual(wanted)
      await cell.close()
    }
  })

  /** A mirror is behind for a while after its server was killed. */
  async function soonNames(log: Log): Promise<readonly string[]> {
    let found: readonly string[] = []
    await until(async () => {
      found = await names(log, '>').catch(() => [])
      return found.length > 0
    })
    return found
  }
})
