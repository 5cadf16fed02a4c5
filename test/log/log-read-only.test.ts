// Who may read a log and not write it reads all of it, and learns why nothing can be appended: by
// permission, on a read-only file system, on a full disk.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sqliteLog } from '#log/sqlite/log'
import { readOnlySqliteLog } from '#log/sqlite/read-only'
import type { Log } from '#ports/log'
import { builtFile } from '../support/vitest/built.ts'
import { ended } from '../support/cli-process.ts'
import { run, type Ran } from '../support/cli-runner.ts'
import { allNotes, codeOf, entryOf, gather, never, numbered } from './conformance/cases.ts'
import { positions } from './conformance/cases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const script = builtFile('test/log/read-only-commands.ts')
const Results = z.array(z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }))
const isRoot = process.getuid?.() === 0
/** Root may do everything, whatever the modes say. */
const noOneElse = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** Root may have put this program where no one else may read it. */
function mayReaderRun(): boolean {
  const probe = `fs.accessSync(${JSON.stringify(script)}, fs.constants.R_OK)`
  return spawnSync(process.execPath, ['-e', probe], noOneElse).status === 0
}

const whyNoReader = 'another user may not read this program here'

async function asReader(cwd: string, commands: readonly (readonly string[])[]): Promise<Ran[]> {
  const child = spawn(process.execPath, [script, JSON.stringify(commands)], {
    cwd,
    ...noOneElse,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' },
  })
  child.stdin.end()
  const { stdout, stderr } = await ended(child)
  expect(stderr).toBe('')
  return Results.parse(JSON.parse(stdout))
}

/** A folder with a log of some intents, that its owner alone may write. */
async function folderOfOwner(parent: string): Promise<void> {
  const reason = ['--justification', 'Ann asked for her invoice']
  await run(['init'], { cwd: parent })
  for (const id of ['1', '2']) {
    await run(['ask', 'send_email', '--arg', `id=${id}`, ...reason], { cwd: parent })
  }
}

function lock(cwd: string): void {
  chmodSync(join(cwd, '.warrant/log.db'), 0o444)
  chmodSync(join(cwd, '.warrant'), 0o555)
  chmodSync(cwd, 0o755)
  onTestFinished(() => chmodSync(join(cwd, '.warrant'), 0o755))
}

const reading = (address: string): readonly (readonly string[])[] => [
  ['log'],
  ['log', '--open'],
  ['trace', address],
  ['replay'],
  ['graph', 'show'],
  ['catalog', 'show'],
  ['reviews'],
  ['proposals'],
  ['policy', 'list'],
  ['faults'],
  ['graph', 'import', 'warrant/graph.json', '--dry-run'],
]

describe('a log that this user may read and not write', () => {
  let cwd = ''
  let address = ''

  beforeAll(async () => {
    cwd = await temporaryFolder()
    await folderOfOwner(cwd)
    const { stdout } = await run(['log', '--json', '--name', 'vlp.>', '--limit', '1'], { cwd })
    address = String(JSON.parse(stdout).name).split('.').slice(3).join('.')
  })

  test.runIf(isFull)(
    'is read by every command that reads, and nothing is made beside it',
    async (context) => {
      if (!mayReaderRun()) return context.skip(whyNoReader)
      lock(cwd)
      const before = readdirSync(join(cwd, '.warrant'))
      const commands = reading(address)
      const ran = await asReader(cwd, commands)
      const failed = ran.flatMap((each, index) =>
        each.code === 0 ? [] : [[commands[index], each]],
      )
      expect(failed).toEqual([])
      expect(readdirSync(join(cwd, '.warrant'))).toEqual(before)
    },
  )

  test('takes nothing, and reports why and what to do', async (context) => {
    if (!mayReaderRun()) return context.skip(whyNoReader)
    lock(cwd)
    const [asked, doctor] = await asReader(cwd, [
      ['ask', 'send_email', '--arg', 'id=3', '--json'],
      ['doctor', '--json'],
    ])
    expect(asked?.code).toBe(1)
    expect(JSON.parse(asked?.stdout ?? '')).toMatchObject({ error: { code: 'log_read_only' } })
    expect(asked?.stderr).toContain('use the account that owns it')
    const { findings } = JSON.parse(doctor?.stdout ?? '')
    const about = (check: string) =>
      findings.flatMap((each: { check: string; found: string }) =>
        each.check === check ? [each.found] : [],
      )
    expect(about('log')).toEqual([expect.stringMatching(/^\d+ facts folded/)])
    expect(about('file').join()).toContain('may not write it')
  })

  test('is read while its owner writes it', async (context) => {
    if (!mayReaderRun()) return context.skip(whyNoReader)
    const log = await sqliteLog(join(cwd, '.warrant/log.db'))
    onTestFinished(() => log.close())
    await log.append({ name: 'main.1.note.late', bytes: Buffer.from('{}') })
    lock(cwd)
    const [ran] = await asReader(cwd, [['log', '--from', '-1', '--json']])
    expect(JSON.parse(ran?.stdout ?? '')).toMatchObject({ name: 'main.1.note.late' })
  })
})

