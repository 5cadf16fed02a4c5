// One server in the settings of a host, before and after it is put behind `warrant mcp`.
import { z } from 'zod'
import { ourProgram } from '#cli/agents/hook/settings-place'
import type { McpHost } from './mcp-hosts.ts'

/** What a host starts; its other members stay as they are. */
const Started = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
})

export interface ServerStarted {
  /** The program and its words. */
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The entry as it is written. */
  readonly entry: object
}

/** Null for one at an address, or one that cannot be read. */
export function startedIn(entry: unknown): ServerStarted | null {
  const read = Started.safeParse(entry)
  if (!read.success) return null
  const { command, args = [], env = {} } = read.data
  return { words: [command, ...args], env, entry: read.data }
}

const ourMain = /[\\/]services[\\/]cli[\\/]main\.[jt]s$/u

/** The server behind an entry of ours; null for any other entry. */
export function behindEntry(entry: unknown): ServerStarted | null {
  const started = startedIn(entry)
  const words = started?.words ?? []
  const at = words.indexOf('--')
  const program = words.findIndex((word) => ourMain.test(word))
  if (started === null || at === -1 || program === -1 || words[program + 1] !== 'mcp') return null
  return { ...started, words: words.slice(at + 1) }
}

export function proxiedEntry(
  { words, entry }: Pick<ServerStarted, 'words' | 'entry'>,
  { host, agent, log }: { readonly host: McpHost; readonly agent: string; readonly log: string },
): object {
  const [command = '', ...program] = ourProgram()
  const args = [...program, 'mcp', '--as', agent, '--log', log, '--', ...words]
  return { ...host.more, ...entry, command, args }
}

/** As it was before it was put behind. */
export function bareEntry({ words, entry }: ServerStarted): object {
  const [command = '', ...args] = words
  return { ...entry, command, args }
}
