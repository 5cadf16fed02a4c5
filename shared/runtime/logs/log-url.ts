// Which log is meant and how it is opened. An address that this version has no adapter for is
// refused, and never opened as something else.
import type { Settings } from '#schemas/settings/settings'
import { dirname, join, resolve } from 'node:path'
import { existsSync, statSync } from 'node:fs'
import type { NatsAccess } from '#log/nats/access'
import type { OwnLog } from '#log/jetstream/own-log'
import { Fault } from '#record/fault'
import type { Log } from '#ports/log'
import type { Notices } from '#ports/notices'

const homeDefault = '.warrant'
export const logFileDefault = `${homeDefault}/log.db`

export interface LogPlace {
  readonly url: string
  /** Where keys and callback modules are kept; null for a log in memory. */
  readonly folder: string | null
  /** Who connects to its servers, if it is on any: secrets are in files. */
  readonly nats?: NatsUser
}

interface NatsUser {
  readonly user: Omit<NatsAccess, 'servers' | 'name'>
  /** The file of who may seal and open eras; the user's if undefined. */
  readonly operatorFile: string | undefined
}

const remote = /^(nats|tls):\/\//
/** What looks like one is never taken for a path. */
const address = /^[a-z][a-z0-9+.-]+:\/\//i

/** Whether other machines share the log; then they run the stages. */
export function isRemote({ url }: LogPlace): boolean {
  return remote.test(url)
}

/**
 * The log that is meant: what was given, else the environment's, else the nearest folder upwards.
 */
export function findLog(given: string | undefined, settings: Settings): LogPlace {
  const url = given ?? settings.log
  if (url !== undefined && url !== '') return placeOf(url, settings)
  return placeOf(nearest(logFileDefault) ?? resolve(logFileDefault), settings)
}

/** Whether the log of that place is there already. */
export function logExists(place: LogPlace): boolean {
  return place.folder === null || isRemote(place) || existsSync(place.url)
}

export interface LogOpening {
  /** Whether it is only read: then a file that may not be written to will do. */
  readonly reads?: boolean
  /**
   * Whether someone confirms that this machine's clock is right, however long the log was quiet.
   */
  readonly acceptClock?: boolean
  /** Called when there is a connection to the servers of a log, and when there is none any more. */
  readonly onConnection?: (isThere: boolean) => void
}

export interface OpenedLog {
  readonly log: Log
  /** What goes beside it, where there is any. */
  readonly notices?: Notices
  /** Whether nothing can be appended: it is read, and may not be written to. */
  readonly isReadOnly?: boolean
}

/** Opens the log of that realm. Throws a Fault for an address that no adapter here knows. */
export async function openLog(
  place: LogPlace,
  realm: string,
  opening: LogOpening = {},
): Promise<OpenedLog> {
  const { url, folder } = place
  // Only the adapter that is meant is loaded: the others' drivers cost start-up time.
  if (url === 'memory:') return { log: (await import('#log/memory/log')).memoryLog() }
  if (isRemote(place)) {
    const { jetStreamLog } = await import('#log/jetstream/log')
    const { NatsLink } = await import('#log/nats/link')
    const { natsNotices } = await import('#log/nats/notices')
    const link = await NatsLink.open(natsAccess(place))
    const { onConnection = () => undefined } = opening
    onConnection(true)
    link.listen({
      onLost: () => onConnection(false),
      onBack: () => onConnection(true),
      onRefused: () => undefined,
    })
    return { log: await jetStreamLog(link, { realm }), notices: natsNotices(link, realm) }
  }
  if (folder === null) {
    const known = 'a file path, `sqlite:`, `memory:` or `nats://host:port`'
    const message = `no adapter for the log \`${url}\`: use ${known}`
    throw new Fault('log_unsupported', message)
  }
  return openFile(url, opening)
}

async function openFile(path: string, opening: LogOpening): Promise<OpenedLog> {
  const { reads = false, acceptClock = false } = opening
  const { sqliteLog } = await import('#log/sqlite/log')
  const { isOfFile, mayWrite } = await import('#log/sqlite/faults')
  if (!reads) return { log: await sqliteLog(path, { acceptClock }) }
  // What only reads makes no log, and SQLite takes a file of no bytes for a new one.
  if (bytesOf(path) === 0 && bytesOf(`${path}-wal`) === 0) {
    throw new Fault('no_log', `the file \`${path}\` is empty, and no log: give another by --log`)
  }
  try {
    if (mayWrite(path)) return { log: await sqliteLog(path, { acceptClock }) }
  } catch (error) {
    // A full disk keeps it from being written to, and not from being read.
    if (!isOfFile(error)) throw error
  }
  const { readOnlySqliteLog } = await import('#log/sqlite/read-only')
  return { log: readOnlySqliteLog(path), isReadOnly: true }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The log for a user of a NATS server that reads its own alone. */
export async function openOwnLog(
  place: LogPlace,
  realm: string,
): Promise<{ readonly log: OwnLog; readonly notices: Notices }> {
  if (!isRemote(place)) {
    const message = `\`${place.url}\` is not a log on a server: anyone who opens it reads all of it`
    throw new Fault('log_unsupported', message)
  }
  const { NatsLink } = await import('#log/nats/link')
  const { natsNotices } = await import('#log/nats/notices')
  const { OwnLog } = await import('#log/jetstream/own-log')
  const link = await NatsLink.open(natsAccess(place))
  return { log: new OwnLog(link, realm), notices: natsNotices(link, realm) }
}

/** Where the servers of the log are, and who connects. */
export function natsAccess({ url, nats }: LogPlace): NatsAccess {
  return { servers: url, ...nats?.user }
}

/** The same for what only an operator may; the one who connects if no other is named. */
export function operatorAccess(place: LogPlace): NatsAccess {
  const operatorFile = place.nats?.operatorFile
  const access = natsAccess(place)
  return operatorFile === undefined
    ? access
    : { ...access, credsFile: undefined, nkeyFile: operatorFile }
}

function placeOf(url: string, settings: Settings): LogPlace {
  if (url.startsWith('sqlite:')) return placeOf(url.slice('sqlite:'.length), settings)
  if (remote.test(url)) {
    return { url: withoutSecret(url), folder: homeOf(settings), nats: natsUserOf(settings) }
  }
  if (url === 'memory:' || address.test(url)) return { url: withoutSecret(url), folder: null }
  const file = resolve(url)
  return { url: file, folder: dirname(file) }
}

// An address is shown in logs and in the list of processes.
function withoutSecret(url: string): string {
  if (!url.includes('@')) return url
  const fix = 'name a file by WARRANT_NATS_NKEY_FILE or WARRANT_NATS_CREDS_FILE'
  const message = `an address of a log holds no user and no password: ${fix}`
  throw new Fault('credentials_invalid', message)
}

function natsUserOf(settings: Settings): NatsUser {
  return {
    user: {
      nkeyFile: settings.natsNkeyFile,
      credsFile: settings.natsCredsFile,
      caFile: settings.natsCaFile,
      certFile: settings.natsCertFile,
      keyFile: settings.natsKeyFile,
      api: settings.natsApi,
    },
    operatorFile: settings.natsOperatorFile,
  }
}

/** Where a log on servers keeps what belongs to this machine. */
function homeOf({ home }: Settings): string {
  if (home !== undefined) return resolve(home)
  return nearest(homeDefault) ?? resolve(homeDefault)
}

function nearest(name: string): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = join(folder, name)
    if (existsSync(found)) return found
    if (dirname(folder) === folder) return null
  }
}
