// Backups and exports at the level of files: what is written comes back byte for byte, what is cut
// or changed is refused with its place, and the facts that decide an intent derive it alone.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { partsInRealm } from '#record/names'
import type { Fact, Log } from '#ports/log'
import { bundleFormat, type BundleHeader } from '#replay/backup/format'
import { derivesAll, readIntent, takeIntent } from '#replay/backup/intent'
import { proven } from '#replay/backup/prove'
import { readBundle } from '#replay/backup/read'
import { moveIn, refuseTaken, targetsOf, unpack } from '#replay/backup/restore'
import { writeBundle, type BundledLog } from '#replay/backup/write'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { moduleCallbacks } from '../../support/runtime.ts'
import { playStory, storyModule, tampered } from '../../support/replay-story.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const place = { realm: 'main', era: 1 }
const written = {
  is: 'header',
  format: bundleFormat,
  version: '0',
  realm: 'main',
  cells: null,
  made: '2026-01-01T00:00:00.000Z',
} as const

let log: Log
let folder = ''
let backup = ''
beforeAll(async () => {
  ;({ log } = await playStory())
  folder = await temporaryFolder()
  backup = join(folder, 'log.backup')
  await writeBundle(backup, bundled({ ...written, holds: 'backup' }, log.read({})))
})

function bundled(header: BundleHeader, facts: BundledLog['facts']) {
  const logs = async function* (): AsyncGenerator<BundledLog, void, void> {
    yield { realm: 'main', facts }
  }
  const module = (digest: string) =>
    Promise.resolve(digest === digestOf(storyModule) ? storyModule : null)
  return { header, logs: logs(), module }
}

async function code(run: () => Promise<unknown>): Promise<readonly [string, string]> {
  try {
    await run()
  } catch (error) {
    if (error instanceof Fault) return [error.code, error.message]
    throw error
  }
  return ['nothing', '']
}

async function readAll(file: string): Promise<void> {
  for await (const item of readBundle(file)) expect(item.is).toBeTypeOf('string')
}

/** The backup as a file with other lines. */
async function withLines(change: (lines: string[]) => readonly string[]): Promise<string> {
  const lines = gunzipSync(await readFile(backup))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const file = join(await temporaryFolder(), 'changed.backup')
  await writeFile(file, gzipSync(`${change(lines).join('\n')}\n`))
  return file
}

async function collected(of: Log): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for await (const fact of of.read({})) facts.push({ ...fact, bytes: Buffer.from(fact.bytes) })
  return facts
}

describe('a backup', () => {
  test('comes back with every fact, at its position and with its time', async () => {
    const restored = await unpack([backup], await temporaryFolder())
    const { readOnlySqliteLog } = await import('#log/sqlite/read-only')
    const again = readOnlySqliteLog(restored.logs[0]?.file ?? '')
    expect(await collected(again)).toEqual(await collected(log))
    await again.close()
    expect(restored.modules).toEqual([digestOf(storyModule)])
  })

  test('is replayed as the log is, and has its head', async () => {
    const restored = await unpack([backup], await temporaryFolder())
    const [[one, report] = []] = await proven(restored, { rootKey: null, stages })
    const callbacks = moduleCallbacks(storyModule)
    const source = await replay({ log, place, rootKey: null, stages, callbacks })
    await callbacks.close()
    expect(report).toMatchObject({ differences: 0, unchecked: 0, derived: source.derived })
    expect([one?.head, report?.head]).toEqual([source.head, source.head])
  })

  test('without its callback module is not wholly checked', async () => {
    const restored = await unpack([backup], await temporaryFolder())
    const [[, report] = []] = await proven(restored, { rootKey: null, stages, runsModules: false })
    expect(report?.differences).toBe(0)
    expect(report?.unchecked).toBeGreaterThan(0)
  })

  test('is for its owner alone, and replaces nothing', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
    const header: BundleHeader = { ...written, holds: 'backup' }
    const before = await readFile(backup)
    expect(await code(() => writeBundle(backup, bundled(header, log.read({}))))).toMatchObject({
      0: 'already_there',
    })
    expect(await readFile(backup)).toEqual(before)
  })

  test('leaves no file where it could not be written whole', async () => {
    const facts = async function* (): AsyncGenerator<Fact, void, void> {
      yield* log.read({ to: 3 })
      throw new Fault('log_torn', 'the disk')
    }
    const file = join(folder, 'half.backup')
    const header: BundleHeader = { ...written, holds: 'backup' }
    expect((await code(() => writeBundle(file, bundled(header, facts()))))[0]).toBe('log_torn')
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })
})

