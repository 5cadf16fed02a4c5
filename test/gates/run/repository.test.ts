// The copy of a commit: byte for byte what was committed, whatever the repository around it says,
// and nothing where there is too much of it or it is not what its name says.
import { execFileSync } from 'node:child_process'
import { access, chmod, readFile, rm, symlink, writeFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyFolder } from '#gates/run/copied-folder'
import { copyCommit, type CommitLimits } from '#gates/run/repository'
import { digestOf } from '#record/digest'
import { snapshotDigest } from '#work/verification/snapshot'
import { gitFolder } from '../../support/adapters/git-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/adapters/worked-folder.ts'

async function copied(repository: string, commit: string, limits: CommitLimits = {}) {
  const to = join(await temporaryFolder(), 'copy')
  const snapshot = await copyCommit({ repository, commit }, to, limits)
  const text = (path: string) => readFile(join(to, path), 'utf8')
  if (typeof snapshot === 'string') return { why: snapshot, text }
  const leftOut = snapshot.leftOut.map(({ path, why }) => `${path} ${why}`)
  return { files: [...snapshot.files.keys()], leftOut, snapshot, to, text }
}

const some = { entriesMax: 20, bytesMax: 4_000, fileBytesMax: 2_000, depthMax: 4 }
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

test.each(['sha1', 'sha256'] as const)('with %s, it is what the folder was', async (format) => {
  const { folder, commit } = await gitFolder(format)
  await writeFiles(folder, { 'a/b.txt': 'line\r\n', 'a/c/run.sh': '#!/bin/sh\n', empty: '' })
  await chmod(join(folder, 'a/c/run.sh'), 0o755)
  await symlink('../a/b.txt', join(folder, 'a/link'))
  const name = commit()
  const found = await copied(folder, name)
  expect(found.files?.toSorted()).toEqual(['a/b.txt', 'a/c/run.sh', 'a/link', 'empty'])
  const whole = found.snapshot?.files
  expect(whole?.get('a/c/run.sh')).toMatchObject({ isExecutable: true, bytes: 10 })
  expect(whole?.get('a/b.txt')?.digest).toBe(digestOf('line\r\n'))
  expect(await found.text('a/link')).toBe('line\r\n')
  await rm(join(folder, '.git'), { recursive: true })
  const asFolder = await copyFolder(folder, join(await temporaryFolder(), 'copy'))
  if (typeof asFolder === 'string' || found.snapshot === undefined) throw new Error('no copy')
  expect(snapshotDigest(found.snapshot)).toBe(snapshotDigest(asFolder))
})

test('what comes after the commit does not count, and packed it is the same', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'first' })
  const first = commit()
  await writeFiles(folder, { file: 'second', other: '' })
  commit()
  await writeFiles(folder, { file: 'not committed' })
  git('gc', '--quiet')
  const bare = join(await temporaryFolder(), 'bare')
  git('clone', '--quiet', '--bare', folder, bare)
  for (const repository of [folder, bare]) {
    const { files, text } = await copied(repository, first)
    expect([files, await text('file')]).toEqual([['file'], 'first'])
  }
})

test('no filter, attribute or line ending has a part in it', async () => {
  const { folder, git, commit } = await gitFolder()
  const attributes = '* filter=evil text eol=crlf ident\nsecret export-ignore\n'
  await writeFiles(folder, { '.gitattributes': attributes, secret: 'kept\n', id: '$Id$\n' })
  const name = commit()
  const mark = join(await temporaryFolder(), 'ran')
  git('config', 'filter.evil.smudge', `touch ${mark}; cat`)
  const { files, text } = await copied(folder, name)
  expect(files).toEqual(['.gitattributes', 'id', 'secret'])
  expect([await text('id'), await text('secret')]).toEqual(['$Id$\n', 'kept\n'])
  expect(await isThere(mark)).toBe(false)
  // An archive of it lacks a file, and is the work of the filter.
  expect(git('archive', '--format=tar', name)).not.toContain('kept')
  expect(await isThere(mark)).toBe(true)
})

test('replaced, the commit is still itself', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'honest' })
  const [name, blob] = [commit(), git('rev-parse', 'HEAD:file')]
  await writeFiles(folder, { file: 'other' })
  git('replace', blob, git('hash-object', '-w', 'file'))
  git('replace', name, commit())
  expect(git('show', `${name}:file`)).toBe('other')
  expect(await (await copied(folder, name)).text('file')).toBe('honest')
})

