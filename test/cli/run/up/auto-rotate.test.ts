// Eras that are rotated without a person, as the command line sets it up and shows it.
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { run, type Ran } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
const inFolder = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const rotationOf = async (): Promise<unknown> =>
  JSON.parse((await inFolder('catalog', 'show', '--json')).stdout).rotation

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await beginKnowing({ cwd })).toMatchObject({ code: 0 })
})

test('nothing allows it before someone signs for it, and then no server keeps eras', async () => {
  expect(await rotationOf()).toBe(undefined)
  expect(await inFolder('up', 'eras')).toMatchObject({ code: 1 })
  expect((await inFolder('doctor', '--json')).stdout).not.toContain('"check":"eras"')
  const off = await inFolder('log', 'auto-rotate', '--off')
  expect(off).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to take back') })
})

test.each([
  ['--facts', '999'],
  ['--days', '4000'],
  ['--least-hours', '9000'],
])('terms that no catalog takes are refused, with the bounds: %s %s', async (...given) => {
  const refused = await inFolder('log', 'auto-rotate', ...given)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('1000 to 1000000000') })
  expect(await rotationOf()).toBe(undefined)
})

test('one command makes a key that only its user reads, and signs the terms', async () => {
  const made = await inFolder('log', 'auto-rotate', '--facts', '2000', '--json')
  expect(made).toMatchObject({ code: 0 })
  const { key, rotation } = JSON.parse(made.stdout)
  expect(rotation).toEqual({ facts: 2_000, ageMs: 30 * 86_400_000, leastMs: 3_600_000 })
  expect(await rotationOf()).toEqual(rotation)
  expect((await stat(key)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(cwd, '.warrant', 'keeper'))).toEqual(['era-keeper.pem'])
  const again = await inFolder('log', 'auto-rotate', '--days', '7', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ key, rotation: { ageMs: 7 * 86_400_000 } })
})

test('terms that are not given stay as they were signed, and after --off they are new', async () => {
  const hourMs = 3_600_000
  const dayMs = 24 * hourMs
  const signed = async (...given: readonly string[]): Promise<unknown> => {
    expect(await inFolder('log', 'auto-rotate', ...given)).toMatchObject({ code: 0 })
    return rotationOf()
  }
  const before = { facts: 2_000, ageMs: 7 * dayMs, leastMs: hourMs }
  expect(await signed('--least-hours', '2')).toEqual({ ...before, leastMs: 2 * hourMs })
  expect(await signed('--facts', '3000')).toEqual({
    facts: 3_000,
    ageMs: 7 * dayMs,
    leastMs: 2 * hourMs,
  })
  expect(await signed()).toEqual({ facts: 3_000, ageMs: 7 * dayMs, leastMs: 2 * hourMs })
  await inFolder('log', 'auto-rotate', '--off')
  expect(await signed('--days', '8')).toEqual({
    facts: 1_000_000,
    ageMs: 8 * dayMs,
    leastMs: hourMs,
  })
})

test('its key is no key of a person: no command signs with it unasked', async () => {
  const { stdout } = await inFolder('keys', 'list')
  expect(stdout).not.toContain('era-keeper')
  const key = join(cwd, '.warrant', 'keeper', 'era-keeper.pem')
  expect(await readFile(key, 'utf8')).toContain('PRIVATE KEY')
  for (const command of [
    ['suspend', 'my-agent'],
    ['log', 'rotate'],
  ]) {
    const refused = await inFolder(...command, '--key', key, '--as', 'era-keeper')
    expect(refused.code).not.toBe(0)
  }
  expect((await inFolder('log', '--eras', '--json')).stdout).toContain('"era":1')
})

test('doctor and the list of eras show how far an era is from its end', async () => {
  const { stdout } = await inFolder('doctor', '--json')
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ check: 'eras', found: expect.stringMatching(/era 1 has \d+ of/) }),
  )
  expect((await inFolder('log', '--eras')).stdout).toMatch(/is due in .*, by its age/)
})

test('a sealed era that is not archived is reported, and a policy admin takes it all back', async () => {
  expect(await inFolder('log', 'rotate')).toMatchObject({ code: 0 })
  expect((await inFolder('doctor')).stdout).toContain('1 sealed era not archived')
  const elsewhere = join(cwd, 'elsewhere')
  const at = ['doctor', '--archive', elsewhere]
  expect((await inFolder(...at)).stdout).toContain('1 sealed era not archived')
  await mkdir(elsewhere)
  await writeFile(join(elsewhere, 'main-era-1.backup'), '')
  expect((await inFolder(...at)).stdout).not.toContain('not archived')
  expect(await inFolder('log', 'auto-rotate', '--off')).toMatchObject({ code: 0 })
  expect(await rotationOf()).toBe(undefined)
  expect((await inFolder('log', '--eras')).stdout).not.toContain('is due')
})
