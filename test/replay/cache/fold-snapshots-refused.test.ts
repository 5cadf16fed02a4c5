// A snapshot of the fold that is not whole, not its owner's alone, or not of this very log, is left
// aside; and that is reported.
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { believedState } from '#replay/cache/store'
import { factsOf, foldAll } from '../eras/parts/fold.ts'
import { believed, keptFor, snapshotOf, someLog, upTo, written } from './fold-snapshot-scene.ts'
import type { Kept } from './fold-snapshot-scene.ts'
import { tampered } from '../../support/replay-story.ts'

async function expectRefused({ of, reported }: Kept, why: string): Promise<void> {
  expect(await believedState(of)).toBe(null)
  expect(reported).toMatchObject([{ level: 40, error: { message: expect.stringContaining(why) } }])
}

const changes: readonly (readonly [string, (bytes: Buffer) => Buffer, string])[] = [
  ['has another character', (bytes) => replaced(bytes, '"olga"', '"olgb"'), 'as it was written'],
  ['ends before its end', (bytes) => bytes.subarray(0, -1), 'as it was written'],
  ['ends with its first line', (bytes) => bytes.subarray(0, bytes.indexOf('\n') + 1), 'as it was'],
  ['goes on', (bytes) => Buffer.concat([bytes, Buffer.from('\n')]), 'cannot be read'],
  ['says no digest', (bytes) => replaced(bytes, /"digest":"[^"]+"}\n/, noDigest), 'as it was'],
  ['says another era', (bytes) => replaced(bytes, '"era":1', '"era":2'), 'as it was written'],
  ['says another realm', (bytes) => replaced(bytes, '"realm":"main"', '"realm":"mine"'), 'realm'],
  ['demanded a key', (bytes) => replaced(bytes, '"rootKey":null', '"rootKey":"k"'), 'root key'],
  ['has no head', (bytes) => bytes.subarray(bytes.indexOf('\n') + 1), 'another version'],
  ['is empty', () => Buffer.of(), 'no head'],
  ['is no JSON', () => Buffer.from('nothing\n'), 'no JSON'],
]
const noDigest = `"digest":"sha256:${'0'.repeat(64)}"}\n`

function replaced(bytes: Buffer, from: string | RegExp, to: string): Buffer {
  const text = bytes.toString('utf8').replace(from, to)
  expect(text).not.toBe(bytes.toString('utf8'))
  return Buffer.from(text)
}

test.each(changes)(
  'a file that %s is not believed, and that is reported',
  async (_, change, why) => {
    const kept = await snapshotOf(await someLog())
    await writeFile(kept.path, change(await readFile(kept.path)))
    expect(await believedState(kept.of)).toBe(null)
    expect(kept.reported.map(({ error }) => error?.message)).toEqual([expect.stringContaining(why)])
  },
)

test.each([0o640, 0o604, 0o620, 0o602])(
  'a file of mode %i (in decimal) is not believed',
  async (mode) => {
    const kept = await snapshotOf(await someLog())
    await chmod(kept.path, mode)
    await expectRefused(kept, 'others may')
    await chmod(kept.path, 0o600)
    expect(await believedState(kept.of)).not.toBe(null)
  },
)

test('a link to a snapshot is not believed', async () => {
  const kept = await snapshotOf(await someLog())
  const away = join(dirname(kept.folder), 'away')
  await rename(kept.path, away)
  await symlink(away, kept.path)
  await expectRefused(kept, 'ELOOP')
})

test('a folder in the place of a snapshot is not believed', async () => {
  const kept = await snapshotOf(await someLog())
  await rm(kept.path)
  await mkdir(kept.path)
  await expectRefused(kept, 'not a file')
})

test('a snapshot is not believed for a log that ends before it', async () => {
  const on = await someLog()
  const kept = await snapshotOf(on)
  const { position } = await believed(kept.of)
  expect(await believedState({ ...kept.of, log: upTo(on.log, position) })).not.toBe(null)
  await expectRefused(
    { ...kept, of: { ...kept.of, log: upTo(on.log, position - 1) } },
    'ends before',
  )
})

test('a snapshot is not believed for a log that has another fact there, or at its beginning', async () => {
  const on = await someLog()
  const kept = await snapshotOf(on)
  const { position } = await believed(kept.of)
  const other = (at: number) =>
    tampered(on.log, (fact) => {
      return fact.position === at
        ? { ...fact, bytes: Buffer.concat([fact.bytes, Buffer.from(' ')]) }
        : fact
    })
  for (const at of [2, position - 1, position + 1]) {
    expect(await believedState({ ...kept.of, log: other(at) })).not.toBe(null)
  }
  const { of, reported } = kept
  expect(await believedState({ ...of, log: other(position) })).toBe(null)
  expect(await believedState({ ...of, log: other(1) })).toBe(null)
  expect(reported.map(({ error }) => error?.message)).toEqual([
    'the log has another fact there',
    'the log begins otherwise',
  ])
})

test('a snapshot is not believed under another root key, realm or version of the fold', async () => {
  const kept = await snapshotOf(await someLog())
  const { of, folder, path, reported } = kept
  expect(await believedState({ ...of, rootKey: 'ed25519:other' })).toBe(null)
  expect(await believedState({ ...of, realm: 'mine' })).toBe(null)
  expect(reported).toEqual([])
  // Not even under the name of the other.
  const under = await keptFor(of.log, { realm: 'mine' })
  await written({ ...under.of, realm: 'mine' }, foldAll(await factsOf(of.log)))
  const [name = ''] = await readdir(under.folder)
  await copyFile(path, join(under.folder, name))
  await expectRefused(under, 'realm')
  const text = await readFile(path, 'utf8')
  await writeFile(
    join(folder, basename(path)),
    text.replace(/"fold":"sha256:./, '"fold":"sha256:x'),
  )
  expect(await believedState(of)).toBe(null)
  expect(reported).toMatchObject([{ level: 20, error: { message: 'another version wrote it' } }])
})
