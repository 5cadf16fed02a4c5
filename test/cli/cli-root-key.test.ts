// The root key that commands demand: a log that someone else began is refused by each of them.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '#client/connect'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { keysOf, run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Begun {
  readonly cwd: string
  readonly log: string
  readonly root: string
}

async function begun(cwd: string): Promise<Begun> {
  expect((await beginKnowing({ cwd })).code).toBe(0)
  const { stdout, code } = await run(['replay', '--json'], { cwd })
  expect(code).toBe(0)
  const { log, root } = JSON.parse(stdout)
  return { cwd, log, root }
}

/** The same folder with another log in it, whose root is a key of someone else. */
async function replaced(before: Begun): Promise<Begun> {
  const { cwd } = before
  await rm(join(cwd, '.warrant'), { recursive: true })
  await rm(join(cwd, 'warrant'), { recursive: true, force: true })
  await rm(keysOf(cwd), { recursive: true })
  return begun(cwd)
}

const commands = [
  ['replay'],
  ['log'],
  ['log', 'snapshot', '--check'],
  ['catalog', 'show'],
  ['graph', 'show'],
  ['graph', 'check'],
  ['catalog', 'export'],
  ['reviews'],
  ['seed', 'warrant'],
  ['up'],
]

test('a log that was replaced by one with another root is refused by every command', async () => {
  const before = await begun(await temporaryFolder())
  const { cwd, log, root } = await replaced(before)
  expect(root).not.toBe(before.root)
  expect(log).not.toBe(before.log)
  for (const command of commands) {
    const given = await run([...command, '--root-key', before.root, '--json'], { cwd })
    expect([command, given.code, given.stdout]).toEqual([
      command,
      1,
      expect.stringContaining('root_key_differs'),
    ])
  }
  const env = { WARRANT_ROOT_KEY: before.root }
  expect((await run(['replay', '--json'], { cwd, env })).stdout).toContain('root_key_differs')
  expect((await run(['replay', '--root-key', root], { cwd, env })).code).toBe(0)
})

test('the right root key changes nothing, and what is no key is a slip', async () => {
  const { cwd, log, root } = await begun(await temporaryFolder())
  const { code, stdout } = await run(['replay', '--root-key', root], { cwd })
  expect([code, stdout.includes(`the log ${log}, begun by the key ${root}`)]).toEqual([0, true])
  expect((await run(['replay', '--root-key', 'mine'], { cwd })).code).toBe(2)
})

test('a program that connects demands it as well', async () => {
  const { cwd, root } = await begun(await temporaryFolder())
  const log = join(cwd, '.warrant', 'log.db')
  const refused = connect({ log, rootKey: 'A'.repeat(16) })
  await expect(refused).rejects.toMatchObject({ code: 'root_key_differs' })
  const client = await connect({ log, rootKey: root })
  expect(client.runtime.follower.state.root).toBe(root)
  await client.close()
})

test('production is refused until a root key is demanded', async () => {
  const { cwd } = await begun(await temporaryFolder())
  const up = await run(['up', '--production'], { cwd })
  expect([up.code, up.stderr.includes('root: no root key is set')]).toEqual([1, true])
})

test('who begins a log learns what to pin, and only then', async () => {
  const { cwd } = await begun(await temporaryFolder())
  const other = ['--log', join(cwd, 'other.db')]
  const tried = await run(['seed', 'warrant', '--dry-run', ...other], { cwd })
  expect(tried.stdout).not.toContain('WARRANT_LOG_ID')
  const first = await run(['seed', 'warrant', ...other], { cwd })
  const { log, root } = JSON.parse((await run(['replay', '--json', ...other], { cwd })).stdout)
  expect(first.stdout).toContain(`export WARRANT_ROOT_KEY=${root} WARRANT_LOG_ID=${log}`)
  const again = await run(['seed', 'warrant', '--json', ...other], { cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ log, root, changes: [] })
  const text = await run(['seed', 'warrant', ...other], { cwd })
  expect(text.stdout).not.toContain('WARRANT_LOG_ID')
  expect((await run(['doctor', ...other], { cwd })).stdout).toContain(
    `${log}, begun by the key ${root}`,
  )
})
