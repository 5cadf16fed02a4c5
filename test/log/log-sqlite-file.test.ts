// The refusals of a log file that is not whole, each with its own damage.
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assert, Fault } from '#record/fault'
import { sqliteLog } from '#log/sqlite/log'
import { allNotes, codeOf, entryOf, gather, nameOf, never, numbered } from './conformance/cases.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('a file that is no whole log is refused, and not touched', () => {
  /** A log of that many facts, closed, and copied to where nothing has it open. */
  async function logFile(count: number): Promise<string> {
    const path = join(folder, 'whole.db')
    const log = await sqliteLog(path)
    await Promise.all(numbered(count).map((entry) => log.append(entry)))
    await log.close()
    const copy = join(folder, 'log.db')
    copyFileSync(path, copy)
    return copy
  }

  async function expectRefused(path: string, code: string, words: RegExp): Promise<void> {
    const before = readFileSync(path)
    const fault = await sqliteLog(path).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert(fault instanceof Fault, `opened ${path}`)
    expect([fault.code, fault.retry]).toEqual([code, 'never'])
    expect(fault.message).toContain(path)
    expect(fault.message).toMatch(words)
    expect(readFileSync(path).equals(before)).toBe(true)
  }

  function alter(path: string, sql: string): void {
    const database = new Database(path)
    database.exec(sql)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }

  test('a file that is not an SQLite file', async () => {
    const path = join(folder, 'log.db')
    writeFileSync(path, 'these are the minutes of a meeting\n'.repeat(100))
    await expectRefused(path, 'log_foreign', /not an SQLite file.*another path/)
  })

  test('the SQLite file of another program', async () => {
    const path = join(folder, 'log.db')
    alter(path, 'CREATE TABLE facts (position, name)')
    await expectRefused(path, 'log_foreign', /another program/)
  })

  test('a log of another format', async () => {
    const path = await logFile(1)
    alter(path, 'PRAGMA user_version = 2')
    await expectRefused(path, 'log_foreign', /format 2.*use the version that wrote it/)
  })

  test('a log without the guard of its facts, and one with a table more', async () => {
    const path = await logFile(1)
    alter(path, 'DROP TRIGGER facts_never_go')
    await expectRefused(path, 'log_foreign', /facts_never_go/)
    const more = await logFile(1)
    alter(more, 'CREATE TABLE notes (text)')
    await expectRefused(more, 'log_foreign', /more tables/)
  })

  test('a log that was cut off', async () => {
    const path = await logFile(500)
    truncateSync(path, statSync(path).size - 4096)
    await expectRefused(path, 'log_torn', /restore/)
    truncateSync(path, 100)
    await expectRefused(path, 'log_torn', /restore/)
  })

  test('a log with a page that is not its own', async () => {
    const path = await logFile(500)
    const pages = statSync(path).size / 4096
    const bytes = readFileSync(path)
    bytes.fill(0, Math.floor(pages / 2) * 4096, (Math.floor(pages / 2) + 1) * 4096)
    writeFileSync(path, bytes)
    await expectRefused(path, 'log_torn', /restore/)
  })

  test('a log that has lost a fact from its middle', async () => {
    const path = await logFile(5)
    const guard = `CREATE TRIGGER facts_never_go BEFORE DELETE ON facts
BEGIN SELECT RAISE(ABORT, 'a fact never goes'); END`
    alter(path, `DROP TRIGGER facts_never_go; DELETE FROM facts WHERE position = 3; ${guard}`)
    await expectRefused(path, 'log_torn', /4 facts.*last is 5/)
  })

  test('a log whose file was emptied while its last facts were still beside it', async () => {
    const path = join(folder, 'log.db')
    writeFileSync(path, '')
    writeFileSync(`${path}-wal`, 'x'.repeat(5000))
    await expectRefused(path, 'log_torn', /no bytes/)
  })

  test('an empty file is a new log, and a missing folder is a fault that may pass', async () => {
    const path = join(folder, 'log.db')
    writeFileSync(path, '')
    const log = await sqliteLog(path)
    expect((await log.head()).position).toBe(0)
    await log.close()
    expect(await codeOf(sqliteLog(join(folder, 'none', 'log.db')))).toBe('log_unavailable soon')
  })

  test('a fact of which one bit has changed is not given out, and the others are', async () => {
    const path = await logFile(20)
    const bytes = readFileSync(path)
    const at = bytes.indexOf('note 7')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const log = await sqliteLog(path)
    expect(await codeOf(log.get(nameOf(7)))).toBe('log_torn never')
    expect(await codeOf(gather(log.read({})))).toBe('log_torn never')
    expect(await codeOf(gather(log.follow(1, never)))).toBe('log_torn never')
    const work = log.work('q', allNotes, { inFlightMax: 1, signal: never })
    expect(await codeOf(gather(work))).toBe('log_torn never')
    expect((await log.get(nameOf(8)))?.position).toBe(8)
    expect((await log.append(entryOf(21))).fact.position).toBe(21)
    await log.close()
  })
})

test('a fact can neither be changed nor removed by anyone who opens the file', async () => {
  const path = join(folder, 'log.db')
  const log = await sqliteLog(path)
  await log.append(entryOf(1))
  const database = new Database(path)
  expect(() => database.exec("UPDATE facts SET bytes = x'00'")).toThrow('a fact never changes')
  expect(() => database.exec('DELETE FROM facts')).toThrow('a fact never goes')
  database.close()
  expect((await log.get(nameOf(1)))?.position).toBe(1)
  await log.close()
})
