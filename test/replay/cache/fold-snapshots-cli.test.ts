// Snapshots of the fold by the command line: written, compared with the log, removed; and used by
// every command that folds.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const folder = (): string => join(cwd, '.warrant/snapshots/log.db')
const asking = ['ask', 'send_email', '--json', '--justification', 'Ann asked for her invoice']

beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await run(asking, { cwd })
})

test('where there is none it reports it, and how to write one', async () => {
  const { code, stderr } = await run(['log', 'snapshot', '--check'], { cwd })
  expect(code).toBe(1)
  expect(stderr).toContain('write one with `warrant log snapshot`')
  expect((await run(['log', 'snapshot', '--check', '--remove'], { cwd })).code).toBe(2)
  const memory = await run(['log', 'snapshot', '--log', 'memory:'], { cwd })
  expect(memory).toMatchObject({ code: 1, stderr: expect.stringContaining('memory') })
})

test('one is written, matches the log, and the next command begins with it', async () => {
  const { code, stdout } = await run(['log', 'snapshot', '--json'], { cwd })
  expect(code).toBe(0)
  const { position } = JSON.parse(stdout)
  expect(await readdir(folder())).toEqual([`main.any.1.${position}.ndjson`])
  const checked = await run(['log', 'snapshot', '--check'], { cwd })
  expect(checked.code).toBe(0)
  expect(checked.stdout).toContain(`position ${position} matches the log, byte for byte`)
  expect(checked.stdout).toContain(`${position} facts folded`)
  const answered = JSON.parse((await run(asking, { cwd })).stdout)
  expect(answered).toMatchObject({ reasons: [{ code: 'ungrounded' }] })
  expect((await run(['replay'], { cwd })).code).toBe(0)
})

test('one that differs from the log is found, wherever it differs', async () => {
  const { path } = JSON.parse((await run(['log', 'snapshot', '--json'], { cwd })).stdout)
  const text = await readFile(path, 'utf8')
  for (const [from, to, kind] of [
    ['"root":', '"ruut":', 'head'],
    ['"graphRevision":', '"grafRevision":', 'head'],
    [/\n$/, '\n\n', 'end'],
    [/[^\n]*\n$/, '', ''],
  ] as const) {
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    await writeFile(path, changed)
    const { code, stdout } = await run(['log', 'snapshot', '--check'], { cwd })
    expect({ from, code }).toEqual({ from, code: 5 })
    expect(stdout).toContain('does not match the log')
    expect(stdout).toContain(`(${kind}`)
    expect(stdout).toContain('warrant log snapshot --remove')
  }
  await writeFile(path, text)
  expect((await run(['log', 'snapshot', '--check'], { cwd })).code).toBe(0)
})

test('they are removed, and those of another realm are not', async () => {
  await writeFile(join(folder(), 'other.any.1.1.ndjson'), '')
  const { stdout } = await run(['log', 'snapshot', '--remove', '--json'], { cwd })
  expect(JSON.parse(stdout)).toEqual({ removed: 2 })
  expect(await readdir(folder())).toEqual(['other.any.1.1.ndjson'])
  expect((await run(['log', 'snapshot', '--remove'], { cwd })).stdout).toBe('0 snapshots removed\n')
})
