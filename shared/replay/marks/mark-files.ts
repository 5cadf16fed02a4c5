// The high-water mark of a log: how far this user has seen it on this machine, and which fact was
// there. A file a mark, whose name has its place in the order: so two processes that write at once
// need no lock, and neither takes away what the other has seen further.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { isRemote, type LogPlace } from '#runtime/logs/log-url'
import { keyPlaces } from '#runtime/keys/key-files'
import { later } from '#schemas/later'
import type { Settings } from '#schemas/settings/settings'
import { Digest } from '#schemas/values'
import { fileProblem, hasCode } from '#system/file-problem'

const HighWaterMark = later(() =>
  z.strictObject({
    format: z.literal(1),
    /** The log's identity, and the realm or cell whose log it is. */
    log: Digest,
    realm: z.string(),
    /** The highest number of a rollback of it that was accepted by then; 0 if none was. */
    rollbacks: z.int().min(0),
    position: z.int().min(1),
    name: z.string(),
    appendedAt: z.int(),
    digest: Digest,
  }),
)
export type HighWaterMark = z.infer<typeof HighWaterMark>

/** Whose mark it is. */
export interface MarkOf {
  /** The folder of all marks of the user. */
  readonly folder: string
  readonly realm: string
  readonly log: string
}

/** Logs of which a mark is kept; beyond, that which was written longest ago goes. */
const logsMax = 1_000
/** How often the newest file may be gone, since another process wrote a newer one. */
const roundsMax = 16
/** How long a file may lie half written until its writer is taken for dead. */
const halfMsMax = 600_000

/** Where the marks of a user are, and how old a fact of that log must be until it is durable. */
export interface MarksHere {
  readonly folder: string
  readonly settleMs: number
}

/**
 * A server that syncs every two minutes, as it does unless it is configured otherwise, may lose
 * what is younger with its machine.
 */
const settleMsOfServers = 150_000

/** Null for a log in memory, and where this user has no place for marks. */
export function marksFor(place: LogPlace, settings: Settings): MarksHere | null {
  const isKept = place.folder !== null && place.url !== 'memory:'
  const folder = isKept ? marksFolder(settings) : null
  return folder === null ? null : { folder, settleMs: isRemote(place) ? settleMsOfServers : 0 }
}

/** `WARRANT_MARKS`, else a folder among the user's keys. */
function marksFolder(settings: Settings): string | null {
  if (settings.marks !== undefined) return resolve(settings.marks)
  try {
    return join(keyPlaces(null, settings).home, 'marks')
  } catch {
    // A user without an entry in the system's list has no home.
    return null
  }
}

/**
 * The highest mark; null where there is none, or where this user has no place for any. Throws a
 * Fault `mark_unreadable` for one that is there and cannot be read.
 */
export async function keptMark(of: MarkOf): Promise<HighWaterMark | null> {
  const folder = folderOf(of)
  for (let round = 0; round < roundsMax; round += 1) {
    const newest = (await namesIn(of)).at(-1)
    if (newest === undefined) return null
    const text = await textOf(join(folder, newest.file))
    if (text !== null) return parsed(of, newest, text)
  }
  throw unreadable(folder, 'others change it all the time')
}

/** Why this user can keep no mark there; null where it can. Nothing is made. */
export async function whyNotKept(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK | constants.X_OK)
      return null
    } catch (cause) {
      if (hasCode(cause, 'ENOENT') && dirname(at) !== at) continue
      return `\`${at}\`: ${fileProblem(cause, 'it cannot be written to')}`
    }
  }
}

