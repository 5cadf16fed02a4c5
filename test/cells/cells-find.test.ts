// Commands that find, explain, plan, back up and give evidence, on a realm of two cells: each does
// all cells, or finds the right one, or says to name one.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { canStartNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { commands, json, type Commands } from './commands.ts'
import { agentOf } from './stand.ts'

describe.skipIf(!canStartNats)('on a realm of two cells', () => {
  let on: Commands
  let folder = ''
  let allowed = ''

  beforeAll(async () => {
    on = await commands()
    folder = await temporaryFolder()
    await on.asked(0, 'look')
    allowed = await on.asked(1, 'look')
    await on.asked(1, 'nowhere')
  })
  afterAll(() => on.at.dispose())

  test('facts are found in all of them', async () => {
    const denied = await on.printed('log', '--since', '1h', '--outcome', 'deny')
    expect(denied.map(({ cell, tool }) => [cell, tool])).toEqual([[1, 'nowhere']])
    const both = await on.printed('log', '--where', 'kind == "verdict" && tool == "look"')
    expect(both.map(({ cell }) => cell)).toEqual([0, 1])
    const agent = agentOf(on.at, 0)
    const one = await on.printed('log', '--agent', agent, '--name', 'verdict.>')
    expect(one.map(({ cell }) => cell)).toEqual([0])
    expect((await on.called('log', '--until', '1h')).stdout).toBe('')
    const [counted] = await on.printed('stats')
    expect(JSON.stringify(counted)).toContain('"nowhere"')
  })

  test('a request is explained in the cell of its agent', async () => {
    const [found] = await on.printed('explain', 'look', '--agent', agentOf(on.at, 1))
    expect(found).toMatchObject({ outcome: 'allow', agent: agentOf(on.at, 1) })
  })

  test('a backup has all of them, and is restored to a file for each', async () => {
    const file = join(folder, 'all.backup')
    const [made] = await on.printed('backup', file)
    expect(made.logs.map(({ realm }: { realm: string }) => realm)).toEqual([
      'main',
      'main-c0',
      'main-c1',
    ])
    const cwd = await temporaryFolder()
    expect(await run(['restore', file], { cwd })).toMatchObject({ code: 0 })
    const files = (await readdir(join(cwd, '.warrant'))).filter((name) => name.endsWith('.db'))
    expect(files.toSorted()).toEqual(['main-c0.db', 'main-c1.db', 'main.db'])
    const at = ['--log', '.warrant/main-c1.db', '--realm', 'main-c1', '--json']
    const replayed = await run(['replay', ...at], { cwd })
    expect(replayed.code).toBe(0)
    expect(json(replayed.stdout)[0]).toMatchObject({ differences: 0, head: made.logs[2].head })
    const [one] = await on.printed('backup', join(folder, 'c1.backup'), '--realm', 'main-c1')
    expect(one.logs).toHaveLength(1)
  })

  test('the evidence of an intent comes from its cell', async () => {
    const file = join(folder, 'one.export')
    const [made] = await on.printed('export', file, '--intent', allowed.slice(-8))
    const { code, stdout } = await on.called('verify', file, '--root-key', made.root, '--json')
    expect(code).toBe(0)
    expect(json(stdout)[0]).toMatchObject({ intent: allowed, derives: true })
  })

  test('a change is planned and applied for all, and tried on the intents of one', async () => {
    const seed = join(folder, 'seed')
    await on.printed('pull', seed)
    const file = join(seed, 'catalog.json')
    const catalog = JSON.parse(await readFile(file, 'utf8'))
    catalog.conditions = [{ name: 'none', when: 'true', effect: 'deny' }]
    await writeFile(file, JSON.stringify(catalog))
    const planned = await on.called('plan', seed)
    expect(planned.code).toBe(0)
    expect(planned.stderr).toContain('not previewed: the intents are in the 2 cells')
    const all = await on.called('whatif', seed)
    expect(all).toMatchObject({ code: 2, stdout: '' })
    expect(all.stderr).toContain('name one of main-c0, main-c1')
    const [flips] = await on.printed('whatif', seed, '--realm', 'main-c1')
    expect(flips.flips).toHaveLength(1)
    expect(await on.called('apply', seed, '--as', 'root')).toMatchObject({ code: 0 })
    const [verdict] = json(
      (await on.called('ask', 'look', '--agent', agentOf(on.at, 0), '--json')).stdout,
    )
    expect(verdict).toMatchObject({ outcome: 'deny' })
  })
})