describe('a handle that only reads', () => {
  async function opened(): Promise<{ path: string; log: Log; reader: Log }> {
    const path = join(await temporaryFolder(), 'log.db')
    const log = await sqliteLog(path)
    await Promise.all(numbered(3).map((entry) => log.append(entry)))
    await log.close()
    const reader = readOnlySqliteLog(path)
    onTestFinished(() => reader.close())
    return { path, log, reader }
  }

  test('follows what others append after it was opened, whether they stay or go', async () => {
    const { path, reader } = await opened()
    const followed = gather(reader.follow(1, never), 5)
    const first = await sqliteLog(path)
    await first.append(entryOf(4))
    await first.close()
    const second = await sqliteLog(path)
    onTestFinished(() => second.close())
    await second.append(entryOf(5))
    expect(positions(await followed)).toEqual([1, 2, 3, 4, 5])
    expect((await reader.head()).position).toBe(5)
    expect(positions(await gather(reader.read({ from: 4 }, allNotes)))).toEqual([4, 5])
  })

  test('refuses to append and to work', async () => {
    const { reader } = await opened()
    expect(await codeOf(reader.append(entryOf(4)))).toBe('log_read_only never')
    const work = reader.work('q', allNotes, { inFlightMax: 1, signal: never })
    expect(await codeOf(gather(work))).toBe('log_read_only never')
  })

  test('writes nothing beside the file', async () => {
    const { path, reader } = await opened()
    const files = readdirSync(join(path, '..'))
    await gather(reader.read({}))
    expect(readdirSync(join(path, '..'))).toEqual(files)
  })
})

function mounted(args: readonly string[]): boolean {
  const { status } = spawnSync('mount', args)
  const folder = args.at(-1) ?? ''
  if (status === 0) onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  return status === 0
}

const why = 'a file system cannot be mounted here: it takes root'

test('on a read-only file system it is read, and reports it when something is appended', async (context) => {
  const cwd = await temporaryFolder()
  const source = await temporaryFolder()
  await folderOfOwner(source)
  if (!mounted(['-o', 'ro,bind', source, cwd])) return context.skip(why)
  expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
  expect(await run(['log', '--open'], { cwd })).toMatchObject({ code: 0 })
  const asked = await run(['ask', 'send_email', '--arg', 'id=3', '--json'], { cwd })
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: 'log_read_only' } })
  expect(asked.stderr).toContain('read-only file system')
})

test('on a full disk it is read, reports it, and goes on once there is room', async (context) => {
  const cwd = await temporaryFolder()
  if (!mounted(['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', cwd])) return context.skip(why)
  await folderOfOwner(cwd)
  const filler = join(cwd, 'filler')
  for (let size = 65_536, bytes = 0; size >= 1_024; size /= 2) {
    for (; fits(filler, size); bytes += size);
  }
  expect(statSync(filler).size).toBeGreaterThan(0)
  for (const args of [['replay'], ['log', '--open'], ['graph', 'show']]) {
    expect(await run(args, { cwd })).toMatchObject({ code: 0 })
  }
  const ask = ['ask', 'send_email', '--arg', 'id=3', '--justification', 'Ann asked for her invoice']
  const asked = await run([...ask, '--json'], { cwd })
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: 'disk_full' } })
  const before = await run(['log', '--json'], { cwd })
  writeFileSync(filler, '')
  expect((await run(ask, { cwd })).code).not.toBe(1)
  const after = await run(['log', '--json'], { cwd })
  expect(after.stdout.startsWith(before.stdout)).toBe(true)
  expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
})

function fits(file: string, bytes: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })
    return true
  } catch {
    return false
  }
}
