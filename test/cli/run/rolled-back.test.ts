// A log that went on from an older state of itself, as after an old backup was put in its place:
// every command that would add to it refuses, what shows it reports it, and a policy admin accepts
// it.
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { keysOf, run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asking = ['ask', 'send_email', '--agent', 'my-agent', '--json']
const code = 'log_rolled_back'

let cwd = ''
const inFolder = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
/** As someone else on this machine, who has marks of their own. */
const asOther = (...args: readonly string[]): Promise<Ran> =>
  run(args, { cwd, env: { WARRANT_MARKS: join(cwd, '.other') } })
/** As someone who has no place for any. */
const asAnyone = (...args: readonly string[]): Promise<Ran> =>
  run(args, { cwd, env: { WARRANT_MARKS: '/dev/null/marks' } })

async function lastPosition(): Promise<number> {
  const { stdout } = await asAnyone('log', '--json', '--from', '-1')
  return Number(JSON.parse(stdout.trim()).position)
}

const saved = (name: string): Promise<void> =>
  cp(join(cwd, '.warrant'), join(cwd, name), { recursive: true })

async function broughtBack(name: string): Promise<void> {
  await rm(join(cwd, '.warrant'), { recursive: true })
  await cp(join(cwd, name), join(cwd, '.warrant'), { recursive: true })
}

async function begun(): Promise<void> {
  cwd = await temporaryFolder()
  expect(await beginKnowing({ cwd })).toMatchObject({ code: 0 })
  expect((await inFolder(...asking)).code).toBe(3)
  await saved('older')
  expect(await inFolder('suspend', 'my-agent')).toMatchObject({ code: 0 })
  expect((await inFolder(...asking)).code).toBe(3)
}

describe('a log that is shorter than this user saw it', () => {
  beforeAll(async () => {
    await begun()
    expect((await asOther('replay')).code).toBe(0)
    await broughtBack('older')
  })

  test.each([
    asking,
    ['suspend', 'my-agent'],
    ['apply', 'warrant'],
    ['seed', 'warrant'],
    ['unsuspend', 'my-agent'],
    ['withdraw', 'any'],
    ['log', 'rotate'],
    ['log', 'snapshot'],
    ['up'],
    ['up', 'http', '--listen', '127.0.0.1:0'],
    ['catalog', 'export'],
  ])('is refused by %s', async (...args) => {
    const before = await lastPosition()
    const { stdout, stderr, code: exit } = await inFolder(...args)
    expect({ args, exit, stdout, stderr }).toMatchObject({ exit: 5 })
    expect(stderr).toContain('was rolled back')
    expect(stderr).toContain('warrant log accept-rollback')
    expect(await lastPosition()).toBe(before)
  })

  test.each([
    [0, ['log']],
    [0, ['log', '--open']],
    [0, ['log', '--eras']],
    [0, ['log', '--void']],
    [0, ['stats']],
    [0, ['stats', '--people']],
    [0, ['catalog', 'show']],
    [5, ['replay']],
    [5, ['backup', 'now.backup']],
    [1, ['doctor']],
  ])('with exit code %s is shown by %s, which reports it', async (exit, args) => {
    const { stdout, stderr, code: exited } = await inFolder(...args)
    expect({ args, exited, stdout, stderr }).toMatchObject({ exited: exit })
    expect(stderr).toContain('was rolled back')
    if (exit !== 0 && args[0] !== 'backup') expect(stdout).toContain('was rolled back')
  })

  test('is whole to who has not seen it', async () => {
    expect(await asAnyone('replay')).toMatchObject({ code: 0, stderr: '' })
  })

  test('is also refused once it is longer than it was', async () => {
    const before = await lastPosition()
    for (let times = 0; times < 4; times += 1) expect((await asAnyone(...asking)).code).toBe(3)
    expect(await lastPosition()).toBeGreaterThan(before + 4)
    expect((await inFolder(...asking)).stdout).toContain(code)
    expect((await inFolder('replay')).code).toBe(5)
  })

  test('goes on for everyone, once a policy admin accepts it in the log', async () => {
    const { stdout, code: exit } = await inFolder('log', 'accept-rollback', '--note', 'the disk')
    expect({ exit, stdout }).toMatchObject({ exit: 0 })
    expect((await inFolder('log')).stdout).toContain('accept the rollback to')
    expect((await inFolder(...asking)).code).toBe(3)
    expect(await inFolder('replay')).toMatchObject({ code: 0, stderr: '' })
    expect(await asOther('replay')).toMatchObject({ code: 0, stderr: '' })
    const again = await inFolder('log', 'accept-rollback', '--json')
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('log_not_rolled_back') })
  })

  test('is also accepted by who saw less of it', async () => {
    await begun()
    await broughtBack('older')
    expect((await inFolder(...asking)).stdout).toContain(code)
    const without = await asAnyone('log', 'accept-rollback', '--json')
    expect(without.stdout).toContain('log_not_rolled_back')
    const accepted = await asAnyone('log', 'accept-rollback', '--seen', '99')
    expect(accepted).toMatchObject({ code: 0 })
    expect((await inFolder(...asking)).code).toBe(3)
  })

  test('cannot be brought back behind what was accepted', async () => {
    await saved('accepted')
    expect((await inFolder(...asking)).code).toBe(3)
    await broughtBack('accepted')
    expect((await inFolder(...asking)).stdout).toContain(code)
    await broughtBack('older')
    expect((await inFolder(...asking)).stdout).toContain(code)
    expect(await inFolder('log', 'accept-rollback')).toMatchObject({ code: 0 })
    expect((await inFolder(...asking)).code).toBe(3)
    expect(await asOther('replay')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('no one is kept from', () => {
  test('a log that lies elsewhere, or is another', async () => {
    await begun()
    await saved('elsewhere')
    await mkdir(join(cwd, 'elsewhere'), { recursive: true })
    const moved = await inFolder(...asking, '--log', join(cwd, 'elsewhere/log.db'))
    expect(moved.code).toBe(3)
    await rm(join(cwd, '.warrant'), { recursive: true })
    await rm(join(cwd, 'warrant'), { recursive: true })
    expect(await inFolder('init')).toMatchObject({ code: 0 })
    expect(await inFolder('replay')).toMatchObject({ code: 0, stderr: '' })
  })

  test('any log but another, where one is demanded', async () => {
    await begun()
    const { log } = JSON.parse((await inFolder('replay', '--json')).stdout)
    const env = { WARRANT_LOG_ID: log }
    expect((await run(asking, { cwd, env })).code).toBe(3)
    await rm(join(cwd, '.warrant'), { recursive: true })
    await rm(join(cwd, 'warrant'), { recursive: true })
    expect((await run(['init', '--json'], { cwd, env })).stdout).toContain('log_id_differs')
    expect(await readdir(cwd)).not.toContain('warrant')
    expect(await inFolder('init')).toMatchObject({ code: 0 })
    for (const args of [asking, ['replay', '--json'], ['log', '--json']]) {
      expect((await run(args, { cwd, env })).stdout).toContain('log_id_differs')
    }
  })

  test('a log where nothing can be kept, which doctor reports', async () => {
    await begun()
    await broughtBack('older')
    const env = { WARRANT_MARKS: '/dev/null/marks' }
    expect((await run(asking, { cwd, env })).code).toBe(3)
    const { stdout } = await run(['doctor', '--json'], { cwd, env })
    const { findings } = JSON.parse(stdout)
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'rollback', status: 'warning' }),
    )
  })

  test('honest work in silence: an unreadable mark names its file', async () => {
    await begun()
    const [folder = ''] = await readdir(join(keysOf(cwd), 'marks'))
    const [file = ''] = await readdir(join(keysOf(cwd), 'marks', folder))
    const path = join(keysOf(cwd), 'marks', folder, file)
    for (const text of ['', '{"format":1}', 'null', '{"format":2,"of":"more"}']) {
      await writeFile(path, text)
      const { stdout } = await inFolder(...asking)
      expect(stdout).toContain('mark_unreadable')
      expect(stdout).toContain(path)
      expect(stdout.includes('a newer version wrote it')).toBe(text.includes('"format":2'))
    }
    await rm(path)
    expect((await inFolder(...asking)).code).toBe(3)
  })
})

test('a snapshot beyond the end fails a check, though no mark is kept', async () => {
  await begun()
  expect(await inFolder('log', 'snapshot')).toMatchObject({ code: 0 })
  const snapshots = join(cwd, '.warrant/snapshots')
  await cp(snapshots, join(cwd, 'kept'), { recursive: true })
  await broughtBack('older')
  await cp(join(cwd, 'kept'), snapshots, { recursive: true })
  const { stdout, code: exit } = await asAnyone('doctor', '--json')
  const { findings } = JSON.parse(stdout)
  expect(findings).toContainEqual(expect.objectContaining({ check: 'rollback', status: 'failure' }))
  expect(exit).toBe(1)
  expect(await asAnyone('log', 'snapshot', '--remove')).toMatchObject({ code: 0 })
  expect((await asAnyone('doctor')).stdout).not.toContain('an older state of it')
})

describe('an older backup', () => {
  beforeAll(async () => {
    await begun()
    expect(await inFolder('backup', 'old.backup')).toMatchObject({ code: 0, stderr: '' })
    expect((await inFolder(...asking)).code).toBe(3)
  })

  test('is whole, and reported to be older than its log', async () => {
    const { code: exit, stderr } = await inFolder('verify', 'old.backup')
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect(stderr).toContain('it is older than its log')
  })

  test('is restored, and refused where more was seen, until that is accepted', async () => {
    const log = join(cwd, 'back/log.db')
    const restored = await inFolder('restore', 'old.backup', '--log', log)
    expect(restored.code).toBe(0)
    expect(restored.stderr).toContain('was rolled back')
    expect((await inFolder(...asking, '--log', log)).stdout).toContain(code)
    expect((await inFolder(...asking)).code).toBe(3)
    expect(await inFolder('log', 'accept-rollback', '--log', log)).toMatchObject({ code: 0 })
    expect((await inFolder(...asking, '--log', log)).code).toBe(3)
    // The log that went on without it is now the other one.
    expect((await inFolder(...asking)).stdout).toContain(code)
    const wrong = await inFolder('verify', 'old.backup')
    expect(wrong.stderr).toContain('it is older than its log')
  })

  test('goes on in silence where nothing of it was seen', async () => {
    const there = await temporaryFolder()
    const restored = await run(['restore', join(cwd, 'old.backup')], { cwd: there })
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect((await run(asking, { cwd: there })).code).toBe(3)
  })

  test('of a log that went another way is not whole', async () => {
    await begun()
    await broughtBack('older')
    for (let times = 0; times < 4; times += 1) expect((await asAnyone(...asking)).code).toBe(3)
    expect((await asAnyone('backup', 'other.backup')).code).toBe(0)
    const { code: exit, stderr } = await inFolder('verify', 'other.backup')
    expect({ exit, stderr }).toMatchObject({ exit: 5 })
    expect(stderr).toContain('was rolled back')
  })
})
