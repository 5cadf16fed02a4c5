// A snapshot of the fold stands for the facts before it, if it is whole, its owner's and of that
// very log; and nothing that is answered depends on whether there was one.
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryLog } from '#log/memory/log'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Log } from '#ports/log'
import { believedState, writeFoldSnapshot, type SnapshotsOf } from '#replay/cache/store'
import { checkSnapshot } from '#replay/cache/verify'
import { factsOf, foldAll, textOf } from '../eras/parts/fold.ts'
import { cutAt, eraOfScene, judgedNow, sayIn, sealOf, turned } from '../eras/parts/live.ts'
import {
  believed,
  intent,
  keptFor,
  setup,
  snapshotOf,
  someLog,
  unhurried,
  written,
} from './fold-snapshot-scene.ts'
import { goldenLog, readGolden } from '../../golden/golden-log.ts'
import { count } from '../../support/vitest/counts.ts'
import { changeGraph } from '../../support/runtime.ts'
import { answer, place, reviewed, say, scene } from '../../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

test('of an era that is sealed and has no next one yet, no snapshot is written', async () => {
  const on = await someLog()
  await turned(on)
  const facts = await factsOf(on.log)
  const seal = await sealOf(on, 2)
  const { of } = await keptFor(on.log)
  for (const [at, isWritten] of [
    [seal - 1, true],
    [seal, false],
    [facts.length - 1, false],
    [facts.length, true],
  ] as const) {
    const found = await writeFoldSnapshot(of, foldAll(facts.slice(0, at)), unhurried())
    expect({ at, isWritten: found !== null }).toEqual({ at, isWritten })
  }
  expect((await believed(of)).place.era).toBe(2)
})

test('of a log without facts no snapshot is written', async () => {
  const log = memoryLog()
  const { of, folder } = await keptFor(log)
  expect(await writeFoldSnapshot(of, newState(place), unhurried())).toBe(null)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

async function expectSameFromEach(log: Log, positions: readonly number[]): Promise<void> {
  const facts = await factsOf(log)
  const whole = textOf(foldAll(facts))
  const { of } = await keptFor(log)
  for (const at of positions) {
    const state = foldAll(facts.slice(0, at))
    if (state.sealed !== null) continue
    const own = { ...of, folder: join(of.folder, String(at)) }
    await written(own, state)
    const copy = await believed(own)
    expect(textOf(copy)).toBe(textOf(state))
    expect(textOf(foldAll(facts.slice(at), copy))).toBe(whole)
  }
}

const everyOne = count(7, 70)

test(`from the snapshot of every ${everyOne}th position of the golden log the fold comes to the same state`, async () => {
  const log = goldenLog(
    await readGolden(fileURLToPath(new URL('../../golden/0.2.0', import.meta.url))),
  )
  const { length } = await factsOf(log)
  await expectSameFromEach(
    log,
    // Each costs two folds of all of it.
    Array.from({ length }, (_, index) => index + 1).filter(
      (at) => at % everyOne === 0 || at === length,
    ),
  )
})

const moments = fc.constantFrom('look', 'erase', 'answer', 'learn', 'wait', 'junk', 'turn')

test('whatever happened, the fold from a snapshot comes to the same state as that from the start', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { maxLength: 12 }), async (what) => {
      const on = await scene(setup)
      let waits = ''
      for (const [index, moment] of what.entries()) {
        if (moment === 'look') await judgedNow(on, { intent, ulid: `l${index}` })
        if (moment === 'erase' && eraOfScene(on) === 1)
          waits = await reviewed(on, { intent: { tool: 'erase', args: { b: 1, a: [2] } } })
        if (moment === 'answer' && waits !== '') await answer(on, waits)
        if (moment === 'answer') waits = ''
        const era = eraOfScene(on)
        if (moment === 'wait') await sayIn(on.log, { era, ulid: `w${index}`, intent: moon })
        if (moment === 'junk')
          await on.log.append({ name: `main.${index}.rate.bot.look.7`, bytes: Buffer.of() })
        if (moment === 'turn') await turned(on)
        if (moment === 'learn')
          await changeGraph(on.runtime, {
            op: 'describe',
            name: 'file',
            level: 1,
            properties: { z: index, a: { y: [index], b: null } },
          })
      }
      await on.watch.settled(on.log)
      const { length } = await factsOf(on.log)
      await expectSameFromEach(
        on.log,
        Array.from({ length }, (_, index) => index + 1),
      )
      await on.runtime.stop()
    }),
    { numRuns: count(10, 3) },
  )
})

