// Which server stands behind: the one of the catalog, or the one of the command line, which may be
// one of the catalog by another way.
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'
import { redactText } from '#firewall/redact'
import type { ListedTool } from '#gateway/tools/mcp-library'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { toolSecrets } from '#gateway/tools/secrets'
import { Fault } from '#record/fault'
import { configuration } from '#wiring/config'
import { environment } from '#wiring/environment'
import { ToolServer, type HttpToolServer } from '#schemas/action/driver'
import { behindAt, type Behind } from '#mcp/behind'
import { usage } from '#cli/terminal/failure'
import { shellWord } from '#cli/terminal/hint'
import { note } from '#cli/terminal/terminal'

/** As the command line has it. */
export interface BehindWords {
  readonly url?: string
  /** Each a name, `=`, and the template of its value. */
  readonly header?: readonly string[]
  /** Whether the address may be of this machine or network. */
  readonly private?: boolean
  /** The id of a server of the catalog. */
  readonly server?: string
}

interface BehindGiven extends BehindWords {
  readonly words: readonly string[]
  /** What its host gives the program beside what it has here. */
  readonly env?: Readonly<Record<string, string>>
}

type Servers = readonly ToolServer[]

/** Opened with the first request. */
export function serverBehind(servers: Servers, given: BehindGiven): Behind {
  const { server, isInCatalog } = serverMeant(servers, given)
  const secrets = toolSecrets({
    variables: environment(),
    folder: configuration().secrets ?? null,
  })
  // What the host of the agent gave its server is for that server; what is ours is not.
  const isGiven = given.words.length > 0
  return behindAt({
    server,
    isInCatalog,
    secrets,
    ...(isGiven && { environment: { ...inherited(), ...given.env } }),
  })
}

/** So long a server may take to list them. */
const listMs = 60_000

/** Its tools, of a server that is then ended. Where it lists none, its last words are shown. */
export async function toolsListed(
  behind: Behind,
  name = 'the server',
): Promise<readonly ListedTool[]> {
  try {
    return await behind.tools(AbortSignal.timeout(listMs))
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause
    const { text } = cause.detail
    if (typeof text === 'string') {
      note(`warrant: ${name} wrote last:`)
      const words = stripVTControlCharacters(redactText(text))
      for (const line of words.split(/\r?\n/)) note(`  ${line}`)
    }
    throw new Fault('tool_failed', `${name} lists no tools (${cause.code})`, { cause })
  } finally {
    await behind.close()
  }
}

/** The server of the command line, and whether the catalog has just that one. */
export function serverMeant(
  servers: Servers,
  given: BehindGiven,
): { readonly server: ToolServer; readonly isInCatalog: boolean } {
  const { server: id } = given
  const written = writtenServer(given)
  const named = servers.find((one) => one.id === id)
  if (written === null) {
    if (id === undefined)
      throw usage('say which server: `warrant mcp -- COMMAND`, --url or --server')
    if (named !== undefined) return { server: named, isInCatalog: true }
    throw new Fault('unknown_entry', `the catalog has no server \`${id}\``)
  }
  const same = servers.find((one) => isSame(one, written) && (id === undefined || one.id === id))
  if (same !== undefined) return { server: same, isInCatalog: true }
  if (id === undefined) return { server: written, isInCatalog: false }
  const what = named === undefined ? 'has no such server' : 'has it otherwise'
  throw new Fault('unknown_entry', `the catalog ${what}: \`${id}\``)
}

/** As the catalog would write it, in the folder at hand. */
function writtenServer(given: BehindGiven): ToolServer | null {
  const { words, url } = given
  const isAboutUrl = given.header !== undefined || given.private === true
  if (url === undefined && isAboutUrl) throw usage('--header and --private go with --url')
  if (words.length > 0 && url !== undefined) throw usage('give a command or --url, not both')
  if (words.length > 0) {
    return ToolServer.parse({ id: 'behind', command: [...words], cwd: process.cwd() })
  }
  if (url === undefined) return null
  const address = URL.canParse(url) ? new URL(url) : null
  if (address === null) throw usage(`\`${url}\` is no address`)
  const server = ToolServer.safeParse({
    id: 'behind',
    url,
    ...(given.header && { headers: headersOf(given.header) }),
    ...(given.private === true && { privateHosts: [address.host] }),
  })
  if (!server.success) throw usage('--header takes the name of a header, `=` and its value')
  return server.data
}

function headersOf(written: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((one) => {
      const at = one.indexOf('=')
      return [one.slice(0, Math.max(at, 0)), one.slice(at + 1)]
    }),
  )
}

function isSame(one: ToolServer, written: ToolServer): boolean {
  if ('url' in one) return 'url' in written && isSameAddress(one, written)
  return 'command' in written && isDeepStrictEqual(one.command, written.command)
}

/** What the command line leaves out is as the catalog has it. */
function isSameAddress(one: HttpToolServer, { url, headers }: HttpToolServer): boolean {
  return one.url === url && (headers === undefined || isDeepStrictEqual(one.headers, headers))
}

function inherited(): Readonly<Record<string, string>> {
  const entries = Object.entries(environment()).flatMap(([name, value]) => {
    return value === undefined || name.startsWith('WARRANT_') ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** What an operator types to have its tools in a seed folder. */
export function importingText({ words, url, server, header = [], ...more }: BehindGiven): string {
  const which = [
    ...(server === undefined ? [] : [`--server ${shellWord(server)}`]),
    ...(url === undefined ? [] : [`--url ${shellWord(url)}`]),
    ...header.map((one) => `--header ${shellWord(one)}`),
    ...(more.private === true ? ['--private'] : []),
    ...(words.length === 0 ? [] : ['--', ...words.map(shellWord)]),
  ]
  return `warrant mcp tools ${which.join(' ')} | warrant catalog import - --into warrant`
}
