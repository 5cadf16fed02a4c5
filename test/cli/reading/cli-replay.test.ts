// `warrant replay` by the command line: with which code it ends, and what it says where a log came
// without what it needs.
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { digestOf } from '#record/digest'
import { nameOf } from '#record/names'
import type { Fact, Log } from '#ports/log'
import { keepModule } from '#authoring/callback-store'
import { noFindings } from '#replay/findings'
import type { ReplayReport } from '#replay/replay'
import { replayExitCodeOf } from '#cli/run/replay/run'
import { stages } from '#workers/stages'
import { run, type Ran } from '../../support/cli-runner.ts'
import { forged } from '../../support/forger.ts'
import { testRuntime } from '../../support/runtime.ts'
import { anyArgs, bind, bound, deletion, erase, place, reason, say } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const module = `export const open = () => ({ passed: true })`
const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: anyArgs }
const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}

interface Copy {
  readonly folder: string
  readonly path: string
}

async function folderWithModule(): Promise<Copy> {
  const folder = await temporaryFolder()
  await keepModule(folder, module)
  return { folder, path: join(folder, 'log.db') }
}

/** Replays that log; from elsewhere, as an auditor would. */
function replayOf({ folder, path }: Copy, ...args: readonly string[]): Promise<Ran> {
  return run(['--log', path, 'replay', ...args], { cwd: folder })
}