test('what is written is the state of one position, whatever is folded while it is written', async () => {
  const log = memoryLog()
  const state = newState(place)
  const on = await scene(setup)
  for (const fact of await factsOf(on.log)) await log.append(fact)
  for (let n = 0; n < 1_500; n += 1) await say(log, { intent: { tool: 'look', args: { n } } })
  foldAll(await factsOf(log), state)
  const text = textOf(state)
  expect(text.length).toBeGreaterThan(200_000)
  const { of } = await keptFor(log)
  let isWritten = false
  const writing = written(of, state).finally(() => {
    isWritten = true
  })
  let folded = 0
  for (const address of state.intents.keys()) {
    if (isWritten) break
    const name = `main.1.verdict.${address}`
    const { fact } = await log.append({ name, bytes: Buffer.from('junk') })
    evolve(state, fact)
    folded += 1
    if (folded % 10 === 0) await new Promise((resolve) => void setImmediate(resolve))
  }
  expect(folded).toBeGreaterThan(10)
  await writing
  expect(textOf(state)).not.toBe(text)
  expect(textOf(await believed(of))).toBe(text)
  await log.close()
})

test('the last two that were written are kept, and those of other realms and root keys', async () => {
  const on = await someLog()
  const facts = await factsOf(on.log)
  const { of, folder } = await keptFor(on.log)
  await written({ ...of, rootKey: 'ed25519:other' }, foldAll(facts.slice(0, 2)))
  // Later ones first, as after a log that was made again.
  for (const at of [6, 5, 4, 3]) {
    await written(of, foldAll(facts.slice(0, at)))
    await aged(folder)
  }
  const names = (await readdir(folder)).toSorted()
  expect(names.map((name) => name.replace(/[0-9a-f]{16}/, 'key'))).toEqual([
    'main.any.1.3.ndjson',
    'main.any.1.4.ndjson',
    'main.key.1.2.ndjson',
  ])
  expect((await believed(of)).position).toBe(4)
})

/** Sets the times of all files back, so that what is written then is later. */
async function aged(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name))
    const at = mtimeMs / 1_000 - 1
    await utimes(join(folder, name), at, at)
  }
}

test('a log that was cut at an era goes on from a snapshot after the cut, and from none elsewhere', async () => {
  const on = await someLog()
  await turned(on)
  await judgedNow(on, { intent, ulid: 'c' })
  await on.watch.settled(on.log)
  const facts = await factsOf(on.log)
  const seal = await sealOf(on, 2)
  const { of, reported } = await keptFor(on.log)
  await written(of, foldAll(facts.slice(0, -1)))
  const cut = (first: number): SnapshotsOf => ({ ...of, log: cutAt(on.log, first) })
  expect((await believed(cut(seal))).position).toBe(facts.length - 1)
  expect(await believedState(cut(seal + 2))).toBe(null)
  expect(await believedState(cut(3))).toBe(null)
  expect(reported.map(({ error }) => error?.code)).toEqual(['log_cut', 'log_cut'])
  // One that was written of the cut log is not of the log that has everything again.
  const { of: late } = await keptFor(cutAt(on.log, seal))
  await written(late, foldAll(facts))
  expect((await believed(late)).position).toBe(facts.length)
  expect(await believedState({ ...late, log: on.log })).toBe(null)
})

test('a snapshot of an era that was taken away since is not believed', async () => {
  const on = await someLog()
  const { of } = await snapshotOf(on)
  await turned(on)
  expect(await believedState(of)).not.toBe(null)
  expect(await believedState({ ...of, log: cutAt(on.log, await sealOf(on, 2)) })).toBe(null)
})

test('one is compared with the log, to its last line', async () => {
  const on = await someLog()
  const { of, path } = await snapshotOf(on)
  const { position } = await believed(of)
  const found = { path, position, facts: position }
  expect(await checkSnapshot(of)).toEqual({ ...found, difference: null })
  const text = await readFile(path, 'utf8')
  const lines = text.split('\n').length
  const changed = [
    [text.replace('"graphRevision":', '"grafRevision":'), { line: 1, kind: 'head' }],
    [`${text}\n`, { kind: 'end' }],
  ] as const
  for (const [other, difference] of changed) {
    expect(other).not.toBe(text)
    await writeFile(path, other)
    expect(await checkSnapshot(of)).toMatchObject({ ...found, difference })
  }
  expect(lines).toBeGreaterThan(3)
})
