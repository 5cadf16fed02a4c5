// The demo by the real command line: recorded work in, a score and a log that replays out.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, runChild, says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'
import { partOfAirline } from './part-of-airline.ts'

async function logsIn(cwd: string): Promise<string[]> {
  const folders = await readdir(join(cwd, '.warrant'))
  return folders.map((folder) => join(cwd, '.warrant', folder, 'log.db'))
}

test('another folder is played and scored, and its log is derived again to the byte', async () => {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 12)
  const played = await run(['demo', '--data', data, '--json'], { cwd })
  expect(played).toMatchObject({ code: 0 })
  const score = JSON.parse(played.stdout)
  expect(Object.keys(score)).toEqual(['right', 'harmful', 'questions', 'tools'])
  expect(score.right.allowed).toBe(score.right.total)
  expect(score.right.total).toBeGreaterThan(0)
  expect(score.harmful.stopped).toBeGreaterThan(0)
  const [log = ''] = await logsIn(cwd)
  const replayed = await run(['--log', log, 'replay', '--json'], { cwd })
  expect(replayed.code).toBe(0)
  expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, open: 0 })
})

test('a denied call has no result in the log, and each run begins a new log', async () => {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 3)
  const first = await run(['demo', '--data', data], { cwd })
  expect(first.stdout).toContain('deny all')
  expect(first.stdout).toContain('allow all')
  await run(['demo', '--data', data], { cwd })
  const logs = await logsIn(cwd)
  expect(logs).toHaveLength(2)
  const facts = await run(['--log', logs[0] ?? '', 'log', '--json'], { cwd })
  const lines = facts.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const denied = lines
    .filter(({ name, fact }) => name.includes('.verdict.') && fact.data.outcome === 'deny')
    .map(({ name }) => name.replace('.verdict.', '.vlp.'))
  const evidence = lines.filter(({ name }) => name.includes('.vlp.airline-tools.'))
  expect(denied.length).toBeGreaterThan(0)
  expect(evidence.length).toBeGreaterThan(0)
  expect(evidence.filter(({ fact }) => denied.includes(fact.refers_to))).toEqual([])
})

test('a line that cannot be read is reported by its number, and nothing is played', async () => {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 1)
  await writeFile(join(data, 'calls.ndjson'), '{"session":"a","step":1}\n')
  const played = await run(['demo', '--data', data], { cwd })
  expect(played.code).toBe(6)
  expect(played.stderr).toContain('line 1')
  await expect(readdir(join(cwd, '.warrant'))).rejects.toThrow('ENOENT')
})

test('a folder without a recording is reported', async () => {
  const cwd = await temporaryFolder()
  const played = await run(['demo', '--data', join(cwd, 'nowhere')], { cwd })
  expect(played.code).toBe(1)
  expect(played.stderr).toContain('calls.ndjson')
})

test.runIf(isFull)('Ctrl-C ends it after its present steps, with a log that replays', async () => {
  const cwd = await temporaryFolder()
  const data = await partOfAirline(cwd, 20)
  const child = start(['demo', '--fleet', '1', '--data', data], { cwd })
  const end = ended(child)
  await says(child, 'stderr', 'playing')
  child.kill('SIGINT')
  const { code, stdout } = await end
  expect(code).toBe(0)
  expect(stdout).toContain('interrupted')
  const [log = ''] = await logsIn(cwd)
  const replayed = await runChild(['--log', log, 'replay', '--json'], { cwd })
  expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0 })
})
