// A snapshot of the fold as a file: one line that says what it is of, then the state as text. It is
// for its owner's eyes and hands alone, and one that is not whole must never be read as one.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import { later } from '#schemas/later'
import { hasCode } from '#system/file-problem'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'

const Count = later(() => z.int().min(0))
const Digest = later(() => z.string().regex(/^sha256:[0-9a-f]{64}$/))
const KnownFact = later(() =>
  z.strictObject({
    position: Count,
    name: z.string(),
    appendedAt: Count,
    digest: Digest,
  }),
)
/** A fact of the log, by which a snapshot is known to be of that log. */
export type KnownFact = z.infer<typeof KnownFact>

const About = later(() =>
  z.strictObject({
    format: z.literal(1),
    /** By which fold it was made. */
    fold: z.string(),
    realm: z.string(),
    /** Which root key was demanded. */
    rootKey: z.string().nullable(),
    era: Count,
    /** The first fact that was in the log, and the last that is in the snapshot. */
    first: KnownFact,
    last: KnownFact,
  }),
)
export type About = z.infer<typeof About>

/** Of everything before it in the line, and of all that follows the line. */
const Head = later(() => About.extend({ digest: Digest }))

const digestBytes = 'sha256:'.length + 64
const noDigest = `sha256:${'0'.repeat(64)}`
const headBytesMax = 16_384
const readBytes = 262_144

/** The file as it is to be read: closed by the one who opened it. */
export interface SnapshotFile {
  readonly about: About
  /** The state as text. Throws a Fault at the end where the file is not as it was written. */
  text(): Generator<string>
  close(): void
}

/** Opens it. Throws a Fault where others could have written it, or where it is empty. */
export function openSnapshotFile(path: string): SnapshotFile {
  // A link is not followed, and no one is waited for at the other end of a pipe.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    refuseShared(file)
    const line = lineOf(file)
    const { digest, ...about } = headOf(line)
    const text = (): Generator<string> => textOf(file, line, digest)
    return { about, text, close: () => closeSync(file) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function refuseShared(file: number): void {
  const found = fstatSync(file)
  if (!found.isFile()) throw unusable('it is not a file')
  if (found.uid !== process.getuid?.()) throw unusable('it is another user’s')
  if ((found.mode & 0o077) !== 0) throw unusable('others may read or write it')
}

function lineOf(file: number): string {
  const bytes = Buffer.alloc(headBytesMax)
  const length = readSync(file, bytes, 0, headBytesMax, 0)
  const end = bytes.subarray(0, length).indexOf('\n')
  if (end < 0) throw unusable('it has no head')
  return bytes.toString('utf8', 0, end)
}

function headOf(line: string): z.infer<typeof Head> {
  let value: unknown
  try {
    value = parseJson(line)
  } catch {
    throw unusable('its head is no JSON')
  }
  const head = Head.safeParse(value)
  if (head.success) return head.data
  throw new Fault('snapshot_outdated', 'its head is of another version')
}

function* textOf(file: number, line: string, digest: string): Generator<string> {
  const hash = hashAfter(line)
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.alloc(readBytes)
  for (let at = Buffer.byteLength(line) + 1; ;) {
    const length = readSync(file, buffer, 0, readBytes, at)
    if (length === 0) break
    at += length
    const bytes = buffer.subarray(0, length)
    hash.update(bytes)
    yield decoder.write(bytes)
  }
  if (`sha256:${hash.digest('hex')}` !== digest) throw unusable('it is not as it was written')
}

// The digest is the last thing in the line, so that what comes before it can be digested, too.
function hashAfter(line: string): Hash {
  return createHash('sha256').update(line.slice(0, -digestBytes - 2))
}

function unusable(why: string): Fault {
  return new Fault('snapshot_unusable', why)
}

/** How long a file may lie half written until its writer is taken for dead. */
const writingMsMax = 600_000

export interface Writing {
  readonly path: string
  /** Where it lies until it is whole. */
  readonly halfPath: string
  readonly about: About
  readonly chunks: Iterable<string>
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Writes the file, and moves it to its place when it is on the disk. Null where another process is
 * at it, or where the signal aborts; then nothing is left of it.
 */
export async function writeSnapshotFile(
  writing: Writing,
): Promise<{ readonly bytes: number } | null> {
  const { path, halfPath } = writing
  const handle = await claimed(writing)
  if (handle === null) return null
  let bytes: number | null = null
  try {
    try {
      bytes = await filled(handle, writing)
    } finally {
      await handle.close()
    }
    if (bytes === null) return null
    await rename(halfPath, path)
    await syncFolder(dirname(path))
    return { bytes }
  } finally {
    if (bytes === null) await rm(halfPath, { force: true })
  }
}

// One process writes at a time: all that follow a log have cause to at the same moment.
async function claimed({ halfPath, now }: Writing): Promise<FileHandle | null> {
  const found = await stat(halfPath).catch(() => null)
  if (found !== null && now - found.mtimeMs > writingMsMax) await rm(halfPath, { force: true })
  try {
    return await open(halfPath, 'wx', 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return null
    throw error
  }
}

async function filled(
  file: FileHandle,
  { about, chunks, signal }: Writing,
): Promise<number | null> {
  const line = (digest: string): string => JSON.stringify({ ...about, digest })
  const hash = hashAfter(line(noDigest))
  const head = Buffer.from(`${line(noDigest)}\n`, 'utf8')
  await file.writeFile(head)
  let bytes = head.length
  for (const chunk of chunks) {
    if (signal.aborted) return null
    const text = Buffer.from(chunk, 'utf8')
    hash.update(text)
    // To wait for the disk is also everyone else's turn.
    await file.writeFile(text)
    bytes += text.length
  }
  // Until here the digest is that of nothing, so that half a file is never taken for one.
  await file.write(line(`sha256:${hash.digest('hex')}`), 0)
  await file.sync()
  return bytes
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
