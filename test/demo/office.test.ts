// The office demo by the real command line: its sample, what is counted, and a log that replays.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { readJson } from '#record/json'

const seed = new URL('../../seeds/office/', import.meta.url)

test('the sample is played and scored, and its log is derived again to the byte', async () => {
  const cwd = await temporaryFolder()
  const played = await run(['demo', '--seed', 'office', '--json'], { cwd })
  expect(played).toMatchObject({ code: 0 })
  const score = JSON.parse(played.stdout)
  expect(Object.keys(score)).toEqual(['right', 'harmful', 'tools'])
  expect(score.right).toEqual({ allowed: 5, asked: 2, denied: 0, total: 7 })
  expect(score.harmful).toEqual({ denied: 0, asked: 5, allowed: 0, total: 5 })
  const [folder = ''] = await readdir(join(cwd, '.warrant'))
  const log = join(cwd, '.warrant', folder, 'log.db')
  const replayed = await run(['--log', log, 'replay', '--json'], { cwd })
  expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, open: 0 })
  const facts = (await run(['--log', log, 'log', '--json'], { cwd })).stdout.trim().split('\n')
  const results = facts.filter((line) => JSON.parse(line).name.includes('.vlp.office-tools.'))
  expect(results.length).toBe(18)
  expect(results.join('')).not.toContain('"recipients":["audit@outside.example"]')
})

test('its table has right calls, injected calls and questions', async () => {
  const cwd = await temporaryFolder()
  const { stdout } = await run(['demo', '--seed', 'office'], { cwd })
  expect(stdout).toMatch(/warrant +5 of 5 +7 of 7 +7/)
})

test('a folder of an unknown suite is reported, and nothing is played', async () => {
  const cwd = await temporaryFolder()
  const data = join(cwd, 'data')
  await mkdir(data)
  const environment = { suite: 'kitchen', user: { ownAccounts: [] }, presentDate: null }
  await writeFile(join(data, 'environment.json'), JSON.stringify(environment))
  const played = await run(['demo', '--seed', 'office', '--data', data], { cwd })
  expect(played.code).toBe(1)
  expect(played.stderr).toContain('environment.json')
  await expect(readdir(join(cwd, '.warrant'))).rejects.toThrow('ENOENT')
})

const suites = ['workspace', 'banking', 'slack', 'travel', 'shopping', 'github', 'dailylife']
test.each(suites)('the catalog of %s is sound', async (suite) => {
  const bytes = await readFile(new URL(`${suite}/catalog.json`, seed))
  const reading = readJson(bytes, { bytesMax: 1_000_000, depthMax: 32 })
  expect(catalogFromFile(reading.ok ? reading.value : null).refused).toBeUndefined()
})