describe('what was done to a backup shows with its place', () => {
  test.each([0.1, 0.5, 0.9, 0.999])('cut to %d of its bytes', async (part) => {
    const bytes = await readFile(backup)
    const file = join(await temporaryFolder(), 'cut.backup')
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * part)))
    const [fault, message] = await code(() => readAll(file))
    expect(fault).toBe('backup_damaged')
    expect(message).toContain('it ends too early')
  })

  test('any line that is left out', async () => {
    const { length } = await linesOf()
    for (let at = 0; at < length; at += 1) {
      const file = await withLines((lines) => lines.toSpliced(at, 1))
      expect([at, (await code(() => readAll(file)))[0]]).toEqual([at, 'backup_damaged'])
    }
  })

  test('one letter of any fact', async () => {
    const { length } = await linesOf()
    for (let at = 2; at < length - 4; at += 7) {
      const file = await withLines((lines) =>
        lines.map((line, index) => (index === at ? line.replace('time', 'tine') : line)),
      )
      const [fault, message] = await code(() => readAll(file))
      expect([at, fault]).toEqual([at, 'backup_damaged'])
      expect(message).toMatch(/a fact of `main` was changed at or before position \d+/)
    }
  })

  test('the callback module, lines behind the end, another format', async () => {
    const module = await withLines((lines) =>
      lines.map((line) =>
        line.startsWith('{"is":"module"') ? line.replace('small', 'smell') : line,
      ),
    )
    expect((await code(() => readAll(module)))[1]).toContain('is not what its digest says')
    const more = await withLines((lines) => [...lines, lines[2] ?? ''])
    expect((await code(() => readAll(more)))[1]).toContain('there is more behind its end')
    const newer = await withLines(([head = '', ...rest]) => [
      head.replace('"format":1', '"format":2'),
      ...rest,
    ])
    expect((await code(() => readAll(newer)))[1]).toContain('use a newer version')
  })
})

async function linesOf(): Promise<readonly string[]> {
  return gunzipSync(await readFile(backup))
    .toString('utf8')
    .trimEnd()
    .split('\n')
}

test('what was unpacked is moved to free places only', async () => {
  const restored = await unpack([backup], await temporaryFolder())
  const target = join(await temporaryFolder(), 'log.db')
  const targets = targetsOf(restored, target)
  await moveIn(restored, targets)
  expect((await stat(target)).size).toBeGreaterThan(0)
  expect((await code(async () => refuseTaken(targets.values())))[0]).toBe('already_there')
  const again = await unpack([backup], await temporaryFolder())
  expect((await code(() => moveIn(again, targets)))[0]).toBe('already_there')
})

describe('an export of an intent', () => {
  const taken = async (of: Log, intent: string) => {
    const callbacks = moduleCallbacks(storyModule)
    try {
      return await takeIntent(of, intent, { place, rootKey: null, stages, callbacks })
    } finally {
      await callbacks.close()
    }
  }
  const verdicts = async (): Promise<readonly string[]> => {
    const found = (await collected(log)).map(({ name }) => partsInRealm(name, 'main'))
    return found.flatMap((parts) =>
      parts?.kind === 'verdict' && parts.address !== null ? [parts.address] : [],
    )
  }

  test('derives again from the file alone, whatever its verdict', async () => {
    const all = await verdicts()
    expect(all.length).toBeGreaterThan(6)
    for (const intent of all) {
      const { parts, about, report, isWhole } = await taken(log, intent)
      expect([intent, derivesAll(report, about), isWhole]).toEqual([intent, true, false])
      const file = join(await temporaryFolder(), 'intent.export')
      const header: BundleHeader = { ...written, holds: 'intent', intent }
      await writeBundle(file, bundled(header, parts()))
      const { root: rootKey } = report
      const read = await readIntent(file, { realm: 'main', intent }, { rootKey, stages })
      expect(derivesAll(read.report, read.about)).toBe(true)
      expect(read.report.unchecked).toBe(0)
      expect((await code(() => unpack([file], folder)))[0]).toBe('backup_damaged')
    }
  })

  test('leaves out what does not decide it', async () => {
    const bystander = (fact: Fact): Fact => {
      const name = fact.name.replace('.vlp.bot.', '.vlp.other.')
      return fact.position === 7 ? { ...fact, name: name.replace('.bot.', '.other.') } : fact
    }
    const [intent = ''] = (await verdicts()).slice(-1)
    const { about, facts } = await taken(tampered(log, bystander), intent)
    expect(facts).toBeLessThan(about.to)
  })

  test('shows a verdict that does not follow', async () => {
    const [intent = ''] = await verdicts()
    const forged = tampered(log, (fact) => {
      if (fact.name !== `main.1.verdict.${intent}`) return fact
      const text = Buffer.from(fact.bytes).toString('utf8')
      const bytes = Buffer.from(text.replace('"outcome":"allow"', '"outcome":"deny"'))
      expect(bytes).not.toEqual(Buffer.from(text))
      return { ...fact, bytes }
    })
    const { about, report, isWhole } = await taken(forged, intent)
    expect([derivesAll(report, about), isWhole]).toEqual([false, true])
    expect(report.differences).toBe(1)
  })

  test('of a log that another key began is refused', async () => {
    const [intent = ''] = await verdicts()
    const { parts } = await taken(log, intent)
    const file = join(await temporaryFolder(), 'intent.export')
    const header: BundleHeader = { ...written, holds: 'intent', intent }
    await writeBundle(file, bundled(header, parts()))
    const reading = { rootKey: 'AAAAAAAAAAAAAAAA', stages }
    const [fault] = await code(() => readIntent(file, { realm: 'main', intent }, reading))
    expect(fault).toBe('root_key_differs')
  })
})