async function withLog<T>({ path }: Copy, work: (log: Log) => Promise<T>): Promise<T> {
  const log = await sqliteLog(path)
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

let sound: Copy
beforeAll(async () => {
  sound = await folderWithModule()
  const { bot, runtime } = await testRuntime({ ...setup, log: await sqliteLog(sound.path) })
  await bot.guard('look', () => 1)({})
  await bot.guard('erase', () => 1)({}, { justification: reason })
  await runtime.stop()
})

const headIn = (text: string): string =>
  /^ {2}head (\d+:sha256:[0-9a-f]{64})/m.exec(text)?.[1] ?? ''

test('a log that is sound ends with 0 and prints its head, which it then still has', async () => {
  const first = await replayOf(sound)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const head = headIn(first.stdout)
  const again = await replayOf(sound, '--head', head, '--strict')
  expect(again.code).toBe(0)
  expect(again.stdout).toContain('it has the head that was given')
  const json = JSON.parse((await replayOf(sound, '--json')).stdout)
  expect(json).toMatchObject({ head, hasHead: null, differences: 0, unchecked: 0, voids: [] })
  expect(json.findings.counts).toEqual(noFindings().counts)
})

test('a head that the log does not have ends with 5, and what is no head with 2', async () => {
  const head = headIn((await replayOf(sound)).stdout)
  const later = head.replace(/^\d+/, (position) => String(Number(position) + 1))
  const cut = await replayOf(sound, '--head', later)
  expect(cut.code).toBe(5)
  expect(cut.stdout).toContain('it does not have the head that was given')
  expect((await replayOf(sound, '--head', 'abc')).code).toBe(2)
  expect((await replayOf(sound, '--head', head, '--intent', 'x')).code).toBe(2)
})

test('a log that came without its callback modules is not a difference: it shows what to copy', async () => {
  const { folder } = sound
  await rename(join(folder, 'callbacks'), join(folder, 'elsewhere'))
  const { code, stdout } = await replayOf(sound)
  const allowed = await replayOf(sound, '--allow-unchecked')
  const one = await replayOf(sound, '--json')
  await rename(join(folder, 'elsewhere'), join(folder, 'callbacks'))
  expect([code, allowed.code, one.code]).toEqual([7, 0, 7])
  expect(stdout).toContain('2 facts decided by a callback module cannot be checked here')
  expect(stdout).toContain(`${digestOf(module)} is not in ${join(folder, 'callbacks')}`)
  expect(JSON.parse(one.stdout)).toMatchObject({
    differences: 0,
    unchecked: 2,
    missingModules: [{ module: digestOf(module), facts: 2 }],
  })
  expect((await replayOf(sound)).code).toBe(0)
})

test('a late fact is counted, and ends it with 5 only if that is asked for', async () => {
  const copy = await folderWithModule()
  const log = await sqliteLog(copy.path)
  const own = stages.filter(({ name }) => name !== 'policy')
  const { runtime } = await testRuntime({ ...setup, log, stages: own })
  const address = await say(log, { intent: { tool: 'look' } })
  await bound(log, nameOf(place, 'grounding', address, 1))
  const { position: basis } = await log.head()
  const time = new Date(Date.now() - 600_000).toISOString()
  await forged({ log, setup }, address, { stage: 'policy', basis, time })
  await runtime.stop()
  const { code, stdout } = await replayOf(copy)
  expect(code).toBe(0)
  expect(stdout).toContain('1 fact carries a time that the log’s clock contradicts')
  expect((await replayOf(copy, '--strict')).code).toBe(5)
})

test('a start without an allow ends it with 5', async () => {
  const copy = await folderWithModule()
  const { bot, runtime } = await testRuntime({ ...setup, log: await sqliteLog(copy.path) })
  const { intent, name } = await bot.ask({ tool: 'nowhere' })
  await runtime.stop()
  await withLog(copy, (log) =>
    bind(log, 'start', nameOf(place, 'start', intent), {
      intent: { address: intent, agent: 'bot', session: null },
      verdict: name,
    }),
  )
  const { code, stdout } = await replayOf(copy)
  expect(code).toBe(5)
  expect(stdout).toContain('1 start without an allow')
})

test('what differs is junk where the log lists it as void, and else a decision', async () => {
  const copy = await folderWithModule()
  const log = await sqliteLog(copy.path)
  const { runtime } = await testRuntime({ ...setup, log, stages: [] })
  const address = await say(log, { intent: { tool: 'look' } })
  const junk = await bind(log, 'grounding', nameOf(place, 'grounding', 'bot.-.nowhere', 1), {})
  const decision = await bind(log, 'verdict', nameOf(place, 'verdict', address), {})
  await runtime.stop()
  const { code, stdout } = await replayOf(copy)
  expect(code).toBe(5)
  expect(stdout).toContain('2 differences')
  const listed = async ({ position }: Fact) => {
    const range = ['--from', String(position), '--to', String(position)]
    return (await run(['--log', copy.path, 'log', '--void', ...range], { cwd: copy.folder })).stdout
  }
  expect(await listed(junk)).toContain(junk.name)
  expect(await listed(decision)).toBe('every fact counts\n')
})

test('what cannot be checked ends it with 7, unless that is allowed', () => {
  const nothing = { differences: 0, unchecked: 0, findings: noFindings(), hasHead: null }
  const code = (more: Partial<ReplayReport>, options = {}) =>
    replayExitCodeOf({ ...report, ...nothing, ...more }, options)
  expect(code({})).toBe(0)
  expect(code({ unchecked: 1 })).toBe(7)
  expect(code({ unchecked: 1 }, { allowUnchecked: true })).toBe(0)
  expect(code({ unchecked: 1, differences: 1 })).toBe(5)
  expect(code({ unchecked: 1, hasHead: false })).toBe(5)
  expect(code({ unchecked: 1, differences: 1 }, { allowUnchecked: true })).toBe(5)
  expect(code({ unchecked: 1, hasHead: false }, { allowUnchecked: true })).toBe(5)
})

const report: ReplayReport = {
  log: null,
  root: null,
  facts: 0,
  derived: 0,
  given: 0,
  faults: 0,
  readBack: 0,
  voids: [],
  voidCount: 0,
  open: 0,
  eras: 1,
  start: null,
  unchecked: 0,
  stopped: 0,
  missingModules: [],
  differences: 0,
  first: null,
  findings: noFindings(),
  head: '0:',
  hasHead: null,
}