/** Keeps the mark, unless one as high is there. Throws what the system says where it cannot. */
export async function writeMark(of: MarkOf, mark: HighWaterMark): Promise<void> {
  const folder = folderOf(of)
  const mine = placeIn(mark)
  const before = await namesIn(of)
  const newest = before.at(-1)
  if (newest !== undefined && compared(newest, mine) >= 0) return
  if (before.length === 0) await roomFor(of)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const half = join(folder, `half.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(half, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(mark)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(half, join(folder, mine.file))
  } finally {
    await rm(half, { force: true })
  }
  for (const each of await namesIn(of)) {
    if (compared(each, mine) < 0) await rm(join(folder, each.file), { force: true })
  }
  await removeHalves(folder)
}

/** The folder of the marks of that log, as messages name it. */
function folderOf({ folder, realm, log }: MarkOf): string {
  return join(folder, `${realm}.${log.slice('sha256:'.length, 'sha256:'.length + 32)}`)
}

interface Placed {
  readonly file: string
  readonly rollbacks: number
  readonly position: number
}

const pattern = /^(\d{1,16})\.(\d{1,16})\.json$/

function placeIn({ rollbacks, position }: Omit<Placed, 'file'>): Placed {
  return { rollbacks, position, file: `${rollbacks}.${position}.json` }
}

function compared(one: Placed, other: Placed): number {
  return one.rollbacks - other.rollbacks || one.position - other.position
}

/** In their order. */
async function namesIn(of: MarkOf): Promise<readonly Placed[]> {
  const folder = folderOf(of)
  let names: readonly string[]
  try {
    names = await readdir(folder)
  } catch (cause) {
    if (await isPlaceless(of, cause)) return []
    throw unreadable(folder, fileProblem(cause, 'it cannot be read'), cause)
  }
  const found = names.flatMap((name) => {
    const [, rollbacks, position] = pattern.exec(name) ?? []
    return position === undefined
      ? []
      : [placeIn({ rollbacks: Number(rollbacks), position: Number(position) })]
  })
  return found.toSorted(compared)
}

/** Whether no mark can be there: who may not enter the folder above has none in it. */
async function isPlaceless({ folder }: MarkOf, cause: unknown): Promise<boolean> {
  const isAbsent = (error: unknown): boolean =>
    hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')
  if (isAbsent(cause)) return true
  return readdir(folder).then(
    () => false,
    () => true,
  )
}

/** Null where it is gone: a newer one took its place. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null
    throw unreadable(path, fileProblem(cause, 'it cannot be read'), cause)
  }
}

const AnyFormat = later(() => z.looseObject({ format: z.int() }))

function parsed(of: MarkOf, { file, rollbacks, position }: Placed, text: string): HighWaterMark {
  const path = join(folderOf(of), file)
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw unreadable(path, 'it is damaged')
  }
  const mark = HighWaterMark.safeParse(value)
  if (!mark.success) {
    const { data } = AnyFormat.safeParse(value)
    const isNewer = data !== undefined && data.format > 1
    throw unreadable(path, isNewer ? 'a newer version wrote it' : 'it is damaged')
  }
  const { data } = mark
  const isOwn = data.log === of.log && data.realm === of.realm
  if (isOwn && data.rollbacks === rollbacks && data.position === position) return data
  throw unreadable(path, 'it is the mark of something else')
}

function unreadable(path: string, why: string, cause?: unknown): Fault {
  const lost = 'then this user forgets how far the log was seen'
  const fix = `see that the log is whole, then remove \`${path}\`: ${lost}`
  return new Fault('mark_unreadable', `the high-water mark \`${path}\`: ${why}; ${fix}`, { cause })
}

/** Before the mark of one more log: programs may open new logs for ever. */
async function roomFor({ folder }: MarkOf): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  if (names.length < logsMax) return
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 }
    }),
  )
  const oldest = aged.toSorted((one, other) => one.at - other.at)
  for (const { path } of oldest.slice(0, names.length - logsMax + 1)) {
    await rm(path, { recursive: true, force: true })
  }
}

async function removeHalves(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('half.')) continue
    const path = join(folder, name)
    const at = (await stat(path).catch(() => null))?.mtimeMs ?? 0
    if (Date.now() - at > halfMsMax) await rm(path, { force: true })
  }
}
