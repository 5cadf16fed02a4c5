// What the command line says of a clock that a log in a file does not believe, and the ways out.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { quietSince } from '#runtime/logs/clock-doubt'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const day = 86_400_000
const junk = { name: 'main.1.note.junk', bytes: Buffer.from('{}') }
const ask = ['ask', 'send_email', '--arg', 'id=1', '--justification', 'Ann asked for her invoice']

/** Returns when that was, by that clock. */
async function appendAt(path: string, shiftMs: number): Promise<number> {
  const at = Date.now() + shiftMs
  const clock = { now: () => at }
  const log = await sqliteLog(path, { clock, acceptClock: true })
  await log.append(junk)
  await log.close()
  return at
}

test('a log that a clock ran ahead in is used again once an era rotation has set it back', async () => {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await appendAt(join(cwd, '.warrant/log.db'), 3_650 * day)
  const refused = await run([...ask, '--json'], { cwd })
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'clock_behind' } })
  expect(refused.stderr).toContain('warrant log rotate --reset-clock')
  const doctor = await run(['doctor', '--json'], { cwd })
  const clock = JSON.parse(doctor.stdout).findings.find(
    ({ check }: { check: string }) => check === 'clock',
  )
  expect(clock).toMatchObject({ status: 'failure' })
  expect(await run(['log', 'rotate', '--reset-clock'], { cwd })).toMatchObject({ code: 0 })
  expect((await run(ask, { cwd })).code).not.toBe(1)
  expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
  const again = await run(['log', 'rotate', '--reset-clock', '--json'], { cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'clock_not_behind' } })
})

test('after more than 30 quiet days it takes a word that the clock is right', async () => {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const log = ['--log', join(cwd, '.warrant/old.db')]
  await appendAt(join(cwd, '.warrant/old.db'), -31 * day)
  const seed = ['seed', join(cwd, 'warrant'), ...log]
  const refused = await run([...seed, '--json'], { cwd })
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'clock_ahead' } })
  expect(refused.stderr).toContain('--accept-clock')
  expect(await run([...seed, '--accept-clock'], { cwd })).toMatchObject({ code: 0 })
})

test('a person is asked only where the log was quiet for too long', async () => {
  const folder = await temporaryFolder()
  const placeOf = (name: string) => ({ url: join(folder, name), folder })
  const shift = -31 * day
  const at = await appendAt(join(folder, 'old.db'), shift)
  await appendAt(join(folder, 'new.db'), shift + 2 * day)
  await appendAt(join(folder, 'ahead.db'), day)
  expect(await quietSince(placeOf('old.db'))).toBe(at)
  for (const name of ['new.db', 'ahead.db', 'none.db']) {
    expect(await quietSince(placeOf(name))).toBeNull()
  }
  expect(await quietSince({ url: 'memory:', folder: null })).toBeNull()
})
