// `warrant mcp add` and `mcp remove`.
import { exitCodes } from '#schemas/faults/exit'
import { assert, Fault } from '#record/fault'
import { serversIn, withServer } from '#shell/hooks/hook-settings'
import type { Catalog } from '#rules/catalog/catalog'
import { onlyAgent } from '#cli/agents/ask/run'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import {
  editedOrRefused,
  realSettings,
  replaceSettings,
  settingsText,
} from '#cli/terminal/opening/settings-text'
import { usage } from '#cli/terminal/failure'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { configuration } from '#wiring/config'
import { shownPath } from '#cli/terminal/shown-path'
import { print, printJson } from '#cli/terminal/terminal'
import { starterAgent } from '../init/starter.ts'
import { mcpHosts, type McpHost } from './mcp-hosts.ts'
import { bareEntry, behindEntry, startedIn, type ServerStarted } from './proxied-entry.ts'
import { putBehind, type NamedServer } from './put-behind.ts'

interface HostOptions extends GlobalOptions {
  readonly for: string
}

interface McpAddOptions extends HostOptions, SignerOptions {
  readonly agent?: string
  readonly class?: Readonly<Record<string, unknown>>
}

interface McpRemoveOptions extends HostOptions {
  readonly unwrap?: boolean
}

export interface ServerSettings {
  readonly host: McpHost
  readonly file: string
  /** Empty where there is none. */
  readonly text: string
  readonly servers: ReadonlyMap<string, unknown>
}

/** Throws a Fault for settings that cannot be read. */
export async function settingsOf(name: string): Promise<ServerSettings> {
  const host = mcpHosts.find((one) => one.name === name)
  assert(host !== undefined, 'the command line takes no other')
  const file = await realSettings(host.file())
  const text = (await settingsText(file)) ?? ''
  const servers = serversIn(text, host)
  if (servers instanceof Map) return { host, file, text, servers }
  const refused = 'refused' in servers ? servers.refused : ''
  throw new Fault('settings_unreadable', `\`${file}\`: ${refused}; fix it there`)
}

export async function mcpAdd(
  name: string,
  words: readonly string[],
  options: McpAddOptions,
): Promise<number> {
  const { host, file, text, servers } = await settingsOf(options.for)
  const server = serverNamed(name, words, { servers, file })
  return withRuntime(options, {}, async (runtime) => {
    const agent = options.agent ?? agentIn(runtime.follower.state.catalog)
    const { class: classes = {} } = options
    const of = { host, file, text, servers: [server], agent, classes, options }
    const lines = await putBehind(runtime, of)
    if (options.json === true) await printJson({ file, name, agent })
    else {
      const back = `mcp remove ${shellWord(name)} --for ${host.name}`
      await print([...lines, '', `Take it back: ${hintsFor(options, configuration())(back)}`])
    }
    return exitCodes.yes
  })
}

/** The command that was given, else the one that stands there. */
function serverNamed(
  name: string,
  words: readonly string[],
  { servers, file }: Pick<ServerSettings, 'servers' | 'file'>,
): NamedServer {
  const there = servers.get(name)
  const behind: ServerStarted | null = behindEntry(there) ?? startedIn(there)
  if (words.length > 0) {
    const [command = '', ...args] = words
    const same = behind !== null && behind.words.join('\0') === words.join('\0')
    if (there !== undefined && !same) {
      throw new Fault('already_there', `\`${file}\` has another \`${name}\`: remove it first`)
    }
    return { name, words, env: behind?.env ?? {}, entry: behind?.entry ?? { command, args } }
  }
  if (behind !== null) return { name, ...behind }
  const how = `give its command: \`warrant mcp add ${name} -- COMMAND\``
  if (there === undefined) throw usage(`\`${file}\` has no \`${name}\`: ${how}`)
  throw usage(`\`${name}\` is no command there: start \`warrant mcp --url\` in its place yourself`)
}

function agentIn(catalog: Catalog): string {
  return catalog.principals.has(starterAgent.id) ? starterAgent.id : onlyAgent(catalog)
}

export async function mcpRemove(name: string, options: McpRemoveOptions): Promise<number> {
  const settings = await settingsOf(options.for)
  const { file, servers } = settings
  const behind = behindEntry(servers.get(name))
  if (behind === null) {
    throw new Fault('unknown_entry', `\`${file}\` has no \`${name}\` behind the proxy`)
  }
  const entry = options.unwrap === true ? bareEntry(behind) : undefined
  await withEntries(settings, [{ name, entry }])
  const left = options.unwrap === true ? 'is started without the proxy' : 'is taken out'
  await print([`${shownPath(file)}: \`${name}\` ${left}; its tools stay in the catalog`])
  return exitCodes.yes
}

/** Writes these entries, each in place of what is there. */
export async function withEntries(
  { host, file, text }: ServerSettings,
  entries: readonly { readonly name: string; readonly entry: object | undefined }[],
): Promise<void> {
  let now = text
  for (const one of entries) now = editedOrRefused(file, withServer(now, host, one))
  if (now !== text) await replaceSettings(file, now)
}
