// A commit is read from its own repository alone, however that one leads to the objects of another.
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyCommit } from '#gates/run/repository'
import { gitFolder } from '../../support/adapters/git-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/adapters/worked-folder.ts'

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
