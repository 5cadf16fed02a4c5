// Where the resident process of hooks listens: a socket in a folder that is this user's alone. It
// is named by all that its answers depend on. What it was started for and what a hook asks for now
// have one name, or the hook does not find it: another log, version, table or setting is another.
import { constants, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canonical, jsonOf } from '#record/canonical'
import { sha256Hex } from '#record/crypto/crypto'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { environment, type Environment } from '#wiring/environment'
import { packageRoot, packageVersion } from '#cli/terminal/opening/package-root'

/** What it is started with, and what a hook is called with. */
export interface ResidentOf {
  readonly log?: string
  readonly realm: string
  readonly rootKey?: string
  readonly add?: string
}

export interface ResidentPlace {
  readonly folder: string
  /** Whether something is there, no matter who has made it. */
  readonly isThere: boolean
  readonly socket: string
  /** The file of the log. */
  readonly file: string
  readonly version: string
}

/** Is there while one is started, so that of several hooks at once one starts it. */
export function startMark({ socket }: ResidentPlace): string {
  return `${socket}.begun`
}

/** Where it is started and asked; null where this system, this user or this log has none. */
export function residentPlace(of: ResidentOf): ResidentPlace | null {
  const own = environment()
  const folder = runtimeFolder(own)
  if (folder === null || idleMs(own) === 0) return null
  const at = findLog(of.log, { log: own['WARRANT_LOG'] })
  if (at.folder === null || isRemote(at)) return null
  try {
    const file = realpathSync(at.url)
    const version = packageVersion()
    const named = {
      version,
      program: programStamps(),
      log: [file, stampOf(file)],
      realm: of.realm,
      rootKey: of.rootKey ?? null,
      added: of.add === undefined ? null : addedStamps(realpathSync(of.add)),
      environment: Object.fromEntries(Object.entries(own).filter(([name]) => isRead(name))),
    }
    const name = sha256Hex(canonical(jsonOf(named))).slice(0, 24)
    const socket = join(folder, `${name}${socketEnd}`)
    if (Buffer.byteLength(socket) > socketBytesMax) return null
    const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined
    return { folder, isThere, socket, file, version }
  } catch {
    return null
  }
}

const socketEnd = '.sock'
/** What every system takes, with what a socket is called until it is in its place. */
const socketBytesMax = 103 - '.4194304'.length

const idleMsDefault = 600_000

/** So long it waits for a call before it ends; 0 where there is to be none. */
export function idleMs(own: Environment): number {
  const said = own['WARRANT_HOOK_IDLE'] ?? ''
  return /^\d{1,6}$/.test(said) ? Number(said) * 1_000 : idleMsDefault
}

/** Of keys of people it has none: not even their names. */
export const ofPeople: readonly string[] = ['WARRANT_KEY', 'WARRANT_KEY_PASSPHRASE_FILE']

function isRead(name: string): boolean {
  const isOurs = name.startsWith('WARRANT_') && !ofPeople.includes(name)
  return isOurs || name === 'HOME' || name === 'XDG_CONFIG_HOME' || name === 'TZ'
}

/** Null where there is none that is safe to name: systems without owners of files among them. */
function runtimeFolder(own: Environment): string | null {
  const user = process.getuid?.()
  if (user === undefined) return null
  const given = own['XDG_RUNTIME_DIR'] ?? ''
  return given.startsWith('/') ? join(given, 'warrant') : join(tmpdir(), `warrant-hooks-${user}`)
}

/** Whether the folder is there, no link, this user's, and closed to all others. */
export function isOwnFolder(folder: string): boolean {
  const seen = lstatSync(folder, { throwIfNoEntry: false })
  if (seen === undefined || (seen.mode & constants.S_IFMT) !== constants.S_IFDIR) return false
  return (seen.mode & 0o077) === 0 && seen.uid === process.getuid?.()
}

/** The same, once it is made where it is not there. */
export function madeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It is there, or cannot be made: looking shows which.
  }
  return isOwnFolder(folder)
}

/** The sockets in the folder of this user, of every log and version. */
export function socketsHere(): readonly string[] {
  const folder = runtimeFolder(environment())
  if (folder === null || !isOwnFolder(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith(socketEnd))
  return names.map((name) => join(folder, name))
}

/** What is another once a file was put in the place of that one. */
function stampOf(file: string): string {
  const { ino, birthtimeMs } = statSync(file)
  return `${ino} ${birthtimeMs}`
}

/** Of the program: what is another once it was installed again, by whatever installs it. */
function programStamps(): readonly string[] {
  const main = realpathSync(process.argv[1] ?? '')
  const chunks = join(dirname(main), '../../chunks')
  const files = [main, join(packageRoot(), 'package.json'), chunks]
  return [process.execPath, main, ...files.map(changedStamp)]
}

function addedStamps(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return [folder, ...names.map((name) => `${name} ${changedStamp(join(folder, name))}`)]
}

function changedStamp(file: string): string {
  const seen = statSync(file, { throwIfNoEntry: false })
  return seen === undefined ? '-' : `${seen.ino} ${seen.size} ${seen.mtimeMs} ${seen.ctimeMs}`
}
