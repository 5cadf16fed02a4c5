// The tokens by which callers of a server are known: a file that only its owner reads, to which
// lines are added and of which none is changed. It has digests alone: a token is 256 random bits,
// so from its digest no one finds it, and it is looked up by its digest, which takes equally long
// for every guess.
import { randomBytes } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { z } from 'zod'
import { fileProblem, hasCode } from '#system/file-problem'
import { sha256Hex } from '#record/crypto/crypto'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'

/** What every token begins with, so that scanners of secrets find one that lies about. */
const tokenPrefix = 'wrt_'
const tokenPattern = /^wrt_[A-Za-z0-9_-]{43}$/
const fileBytesMax = 16 * 1024 * 1024
const othersMode = 0o077

const Created = z.strictObject({
  token: z.strictObject({
    id: z.string().min(1).max(64),
    principal: z.string().min(1).max(256),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    name: z.string().max(256).optional(),
    createdAt: z.iso.datetime(),
    /** Null for one that does not end by itself. */
    expiresAt: z.iso.datetime().nullable(),
  }),
})
const Revoked = z.strictObject({ revoked: z.string().min(1).max(64), at: z.iso.datetime() })
const Line = z.union([Created, Revoked])

export type TokenEntry = Readonly<z.infer<typeof Created>['token']> & {
  readonly revokedAt: string | null
}

export interface NewToken {
  readonly principal: string
  readonly name?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  readonly expiresAt: number | null
}

/** Adds a token, and returns it the only time that it can be seen. */
export async function createToken(
  file: string,
  { principal, name, now, expiresAt }: NewToken,
): Promise<{ readonly token: string; readonly entry: TokenEntry }> {
  await tokenEntries(file)
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`
  const created = {
    id: randomBytes(6).toString('hex'),
    principal,
    digest: sha256Hex(token),
    ...(name !== undefined && { name }),
    createdAt: new Date(now).toISOString(),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  }
  await addLine(file, { token: created })
  return { token, entry: { ...created, revokedAt: null } }
}

/** Takes a token back. Throws a Fault `token_unknown`. */
export async function revokeToken(file: string, id: string, now: number): Promise<TokenEntry> {
  const entry = (await tokenEntries(file)).find((one) => one.id === id)
  if (entry === undefined) throw new Fault('token_unknown', `no token has the id \`${id}\``)
  if (entry.revokedAt !== null) return entry
  const at = new Date(now).toISOString()
  await addLine(file, { revoked: id, at })
  return { ...entry, revokedAt: at }
}

/** Every token, oldest first; none where there is no file. Throws a Fault `token_file_invalid`. */
export async function tokenEntries(file: string): Promise<readonly TokenEntry[]> {
  const text = await textOf(file)
  return text === null ? [] : entriesIn(file, text)
}

export interface TokenBook {
  /** The token as the file has it now; null where it has none such. */
  find(token: string): Promise<TokenEntry | null>
}

/** Looks tokens up in the file, which is read again when it has grown. */
export function tokenBook(file: string): TokenBook {
  const mark = markInTurn(file)
  let seen = ''
  let byDigest: ReadonlyMap<string, TokenEntry> = new Map()
  return {
    async find(token) {
      if (!tokenPattern.test(token)) return null
      const now = mark()
      if (now !== seen) {
        const entries = await tokenEntries(file)
        byDigest = new Map(entries.map((entry) => [entry.digest, entry]))
        seen = now
      }
      return byDigest.get(sha256Hex(token)) ?? null
    },
  }
}

/** Why it does not count now; null where it does. */
export function tokenRefusal(
  { expiresAt, revokedAt }: TokenEntry,
  now: number,
): 'token_revoked' | 'token_expired' | null {
  if (revokedAt !== null) return 'token_revoked'
  return expiresAt !== null && now >= Date.parse(expiresAt) ? 'token_expired' : null
}

function entriesIn(file: string, text: string): readonly TokenEntry[] {
  const entries = new Map<string, TokenEntry>()
  // What does not end with a line break is still being written.
  const lines = text.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const parsed = Line.safeParse(jsonIn(line))
    if (!parsed.success) throw invalid(file, `line ${index + 1} is not one of a token`)
    if ('token' in parsed.data) {
      const { token } = parsed.data
      entries.set(token.id, { ...token, revokedAt: null })
      continue
    }
    const { revoked, at } = parsed.data
    const entry = entries.get(revoked)
    if (entry !== undefined) entries.set(revoked, { ...entry, revokedAt: entry.revokedAt ?? at })
  }
  return [...entries.values()]
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

async function textOf(file: string): Promise<string | null> {
  const mode = await modeOf(file)
  if (mode === null) return null
  if (platform() !== 'win32' && (mode & othersMode) !== 0) {
    throw invalid(file, 'others than its owner may read it: chmod 600 it')
  }
  const handle = await open(file, constants.O_RDONLY)
  try {
    const { size } = await handle.stat()
    if (size > fileBytesMax) throw invalid(file, `it is larger than ${fileBytesMax} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

async function modeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mode
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw unreadable(file, error)
  }
}

// Of requests that had come before the turn began, one look serves all.
function markInTurn(file: string): () => string {
  let mark: string | null = null
  return () => {
    if (mark === null) {
      mark = markOf(file)
      setImmediate(() => (mark = null))
    }
    return mark
  }
}

// At once: to wait for another thread's look costs a request more than the look.
function markOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'none'
    throw unreadable(file, error)
  }
}

async function addLine(file: string, line: object): Promise<void> {
  try {
    const handle = await open(file, 'a', 0o600)
    try {
      await handle.appendFile(`${JSON.stringify(line)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw unreadable(file, error)
  }
}

function invalid(file: string, why: string): Fault {
  return new Fault('token_file_invalid', `\`${file}\`: ${why}`)
}

function unreadable(file: string, cause: unknown): Fault {
  const why = fileProblem(cause, 'cannot be read or written')
  return new Fault('token_file_invalid', `\`${file}\`: ${why}`, { cause })
}
