// Where a coding agent has its settings, and how it comes to call us from there.
import { withoutEnd } from '#record/reading/text-end'
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, normalize, resolve } from 'node:path'
import type { ConfigurationFile, Host, HookWay } from '#shell/hooks/hosts/host'
import { missedCallsFile } from '#health/missed-calls'
import { findLog, isRemote, logExists } from '#runtime/logs/log-url'
import { configuration } from '#wiring/config'
import { environment } from '#wiring/environment'
import { usage } from '#cli/terminal/failure'

export interface SettingsPlace {
  readonly for: Host
  /** The user's own, in place of the project's. */
  readonly user?: boolean
}

export function settingsFile({ for: { settings }, user }: SettingsPlace): string {
  const { project, moved } = settings
  if (user !== true) return resolve(project)
  const folder = moved && environment()[moved.variable]
  return folder === undefined ? join(homedir(), settings.user) : join(folder, moved?.file ?? '')
}

/** Why it would not run the hooks in that file, in sentences; empty where it would. */
export async function obstaclesTo(host: Host, file: string): Promise<readonly string[]> {
  const { configuration: own } = host
  if (own === undefined) return []
  const files = own.files(dirname(settingsFile({ for: host, user: true })), resolve('.'))
  return own.obstacles(await Promise.all(files.map((one) => textIn(normalize(one)))), file)
}

async function textIn(file: string): Promise<ConfigurationFile> {
  try {
    return { file, text: await readFile(file, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return { file, text: code === 'ENOENT' || code === 'ENOTDIR' ? '' : null }
  }
}

export interface WayOptions {
  readonly for: Host
  readonly url?: string
  readonly tokenFile?: string
  /** A command even where the host could ask over HTTP. */
  readonly command?: boolean
  readonly log?: string
  readonly as?: string
  readonly add?: string
  /** The user's own settings are of no one project. */
  readonly user?: boolean
  /** Record what would be decided, and enforce nothing. */
  readonly observe?: boolean
}

/** A host that can asks a server itself; every other one starts a command. */
export function wayOf(options: WayOptions): HookWay {
  const { for: host, url, tokenFile, command, user = false, observe = false } = options
  if (observe && url === undefined && logFor(options) === null) {
    throw usage('--observe needs a log that records: give --url or --log')
  }
  const observes = observe ? { observes: true } : {}
  const isAsking = host.asksServers === true && command !== true && tokenFile === undefined
  if (url !== undefined && isAsking) {
    const query = new URLSearchParams({
      ...(observe && { observe: 'true' }),
      ...(!user && { root: resolve('.') }),
    })
    const asked = query.size === 0 ? '' : `?${query.toString()}`
    const path = `${withoutEnd(url, /\//)}/v1/hooks/${host.name}${asked}`
    return { by: 'http', url: path, tokenVariable: 'WARRANT_TOKEN', ...observes }
  }
  return { by: 'command', command: commandFor(options).map(shellWordOf).join(' '), ...observes }
}

/** The log that a hook without a server opens: the one that is named, else the nearest. */
export function logFor({ url, log }: Pick<WayOptions, 'url' | 'log'>): string | null {
  if (url !== undefined) return null
  const place = findLog(log, configuration())
  if (log === undefined && !logExists(place)) return null
  return isRemote(place) ? place.url : resolve(log ?? place.url.replace(/^file:/u, ''))
}

/** Whether a hook of ours, as its command or its address says, only observes. */
export function observesIn(handler: string): boolean {
  return /[?&]observe=true\b| --observe(?: |$)| \S*missed-calls\.ndjson['"]?$/u.test(handler)
}

/** This command line as another program starts it, whatever its folder and its PATH are. */
export function ourProgram(): readonly string[] {
  return [process.execPath, ...process.execArgv, realpathSync(process.argv[1] ?? '')]
}

function commandFor(options: WayOptions): readonly string[] {
  const { for: host, url, tokenFile, as, add, user = false, observe = false } = options
  const log = logFor(options)
  const root = user ? [] : ['--root', resolve('.')]
  const program = ourProgram().at(-1) ?? ''
  // Built, one file does it, which starts in less than half the time.
  const send = join(dirname(dirname(program)), 'hooks', 'send.js')
  if (url !== undefined && tokenFile !== undefined && existsSync(send)) {
    const misses = observe ? [missedCallsFile(configuration())] : []
    return [process.execPath, send, ...root, host.name, url, resolve(tokenFile), ...misses]
  }
  const where = log === null ? ['--offline'] : ['--log', log]
  return [
    ...ourProgram(),
    'hook',
    'run',
    '--for',
    host.name,
    ...(url === undefined ? where : ['--url', url]),
    ...(tokenFile === undefined ? [] : ['--token-file', resolve(tokenFile)]),
    ...(as === undefined ? [] : ['--as', as]),
    ...(add === undefined ? [] : ['--add', resolve(add)]),
    ...root,
    ...(observe ? ['--observe'] : []),
  ]
}

function shellWordOf(word: string): string {
  if (/^[\w./:=@-]+$/u.test(word)) return word
  if (process.platform === 'win32') return `"${word}"`
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
