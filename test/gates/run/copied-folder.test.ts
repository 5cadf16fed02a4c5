// The copy of a folder that its worker wrote to deceive: nothing outside of it is read, and nothing
// is read without end.
import { execFileSync } from 'node:child_process'
import { link, mkdir, open, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyFolder } from '#gates/run/copied-folder'
import { digestOf } from '#record/digest'
import { snapshotLimits } from '#work/verification/snapshot'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function folders() {
  const top = await temporaryFolder()
  const work = join(top, 'work')
  await mkdir(work)
  await writeFile(join(top, 'secret'), 'of another')
  const limits = { ...snapshotLimits, entriesMax: 20, bytesMax: 4_000, fileBytesMax: 2_000 }
  const copy = async () => {
    const copied = await copyFolder(work, join(top, 'copy'), limits)
    return typeof copied === 'string'
      ? { excess: copied }
      : { files: [...copied.files.keys()], leftOut: copied.leftOut, whole: copied.files }
  }
  return { top, work, copy, copied: (path: string) => join(top, 'copy', path) }
}

test('files are copied with their digests, and may be run if they might be', async () => {
  const { work, copy, copied } = await folders()
  await mkdir(join(work, 'a'))
  await writeFile(join(work, 'a/b'), 'text', { mode: 0o755 })
  const { whole } = await copy()
  const entry = { bytes: 4, digest: digestOf('text'), isExecutable: true }
  expect(whole?.get('a/b')).toEqual(entry)
  expect(await readFile(copied('a/b'), 'utf8')).toBe('text')
})

test('a link out of the folder leads anyone who follows it, and is left out', async () => {
  const { top, work, copy } = await folders()
  await symlink('../secret', join(work, 'relative'))
  await symlink(join(top, 'secret'), join(work, 'absolute'))
  await symlink('..', join(work, 'above'))
  await symlink('nothing', join(work, 'dangling'))
  expect(await readFile(join(work, 'relative'), 'utf8')).toBe('of another')
  const { files, leftOut } = await copy()
  expect(files).toEqual([])
  expect(leftOut?.map(({ path, why }) => `${path} ${why}`)).toEqual([
    'above link_outside',
    'absolute link_outside',
    'dangling link_dangling',
    'relative link_outside',
  ])
})

test('a file that has a name outside as well is left out, and one of several names inside is not', async () => {
  const { top, work, copy, copied } = await folders()
  await link(join(top, 'secret'), join(work, 'taken'))
  await mkdir(join(work, 'a'))
  await writeFile(join(work, 'own'), 'text')
  await link(join(work, 'own'), join(work, 'a/own'))
  await symlink('taken', join(work, 'through'))
  const { files, leftOut } = await copy()
  expect(files).toEqual(['a/own', 'own'])
  expect(leftOut).toEqual([
    { path: 'taken', why: 'link_outside' },
    { path: 'through', why: 'link_dangling' },
  ])
  await expect(readFile(copied('taken'))).rejects.toThrow('ENOENT')
})

test('a link to a file of the folder is a copy of it, also over other links', async () => {
  const { work, copy, copied } = await folders()
  await mkdir(join(work, 'a'))
  await writeFile(join(work, 'a/file'), 'text')
  await symlink('a/file', join(work, 'one'))
  await symlink('../one', join(work, 'a/two'))
  await symlink('a', join(work, 'folder'))
  const { files, leftOut } = await copy()
  expect(files).toEqual(['a/file', 'a/two', 'one'])
  expect(leftOut).toEqual([{ path: 'folder', why: 'link_to_folder' }])
  expect((await stat(copied('a/two'))).isFile()).toBe(true)
})

test('a pipe that nothing writes to would be read for ever, and is left out', async () => {
  const { work, copy } = await folders()
  execFileSync('mkfifo', [join(work, 'pipe')])
  expect(await copy()).toMatchObject({ leftOut: [{ path: 'pipe', why: 'special_file' }] })
})

test('a file that takes no disk, and all of it when copied, is refused unread', async () => {
  const { work, copy } = await folders()
  const sparse = await open(join(work, 'sparse'), 'w')
  // Read, it would take hours.
  await sparse.truncate(2 ** 40)
  await sparse.close()
  expect(await copy()).toEqual({ excess: 'file_too_large' })
})

test('links to one file cannot make a copy larger than it may be', async () => {
  const { work, copy } = await folders()
  await writeFile(join(work, 'a'), 'x'.repeat(1_500))
  for (const name of ['b', 'c']) await symlink('a', join(work, name))
  expect(await copy()).toEqual({ excess: 'too_many_bytes' })
})

test('the limits and their neighbours', async () => {
  const { work, copy } = await folders()
  for (let index = 0; index < 20; index += 1) await writeFile(join(work, `f${index}`), 'x')
  expect((await copy()).files).toHaveLength(20)
  await writeFile(join(work, 'one-more'), 'x')
  expect(await copy()).toEqual({ excess: 'too_many_files' })
  const deep = await folders()
  await mkdir(join(deep.work, 'd/'.repeat(64)), { recursive: true })
  expect(await deep.copy()).toEqual({ excess: 'too_many_files' })
})