test('an object with the content of another is not read', async () => {
  const { folder, git, object, commit } = await gitFolder()
  await writeFiles(folder, { file: 'honest' })
  const [name, blob] = [commit(), git('rev-parse', 'HEAD:file')]
  await object('blob', 'forged', blob)
  expect(git('cat-file', 'blob', blob)).toBe('forged')
  expect(await copied(folder, name)).toMatchObject({ why: 'repository_unreadable' })
})

test('a link out of the tree, a submodule and an unsafe path are left out', async () => {
  const { folder, tree, object, commitOf } = await gitFolder()
  const [text, out] = [await object('blob', 'text'), await object('blob', '../../etc/passwd')]
  const within = await tree([{ mode: '100644', name: 'config', object: text }])
  const names = ['..', '.', '.GIT', '.git', '.g\u200cit', 'a\nb', 'a\\b', 'git~1', 'n'.repeat(256)]
  const unsafe = [...names, Buffer.of(0xff)]
  const root = await tree([
    ...unsafe.map((name) => ({ mode: '100644', name, object: text })),
    { mode: '40000', name: '.git ', object: within },
    { mode: '100644', name: '.gitignore', object: text },
    { mode: '120000', name: 'out', object: out },
    { mode: '120000', name: 'into', object: await object('blob', '.git /config') },
    { mode: '160000', name: 'sub', object: 'a'.repeat(40) },
  ])
  const { files, leftOut = [] } = await copied(folder, await commitOf(root))
  expect(files).toEqual(['.gitignore'])
  expect(leftOut.filter((one) => one.endsWith(' unsafe_path'))).toHaveLength(unsafe.length + 1)
  expect(leftOut).toEqual(
    expect.arrayContaining(['out link_outside', 'into link_dangling', 'sub submodule']),
  )
})

test('a tree that is not one, or has a name twice, is unreadable', async () => {
  const { folder, object, tree, commitOf } = await gitFolder()
  const text = await object('blob', 'text')
  const entry = { mode: '100644', name: 'a', object: text }
  const trees = [
    await tree([entry, entry]),
    await tree([{ ...entry, name: 'a/b' }]),
    await tree([{ ...entry, name: '' }]),
    await tree([{ ...entry, mode: '010644' }]),
    await tree([{ ...entry, mode: '40000' }]),
    await tree([{ ...entry, object: 'b'.repeat(40) }]),
    await object('tree', '100644 a\0short'),
    text,
    'c'.repeat(40),
  ]
  for (const one of trees) {
    const { why } = await copied(folder, await commitOf(one))
    expect(why).toBe('repository_unreadable')
  }
})

test('too much is refused: entries, bytes, a file, depth', async () => {
  const { folder, object, tree, commitOf } = await gitFolder()
  const sized = async (...sizes: readonly number[]) => {
    const entries = sizes.map(async (size, index) => {
      const blob = await object('blob', Buffer.alloc(size, index))
      return { mode: '100644', name: `f${index}`, object: blob }
    })
    return (
      await copied(folder, await commitOf(await tree(await Promise.all(entries))), {
        limits: some,
      })
    ).why
  }
  expect(await sized(2_000, 2_000)).toBeUndefined()
  expect(await sized(2_000, 2_000, 1)).toBe('too_many_bytes')
  expect(await sized(2_001)).toBe('file_too_large')
  expect(await sized(...Array<number>(20).fill(0))).toBeUndefined()
  expect(await sized(...Array<number>(21).fill(0))).toBe('too_many_files')
  const deep = async (depth: number) => {
    let at = await tree([{ mode: '100644', name: 'f', object: await object('blob', '') }])
    for (let level = 0; level < depth; level += 1) {
      at = await tree([{ mode: '40000', name: 'd', object: at }])
    }
    return (await copied(folder, await commitOf(at), { limits: some })).why
  }
  expect(await deep(4)).toBeUndefined()
  expect(await deep(5)).toBe('too_deep')
})

test('a few objects that unfold to millions of files end with the limit', async () => {
  const { folder, object, tree, commitOf } = await gitFolder()
  const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
  let at = await object('blob', 'x')
  for (let level = 0; level < 10; level += 1) {
    const mode = level === 0 ? '100644' : '40000'
    at = await tree(names.map((name) => ({ mode, name, object: at })))
  }
  expect((await copied(folder, await commitOf(at))).why).toBe('too_many_files')
})

