// Where a coding agent has its settings, and how it comes to call us from there.
import { withoutEnd } from '#core/kernel/reading/text-end'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { HookWay } from '#core/hooks/hook-entries'
import { missedCallsFile } from '#runtime/operations/missed-calls'
import { findLog, isRemote, logExists } from '#runtime/logs/log-url'
import { configuration } from '#runtime/wiring/config'
import { environment } from '#runtime/wiring/environment'
import type { HookHost } from '#schemas/hooks/tools'
import { usage } from '../terminal/failure.ts'
import { codexHome } from './codex-hooks.ts'

export interface SettingsPlace {
  readonly for: HookHost
  /** The user's own, in place of the project's. */
  readonly user?: boolean
}

const files: Readonly<Record<HookHost, readonly [project: string, user: string]>> = {
  'claude-code': ['.claude/settings.json', '.claude/settings.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json'],
  cursor: ['.cursor/hooks.json', '.cursor/hooks.json'],
  copilot: ['.github/hooks/warrant.json', '.copilot/hooks/warrant.json'],
}

/** The event before a tool, as each names it. */
export const beforeEvents: Readonly<Record<HookHost, string>> = {
  'claude-code': 'PreToolUse',
  codex: 'PreToolUse',
  gemini: 'BeforeTool',
  cursor: 'preToolUse',
  copilot: 'preToolUse',
}

/** From the folder of the project. */
export function projectFile(host: HookHost): string {
  return files[host][0]
}

export function settingsFile({ for: host, user }: SettingsPlace): string {
  const [ofProject, ofUser] = files[host]
  if (user !== true) return resolve(ofProject)
  const claudeHome = environment()['CLAUDE_CONFIG_DIR']
  if (host === 'codex') return join(codexHome(), 'hooks.json')
  if (host === 'claude-code' && claudeHome !== undefined) return join(claudeHome, 'settings.json')
  return join(homedir(), ofUser)
}

export interface WayOptions {
  readonly for: HookHost
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

/** Claude Code asks a server itself; every other host starts a command. */
export function wayOf(options: WayOptions): HookWay {
  const { for: host, url, tokenFile, command, user = false, observe = false } = options
  if (observe && url === undefined && logFor(options) === null) {
    throw usage('--observe needs a log that records: give --url or --log')
  }
  const observes = observe ? { observes: true } : {}
  if (host === 'claude-code' && url !== undefined && command !== true && tokenFile === undefined) {
    const query = new URLSearchParams({
      ...(observe && { observe: 'true' }),
      ...(!user && { root: resolve('.') }),
    })
    const asked = query.size === 0 ? '' : `?${query.toString()}`
    const path = `${withoutEnd(url, /\//)}/v1/hooks/${host}${asked}`
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

function commandFor(options: WayOptions): readonly string[] {
  const { for: host, url, tokenFile, as, add, user = false, observe = false } = options
  const log = logFor(options)
  const root = user ? [] : ['--root', resolve('.')]
  const program = realpathSync(process.argv[1] ?? '')
  // Built, one file does it, which starts in less than half the time.
  const send = join(dirname(dirname(program)), 'hooks', 'send.js')
  if (url !== undefined && tokenFile !== undefined && existsSync(send)) {
    const misses = observe ? [missedCallsFile(configuration())] : []
    return [process.execPath, send, ...root, host, url, resolve(tokenFile), ...misses]
  }
  const where = log === null ? ['--offline'] : ['--log', log]
  return [
    process.execPath,
    ...process.execArgv,
    program,
    'hook',
    'run',
    '--for',
    host,
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
