// A log is put together again from the archives of its eras and a backup of the rest, in whatever
// order they are given; what is missing, is there twice or is of another log is refused.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readOnlySqliteLog } from '#log/sqlite/read-only'
import { archiveEra, archiveName } from '#replay/backup/era-archive'
import { bundleFormat } from '#replay/backup/format'
import { writeBundle } from '#replay/backup/write'
import { stages } from '#workers/stages'
import { run, type Ran } from '../../support/cli-runner.ts'
import { judged, look, scene, type Scene } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { judgedNow, sealOf, turned } from '../eras/parts/live.ts'

const intent = { tool: 'look' }
const head = {
  is: 'header' as const,
  format: bundleFormat,
  version: '0',
  made: '2026-01-01T00:00:00.000Z',
  realm: 'main',
  cells: null,
}
let on: Scene
let folder = ''
let archives: readonly string[] = []
let rest = ''
let later = ''
let whole: readonly string[] = []
let sealedAt = 0

beforeAll(async () => {
  on = await scene({ catalog: { capabilities: [look] } })
  await judged(on, { intent })
  await turned(on)
  await judgedNow(on, { intent, ulid: 'b' })
  await turned(on)
  await judgedNow(on, { intent, ulid: 'c' })
  folder = await temporaryFolder()
  const { state } = on.runtime.follower
  for (const era of [1, 2]) {
    const header = { ...head, holds: 'era' as const, era }
    const module = () => Promise.resolve(null)
    await archiveEra(on.log, { state, era }, { folder, header, rootKey: null, stages, module })
  }
  archives = [1, 2].map((era) => join(folder, archiveName({ realm: 'main', era })))
  rest = await restOf(3)
  later = await restOf(2)
  whole = await textsIn(on.log)
  sealedAt = await sealOf(on, 3)
})

/** As `backup` writes it of what an operator left of a log, from that era on. */
async function restOf(era: number): Promise<string> {
  const from = await sealOf(on, era)
  const file = join(folder, `rest-${era}.backup`)
  const facts = on.log.read({ from })
  const header = { ...head, holds: 'era' as const, era }
  const logs = async function* () {
    yield await Promise.resolve({ realm: 'main', facts, opening: { from, module: null } })
  }
  await writeBundle(file, { header, logs: logs(), module: () => Promise.resolve(null) })
  return file
}

async function restored(...files: readonly string[]): Promise<Ran & { readonly at: string }> {
  const cwd = await temporaryFolder()
  return { ...(await run(['restore', ...files], { cwd })), at: join(cwd, '.warrant/log.db') }
}

async function textsIn(log: Pick<Scene['log'], 'read'>): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const { position, appendedAt, name, bytes } of log.read({})) {
    texts.push(`${position} ${appendedAt} ${name} ${Buffer.from(bytes).toString()}`)
  }
  return texts
}

async function textsAt(file: string): Promise<readonly string[]> {
  const log = readOnlySqliteLog(file)
  try {
    return await textsIn(log)
  } finally {
    await log.close()
  }
}

test('archives and a backup of the rest are the log again, to the byte, in any order', async () => {
  const [first = '', second = ''] = archives
  for (const files of [
    [first, second, rest],
    [rest, second, first],
    [second, rest, first],
    [first, later],
  ]) {
    const { code, stdout, at } = await restored(...files)
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout).toContain('reproduced, byte for byte')
    expect(await textsAt(at)).toEqual(whole)
  }
})

test('archives alone are the log as it was at the end of the last of them', async () => {
  const { code, at } = await restored(...archives)
  expect(code).toBe(0)
  expect(await textsAt(at)).toEqual(whole.slice(0, sealedAt - 1))
})

test('the archive of the first era is a log by itself', async () => {
  const [first = ''] = archives
  const { code, at } = await restored(first)
  expect(code).toBe(0)
  const texts = await textsAt(at)
  expect(texts).toEqual(whole.slice(0, texts.length))
  expect(texts.length).toBeGreaterThan(3)
})

test('what is missing, is there twice or no log is refused, and nothing is made', async () => {
  const [first = '', second = ''] = archives
  for (const [files, says] of [
    [[second], 'it holds a part of a log'],
    [[second, rest], 'give the archives before it'],
    [[first, rest], 'give the archives before it'],
    [[first, first, second], 'in another file as well'],
    [[first, later, second], 'in another file as well'],
  ] as const) {
    const { code, stderr, at } = await restored(...files)
    expect({ code, stderr }).toMatchObject({ code: says.includes('as well') ? 2 : 1 })
    expect(stderr).toContain(says)
    expect(() => readOnlySqliteLog(at)).toThrow()
  }
})
