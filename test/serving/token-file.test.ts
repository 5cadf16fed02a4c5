// The file of tokens: what is in it finds no token, what is taken back stays so, and what cannot be
// read lets no one in.
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile, appendFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createToken,
  revokeToken,
  tokenBook,
  tokenRefusal,
  tokenEntries,
} from '#serving/token-file'

let folder = ''
let file = ''
const now = Date.UTC(2026, 0, 1)
const made = { principal: 'ada', now, expiresAt: now + 1_000 }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warrant-tokens-'))
  file = join(folder, 'tokens.ndjson')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a token', () => {
  test('is found by itself, and stands in the file by its digest alone', async () => {
    const { token, entry } = await createToken(file, { ...made, name: 'laptop' })
    expect(token).toMatch(/^wrt_[A-Za-z0-9_-]{43}$/)
    expect(await readFile(file, 'utf8')).not.toContain(token.slice(4))
    expect(await tokenBook(file).find(token)).toEqual(entry)
    expect(entry).toMatchObject({ principal: 'ada', name: 'laptop', revokedAt: null })
  })

  test('is not found by anything else', async () => {
    const { token, entry } = await createToken(file, made)
    const book = tokenBook(file)
    for (const other of ['', 'wrt_', token.slice(0, -1), `${token}A`, entry.digest, entry.id]) {
      expect(await book.find(other)).toBe(null)
    }
    expect(await tokenBook(join(folder, 'none')).find(token)).toBe(null)
  })

  test('is another each time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => createToken(file, made)))
    expect(new Set(all.map(({ token }) => token)).size).toBe(20)
    expect(await tokenEntries(file)).toHaveLength(20)
  })

  test('ends at its last moment, or never', async () => {
    const { entry } = await createToken(file, made)
    expect(tokenRefusal(entry, now + 999)).toBe(null)
    expect(tokenRefusal(entry, now + 1_000)).toBe('token_expired')
    const { entry: endless } = await createToken(file, { ...made, expiresAt: null })
    expect(tokenRefusal(endless, Number.MAX_SAFE_INTEGER)).toBe(null)
  })

  test('that is taken back is refused by a book that knew it, and stays so', async () => {
    const { token, entry } = await createToken(file, made)
    const book = tokenBook(file)
    await book.find(token)
    await revokeToken(file, entry.id, now + 1)
    const found = await book.find(token)
    expect(found === null ? null : tokenRefusal(found, now)).toBe('token_revoked')
    expect(await revokeToken(file, entry.id, now + 2)).toEqual(found)
    await expect(revokeToken(file, 'none', now)).rejects.toMatchObject({ code: 'token_unknown' })
  })
})

test('requests of one turn share a look at the file, and the next turn looks again', async () => {
  const { token, entry } = await createToken(file, made)
  const book = tokenBook(file)
  await book.find(token)
  await setImmediate()
  const first = book.find(token)
  rmSync(file)
  expect(await Promise.all([first, book.find(token)])).toEqual([entry, entry])
  await setImmediate()
  expect(await book.find(token)).toBe(null)
})

describe('the file', () => {
  test('is its owner’s alone, or is not read', async () => {
    if (platform() === 'win32') return
    const { token } = await createToken(file, made)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(file, 0o640)
    await expect(tokenBook(file).find(token)).rejects.toMatchObject({ code: 'token_file_invalid' })
    await expect(createToken(file, made)).rejects.toMatchObject({ code: 'token_file_invalid' })
  })

  test.each(['{', 'null', '{"token":{}}', '{"revoked":"x"}', ''])(
    'with the line `%s` lets no one in',
    async (line) => {
      const { token } = await createToken(file, made)
      const book = tokenBook(file)
      await book.find(token)
      await appendFile(file, `${line}\n`)
      await expect(book.find(token)).rejects.toMatchObject({ code: 'token_file_invalid' })
    },
  )

  test('that is being written counts up to its last whole line', async () => {
    const { token } = await createToken(file, made)
    const whole = await readFile(file, 'utf8')
    await createToken(file, made)
    const both = await readFile(file, 'utf8')
    await writeFile(file, both.slice(0, whole.length + 20))
    expect(await tokenEntries(file)).toHaveLength(1)
    expect(await tokenBook(file).find(token)).not.toBe(null)
  })

  test('that is gone has no tokens', async () => {
    const { token } = await createToken(file, made)
    const book = tokenBook(file)
    await book.find(token)
    await rm(file)
    expect(await book.find(token)).toBe(null)
  })
})
