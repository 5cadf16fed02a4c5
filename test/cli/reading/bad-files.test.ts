// A file that is missing, a folder, empty or no text: each command says what is wrong with it in
// words, with the exit code for what was named, and makes nothing of it.
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fileProblem } from '#system/file-problem'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await mkdir(join(cwd, 'folder'))
  await writeFile(join(cwd, 'empty'), '')
  await writeFile(join(cwd, 'binary'), Buffer.from([0xff, 0x00, 0xfe, 0x0a]))
})

const commands = [
  ['ask', '--file'],
  ['explain', '--file'],
  ['graph', 'import'],
  ['catalog', 'import'],
  ['ground', '--graph'],
  ['decide', '--catalog'],
  ['restore', '--log', 'x/log.db'],
  ['verify'],
]

describe.each([
  ['nosuch', 'there is no such file or folder'],
  ['folder', 'it is a folder, and not a file'],
])('%s', (file, says) => {
  test.each(commands)('%s %s %s', async (...args) => {
    const { code, stdout, stderr } = await warrant(...args, file)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(says)
    expect(stderr).not.toMatch(/ENOENT|EISDIR/)
  })
})

describe.each(['empty', 'binary'])('%s', (file) => {
  test.each(commands)('%s %s %s', async (...args) => {
    const { code, stdout, stderr } = await warrant(...args, file)
    expect(stdout).toBe('')
    expect([1, 5]).toContain(code)
    expect(stderr).toMatch(/not JSON|not UTF-8|no whole backup/)
  })
})

test.each(['log', 'replay', 'doctor'])('`%s` makes no log of an empty file', async (command) => {
  const { code } = await warrant(command, '--log', 'empty')
  expect(code).not.toBe(0)
  expect((await stat(join(cwd, 'empty'))).size).toBe(0)
})

test('a file in the place of a folder is refused in words', async () => {
  const { code, stderr } = await warrant('pull', 'empty')
  expect(code).toBe(1)
  expect(stderr).toContain('something else is there already')
})

test('what only others may read is so reported', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })
  expect(fileProblem(denied, 'unknown')).toBe('permission denied')
  expect(fileProblem('what is no Error', 'it cannot be read')).toBe('it cannot be read')
})

test('a value that cannot be read is named with what it should be', async () => {
  const edge = ['--source', 'send', '--target', 'email', '--level', '9']
  const { stderr } = await warrant('policy', 'wizard', ...edge)
  expect(stderr).toContain('Expected a level: one of 0 EXISTENCE')
  expect((await warrant('log', '--since', 'never')).stderr).toContain("'never' is invalid")
})
