// A rotation that is stopped anywhere is ended by anyone who runs it again, and between two eras
// nothing is decided and nothing is lost.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Entry, Log } from '#ports/log'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { textOf } from './parts/fold.ts'
import { eraOfScene, judgedNow, root, sayIn, sealOf, settled, Streams } from './parts/live.ts'
import { newKey } from '../../support/runtime.ts'
import {
  another,
  answer,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
} from '../../support/scene.ts'
import { replayed, reviewed, scene, type Scene } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}
const intent = { tool: 'look' }

/** A state of several chunks: what is known of the moon does not fit into one. */
const large = {
  catalog: setup.catalog,
  graph: {
    primitives: Array.from({ length: 4 }, (_, n) => ({
      name: `moon ${n}`,
      depths: [{ level: 0 }, { level: 1, properties: { what: `${n}`.repeat(50_000) } }],
    })),
  },
}

interface Stopped {
  readonly before: number
  /** Whether what was being appended is in the log all the same. */
  readonly isAppended: boolean
}

/** The log of a process that dies at that append. */
function dying(log: Log, { before, isAppended }: Stopped): Log {
  let count = 0
  return {
    ...log,
    append: async (entry: Entry) => {
      count += 1
      if (count < before) return log.append(entry)
      if (isAppended) await log.append(entry)
      throw new Error('the process died')
    },
  }
}

async function stoppedAt(on: Scene, stopped: Stopped): Promise<boolean> {
  const log = dying(on.log, stopped)
  try {
    await rotate({ ...on.runtime, log }, root, null)
    return false
  } catch {
    return true
  }
}

test('wherever a rotation is stopped, running it again ends it, and the era was rotated once', async () => {
  let steps = 0
  for (let before = 1; steps === 0; before += 1) {
    for (const isAppended of [false, true]) {
      const on = await scene(large)
      const address = await sayIn(on.log, { era: 1, ulid: 'a', intent })
      await on.bot.verdict(address)
      if (!(await stoppedAt(on, { before, isAppended }))) steps = before - 1
      await settled(on)
      if (eraOfScene(on) === 1) {
        const { sealed } = on.runtime.follower.state
        expect(sealed === null).toBe(before === 1 && !isAppended)
        const { snapshot } = await rotate(on.runtime, root, null)
        expect(snapshot.parts).toBeGreaterThan(2)
      }
      await settled(on)
      expect(eraOfScene(on)).toBe(2)
      expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
      const report = await replayed(on)
      expect(report).toMatchObject({ differences: 0, voidCount: 0, eras: 2 })
      await on.runtime.stop()
    }
  }
  // Seal, chunks, end.
  expect(steps).toBeGreaterThan(4)
})

test('another policy admin ends what one began: it shows who sealed and who signed', async () => {
  const privateKey = newKey()
  const anna = { id: 'anna', roles: ['policy-admin'], keys: [publicKeyOf(privateKey)] }
  const on = await scene({ catalog: { capabilities: [look], principals: [anna] } })
  await stoppedAt(on, { before: 2, isAppended: false })
  const { sealed, snapshot } = await rotate(on.runtime, { id: 'anna', privateKey }, null)
  expect([sealed.by, snapshot.by]).toEqual(['root', 'anna'])
})

test('between two eras nothing is decided and nothing is lost', async () => {
  const on = await scene(setup)
  await stoppedAt(on, { before: 2, isAppended: false })
  const asked = on.bot.ask(intent)
  const late = await sayIn(on.log, { era: 1, ulid: 'late', intent })
  await settled(on)
  expect(await names(on.log, 'main.*.grounding.>')).toEqual([])
  await rotate(on.runtime, root, null)
  expect((await asked).name).toMatch(/^main\.2\.verdict\./)
  expect(on.runtime.follower.state.intents.has(late)).toBe(false)
  await expectReplay(on)
})

test('a worker that comes between two eras binds nothing, and all is seen to in the next', async () => {
  const idle = await scene({ ...setup, stages: [] })
  const address = await sayIn(idle.log, { era: 1, ulid: 'a', intent })
  await stoppedAt(idle, { before: 2, isAppended: false })
  const on = await another(idle, { stages })
  await on.watch.settled(on.log)
  const { position } = await on.log.head()
  expect(await sealOf(on, 2)).toBe(position)
  await rotate(on.runtime, root, null)
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
  await expectReplay(on)
})

test('a verdict that came too late for its era is no one’s verdict', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  const other = await judged(on, { intent, ulid: 'other' })
  await stoppedAt(on, { before: 2, isAppended: false })
  const allow = await on.log.get(other.name)
  const late = Buffer.from(allow?.bytes ?? [])
    .toString()
    .replaceAll(other.intent, address)
  await on.log.append({ name: `main.1.verdict.${address}`, bytes: Buffer.from(late) })
  const asked = on.bot.verdict(address, 1_000)
  await settled(on)
  on.time.pass(1_001)
  await expect(asked).rejects.toMatchObject({ code: 'no_verdict' })
  await rotate(on.runtime, root, null)
  await answer(on, address)
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
})

test('an append while the log stays between two eras fails with how to fix it', async () => {
  const on = await scene(setup)
  await stoppedAt(on, { before: 2, isAppended: false })
  await settled(on)
  const said = on.bot.withdraw('bot.-.a')
  on.time.pass(29_999)
  expect(await names(on.log, 'main.*.withdrawal.>')).toEqual([])
  on.time.pass(1)
  await expect(said).rejects.toMatchObject({ code: 'era_sealed', retry: 'soon' })
  await expect(said).rejects.toThrow('warrant log rotate')
})

test('a rotation that was stopped between the streams is ended too', async () => {
  for (const call of ['seal', 'open'] as const) {
    const on = await scene(setup)
    const streams = new Streams(on.store.open())
    const broken = {
      seal: async (of: { readonly realm: string; readonly era: number }) => {
        const sealed = await streams.seal(of)
        if (call === 'seal') throw new Fault('log_unreachable', 'the server went away')
        return sealed
      },
      open: async (of: { readonly realm: string; readonly era: number }, first: number) => {
        await streams.open(of, first)
        throw new Fault('log_unreachable', 'the server went away')
      },
      isSealed: (of: { readonly era: number }) => streams.isSealed(of),
      admit: () => Promise.resolve(false),
      release: () => Promise.resolve([]),
    }
    await expect(rotate(on.runtime, root, broken)).rejects.toThrow('went away')
    await rotate(on.runtime, root, streams)
    await settled(on)
    expect(eraOfScene(on)).toBe(2)
    expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
    await expectReplay(on)
  }
})

test('names that are bound between the steps of a rotation do not keep it from its end', async () => {
  const on = await scene(setup)
  await judged(on, { intent, ulid: 'a' })
  await stoppedAt(on, { before: 2, isAppended: false })
  for (const name of ['main.2.graph.2', 'main.2.rate.bot.look.2', 'main.2.catalog.9']) {
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  await settled(on)
  await rotate(on.runtime, root, null)
  expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
  expect(await names(on.log, 'main.2.rate.bot.look.3')).toHaveLength(1)
  const later = await scene(on.setup, on)
  expect(textOf(later.runtime.follower.state)).toBe(textOf(on.runtime.follower.state))
  expect((await replayed(on)).differences).toBe(0)
})
