// A log file with two names: SQLite keeps what is not in the file yet beside each name apart, so
// what writes refuses it, and what reads still reads.
// Source of the fault: SQLite, How To Corrupt An SQLite Database File; thedotmack/claude-mem#3179.
import { cpSync, linkSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspectLogFile } from '#log/sqlite/inspect'
import { sqliteLog } from '#log/sqlite/log'
import { entryOf } from './conformance/cases.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'links-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const at = (name: string): string => join(folder, name)

async function logWithOne(path: string): Promise<void> {
  const log = await sqliteLog(path)
  await log.append(entryOf(1))
  await log.close()
}

test('a file with two names is written under neither', async () => {
  await logWithOne(at('a.db'))
  linkSync(at('a.db'), at('b.db'))
  for (const name of ['a.db', 'b.db']) {
    await expect(sqliteLog(at(name))).rejects.toMatchObject({
      code: 'log_linked',
      message: expect.stringContaining('cp '),
    })
  }
  expect(await inspectLogFile(at('b.db'))).toMatchObject({ links: 2, head: { position: 1 } })
})

test('a copy of its own is written, as the message says', async () => {
  await logWithOne(at('a.db'))
  linkSync(at('a.db'), at('b.db'))
  cpSync(at('b.db'), at('copy'))
  renameSync(at('copy'), at('b.db'))
  await logWithOne(at('a.db')).catch(() => undefined)
  const log = await sqliteLog(at('b.db'))
  expect((await log.append(entryOf(2))).appended).toBe(true)
  await log.close()
})

test('a symbolic link is one name of the same file', async () => {
  await logWithOne(at('a.db'))
  symlinkSync(at('a.db'), at('b.db'))
  const log = await sqliteLog(at('b.db'))
  expect((await log.append(entryOf(2))).fact.position).toBe(2)
  await log.close()
})

test('a folder is no log, and the refusal names the log in it', async () => {
  const refusal = { code: 'log_foreign', message: expect.stringContaining('is not a file') }
  await expect(sqliteLog(folder)).rejects.toMatchObject(refusal)
  await logWithOne(at('log.db'))
  const message = expect.stringContaining(at('log.db'))
  await expect(sqliteLog(folder)).rejects.toMatchObject({ ...refusal, message })
})