test('a commit is named in full, and is no tag, tree or branch', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'text' })
  const name = commit()
  git('tag', '--annotate', '--message=m', 'v1')
  git('update-ref', `refs/heads/${'d'.repeat(64)}`, name)
  const not = [
    git('rev-parse', 'v1'),
    git('rev-parse', 'HEAD^{tree}'),
    'e'.repeat(40),
    'd'.repeat(64),
    name.slice(0, 39),
    name.toUpperCase(),
    `${name}\n${name}`,
    'HEAD',
    '',
  ]
  for (const one of not) expect((await copied(folder, one)).why).toBe('commit_unknown')
  expect((await copied(folder, name)).files).toEqual(['file'])
})

test('in a repository with long names, a short one names no commit', async () => {
  const { folder, commit } = await gitFolder('sha256')
  expect((await copied(folder, commit().slice(0, 40))).why).toBe('commit_unknown')
})

test('a folder that is no repository is unreadable, whatever it lies in', async () => {
  const { folder, commit } = await gitFolder()
  await writeFiles(folder, { 'sub/file': 'text' })
  const name = commit()
  expect((await copied(join(folder, 'sub'), name)).why).toBe('repository_unreadable')
  await writeFile(join(folder, '.git/config'), '[core\n')
  expect((await copied(folder, name)).why).toBe('repository_unreadable')
})

test('what is missing is not fetched, and no program of the settings runs', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'text' })
  const [name, blob] = [commit(), git('rev-parse', 'HEAD:file')]
  const mark = join(await temporaryFolder(), 'ran')
  git('config', 'core.fsmonitor', `touch ${mark}`)
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'origin')
  git('config', 'remote.origin.promisor', 'true')
  git('config', 'remote.origin.url', `ext::touch ${mark}`)
  git('config', 'protocol.ext.allow', 'always')
  await rm(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  expect((await copied(folder, name)).why).toBe('repository_unreadable')
  expect(await isThere(mark)).toBe(false)
  expect(() => git('cat-file', 'blob', blob)).toThrow('git cat-file')
  expect(await isThere(mark)).toBe(true)
})

test('an object that never ends to be read ends with the time', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'text' })
  const [name, blob] = [commit(), git('rev-parse', 'HEAD:file')]
  const path = join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2))
  await rm(path)
  execFileSync('mkfifo', [path])
  expect((await copied(folder, name, { msMax: 500 })).why).toBe('timed_out')
})

test.runIf(process.getuid?.() === 0)('it may belong to another user', async () => {
  const { folder, git, commit } = await gitFolder()
  await writeFiles(folder, { file: 'text' })
  const name = commit()
  execFileSync('chown', ['-R', '65534:65534', folder])
  expect(() => git('rev-parse', 'HEAD')).toThrow('dubious ownership')
  expect((await copied(folder, name)).files).toEqual(['file'])
})

// A commit is read from its own repository alone, however that one leads to the objects of another.

test.each([
  [
    'a file as .git',
    async (to: string, from: string) => {
      await rm(join(to, '.git'), { recursive: true })
      await writeFile(join(to, '.git'), `gitdir: ${join(from, '.git')}\n`)
    },
  ],
  [
    'a link as .git',
    async (to: string, from: string) => {
      await rm(join(to, '.git'), { recursive: true })
      await symlink(join(from, '.git'), join(to, '.git'))
    },
  ],
  [
    'commondir',
    (to: string, from: string) => {
      return writeFile(join(to, '.git', 'commondir'), join(from, '.git'))
    },
  ],
  [
    'alternates',
    async (to: string, from: string) => {
      await mkdir(join(to, '.git/objects/info'), { recursive: true })
      await writeFile(join(to, '.git/objects/info/alternates'), join(from, '.git/objects'))
    },
  ],
  [
    'a link as objects',
    async (to: string, from: string) => {
      await rm(join(to, '.git/objects'), { recursive: true })
      await symlink(join(from, '.git/objects'), join(to, '.git/objects'))
    },
  ],
  [
    'links in objects',
    async (to: string, from: string) => {
      for (const name of await readdir(join(from, '.git/objects'))) {
        await rm(join(to, '.git/objects', name), { recursive: true, force: true })
        await symlink(join(from, '.git/objects', name), join(to, '.git/objects', name))
      }
    },
  ],
] as const)('a commit of another repository is not read through %s', async (_, lead) => {
  const [others, own] = [await gitFolder(), await gitFolder()]
  await writeFiles(others.folder, { secret: 'of another' })
  const name = others.commit()
  await writeFiles(own.folder, { file: 'own' })
  own.commit()
  await lead(own.folder, others.folder)
  const to = join(await temporaryFolder(), 'copy')
  const copied = await copyCommit({ repository: own.folder, commit: name }, to, {})
  expect(copied).toBe('repository_unreadable')
})
