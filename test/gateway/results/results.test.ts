// The stores of results: what both promise, and what the folder promises beside it.
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openResultFolder } from '#gateway/results/folder'
import { memoryResults } from '#gateway/results/memory'
import { resultLimits } from '#ports/results'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { back, handClock, refuses, result, resultsConformance } from './conformance.ts'

resultsConformance('memory', (limits) => {
  const clock = handClock()
  return Promise.resolve({ clock, store: memoryResults(clock, limits) })
})

resultsConformance('a folder', async (limits) => {
  const clock = handClock()
  const folder = join(await temporaryFolder(), 'results')
  return { clock, store: await openResultFolder({ folder, clock, limits }) }
})

describe('a folder of results', () => {
  const clock = handClock()

  async function kept() {
    const folder = join(await temporaryFolder(), 'results')
    const store = await openResultFolder({ folder, clock })
    const { id } = await store.put(result())
    const files = await readdir(folder)
    const file = files.find((name) => name.startsWith(id)) ?? ''
    return { folder, store, id, file, path: join(folder, file) }
  }

  test('outlives the process', async () => {
    const { folder, store, id } = await kept()
    await store.close()
    const again = await openResultFolder({ folder, clock })
    expect(await again.get(id)).toEqual(back(result(), id))
    clock.set(5_000)
    expect(await again.get(id)).toBeNull()
    expect(await readdir(folder)).toEqual(['results.key'])
    clock.set(1_000)
  })

  test('writes side by side, and keeps no file of what had to go meanwhile', async () => {
    const folder = join(await temporaryFolder(), 'results')
    const limits = { ...resultLimits, ownerBytesMax: 25_000 }
    const store = await openResultFolder({ folder, clock, limits })
    const value = 'x'.repeat(10_000)
    const puts = await Promise.all(Array.from({ length: 5 }, () => store.put(result({ value }))))
    const found = await Promise.all(puts.map(({ id }) => store.get(id)))
    expect(found.map((one) => one !== null)).toEqual([false, false, false, true, true])
    await store.close()
    const files = (await readdir(folder)).toSorted()
    const ids = puts.slice(3).map(({ id }) => id)
    expect(files.map((name) => name.split('.')[0])).toEqual([...ids, 'results'].toSorted())
  })

  test('has nothing of a result in the open, and is for its owner alone', async () => {
    const { folder, path } = await kept()
    const bytes = await readFile(path)
    expect(bytes.includes('ann')).toBe(false)
    for (const name of await readdir(folder)) {
      expect(name).not.toContain('ann')
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('gives out nothing that was changed, moved, or written under another key', async () => {
    const { store, id, path } = await kept()
    const bytes = await readFile(path)
    for (const at of [0, 20, 30, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await writeFile(path, changed)
      await refuses(store.get(id), 'result_unreadable')
    }
    for (const length of [0, 10, 40]) {
      await writeFile(path, bytes.subarray(0, length))
      await refuses(store.get(id), 'result_unreadable')
    }
    await rm(path)
    await refuses(store.get(id), 'result_unreadable')
  })

  test('gives out no result of another owner in its place, nor one that lives longer', async () => {
    const { folder, file, path } = await kept()
    const other = await openResultFolder({ folder, clock })
    const { id } = await other.put(result({ owner: 'bob' }))
    const bobs = (await readdir(folder)).find((name) => name.startsWith(id)) ?? ''
    await rename(path, join(folder, bobs))
    await refuses(other.get(id), 'result_unreadable')
    const longer = file.replace(/[0-9]+$/, '9000000000000')
    await rename(join(folder, bobs), join(folder, longer))
    const again = await openResultFolder({ folder, clock })
    await refuses(again.get(longer.slice(0, 28)), 'result_unreadable')
  })

  test('makes no second key where the first is gone, and takes none that others may read', async () => {
    const { folder } = await kept()
    const key = join(folder, 'results.key')
    await chmod(key, 0o640)
    await refuses(openResultFolder({ folder, clock }), 'results_key_invalid')
    await chmod(key, 0o600)
    await writeFile(key, 'short')
    await refuses(openResultFolder({ folder, clock }), 'results_key_invalid')
    await rm(key)
    await refuses(openResultFolder({ folder, clock }), 'results_key_invalid')
  })

  test('removes what was half written', async () => {
    const { folder, file } = await kept()
    await writeFile(join(folder, `${file}.half`), 'x')
    await openResultFolder({ folder, clock })
    expect(await readdir(folder)).not.toContain(`${file}.half`)
  })

  test('is opened by several processes: each finds what was there', async () => {
    const folder = join(await temporaryFolder(), 'results')
    const stores = await Promise.all([1, 2, 3].map(() => openResultFolder({ folder, clock })))
    await Promise.all(stores.map((store) => store.put(result({ name: 'a' }))))
    await Promise.all(stores.map((store) => store.put(result())))
    expect(new Set(stores.map((store) => store.idOf('a'))).size).toBe(1)
    const again = await openResultFolder({ folder, clock })
    expect(again.ids()).toHaveLength(4)
    expect(await again.get(again.idOf('a'))).toMatchObject({ intent: 'i' })
    for (const id of again.ids()) await again.remove(id)
    expect(await readdir(folder)).toEqual(['results.key'])
  })

  test('leaves alone what another process is writing', async () => {
    const { folder, file } = await kept()
    const half = `${file}.${process.pid}.0a.half`
    await writeFile(join(folder, half), 'x')
    await openResultFolder({ folder, clock })
    expect(await readdir(folder)).toContain(half)
  })

  test('that cannot be made is reported', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'results'), '')
    await refuses(openResultFolder({ folder: join(folder, 'results'), clock }), 'file_unwritable')
    await mkdir(join(folder, 'other'))
    expect(
      await (await openResultFolder({ folder: join(folder, 'other'), clock })).get('x'),
    ).toBeNull()
  })
})
