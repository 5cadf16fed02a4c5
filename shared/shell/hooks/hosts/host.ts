// What a coding agent is to us: how its events are read and answered, where it has its settings,
// and what is known of it where a hook fails. One value says all of it; nothing else names a host.
// It stands on nothing, since what a host starts before each tool is to start at once.
import type { JsonObject } from '#schemas/catalog'

export interface Host {
  /** By which it is chosen, in addresses and in tables of tools. */
  readonly name: string
  /** As its makers call it. */
  readonly title: string
  /** What an event is, by the name that it gives itself; null if no hook of ours is for it. */
  readonly kindOf: (event: string | null, given: EventMembers) => HookKind | null
  /** The event before a tool runs. */
  readonly before: string
  readonly answers: HostAnswers
  readonly entries: (way: HookWay, entry: EntryParts) => readonly HostEntry[]
  readonly settings: HostSettings
  /** The variable of the environment in which it says the folder of the project. */
  readonly projectVariable?: string
  /** Whether it asks a server itself, rather than start a command. */
  readonly asksServers?: true
  /** Of a hook that cannot run at all; the hook itself blocks whatever goes wrong in it. */
  readonly failing: { readonly closed: boolean; readonly text: string }
  /** What its user has to do after hooks were added. */
  readonly afterInstall?: string
  /** The event that it sends before a command runs, by its published schema. */
  readonly played: (command: string, about: PlayedCall) => JsonObject
  readonly driven: DrivenAgent
  /** Where the project lists its servers of MCP, under `mcpServers`. */
  readonly mcpFile?: string
  /** Of a host whose own configuration may switch hooks off. */
  readonly configuration?: HostConfiguration
}

export type EventMembers = Readonly<Record<string, unknown>>

export type HookKind =
  | ({ readonly is: 'call'; readonly canAsk: boolean } & Implied)
  | ({ readonly is: 'done'; readonly failed: boolean } & Implied)
  | { readonly is: 'prompt' }

/** An event that is for one tool alone, whose arguments stand beside what every event has. */
export interface Implied {
  readonly tool?: string
  readonly own?: readonly string[]
}

/** Only what a host is known to ask about is asked. */
export const hookKinds = {
  call: { is: 'call', canAsk: false },
  askingCall: { is: 'call', canAsk: true },
  done: { is: 'done', failed: false },
  failed: { is: 'done', failed: true },
  prompt: { is: 'prompt' },
} as const

/** Of a host whose events give their names. */
export function byEventName(kinds: Readonly<Record<string, HookKind>>): Host['kindOf'] {
  const known = new Map(Object.entries(kinds))
  return (event) => (event === null ? null : (known.get(event) ?? null))
}

export interface HookDecision {
  readonly outcome: 'allow' | 'ask' | 'deny'
  /** Empty for an allow. */
  readonly reason: string
}

export interface HostAnswers {
  /** The JSON that it reads, of a call that is about to run. */
  readonly decision: (decision: HookDecision) => JsonObject
  /** Where the word stands in it. */
  readonly wordAt: readonly string[]
  /** Whether `ask` leads to its own dialogue: a host that cannot ask gets a denial. */
  readonly canAsk: boolean
  /** What it takes for a denial: the exit code with standard error, the JSON alone, or both. */
  readonly blocksBy: 'exit' | 'json' | 'both'
  /** Whether it is to be written even where it is empty. */
  readonly isNeverSilent: boolean
  /** The JSON to what its user has written, and the event's name, where it is not empty. */
  readonly prompt?: { readonly event: string; readonly body: JsonObject }
}

/** How the host reaches us. */
export type HookWay = (
  | { readonly by: 'command'; readonly command: string }
  /** The token is in the variable of the environment. */
  | { readonly by: 'http'; readonly url: string; readonly tokenVariable: string }
) & {
  /** Whether nothing is enforced: then no failure of ours may block either. */
  readonly observes?: boolean
}

/** What is the same in all entries. */
export interface EntryParts {
  /** Of a hook; ours give up sooner. */
  readonly timeoutSeconds: number
  /** Whether the host itself is to block where the hook fails. */
  readonly isBlocking: boolean
}

export interface HostEntry {
  readonly event: string
  readonly entry: JsonObject
}

/** The same entry for several events. */
export function each(events: readonly string[], entry: JsonObject): readonly HostEntry[] {
  return events.map((event) => ({ event, entry }))
}

export function commandOf(way: HookWay): string {
  return way.by === 'command' ? way.command : ''
}

export interface HostSettings {
  /** From the folder of the project. */
  readonly project: string
  /** From the user's own folder. */
  readonly user: string
  /** Where the user may have moved it: a file in the folder that the variable names. */
  readonly moved?: { readonly variable: string; readonly file: string }
  /** Whether its users have comments in them; they stay where they are. */
  readonly hasComments?: true
  /** Whether they say which version of their format they have. */
  readonly isVersioned?: true
}

export interface PlayedCall {
  readonly session: string
  readonly cwd: string
  /** Each call has a name of its own: none is taken for one of before. */
  readonly id: string
}

/**
 * How it is driven without a person, where it is installed: in a folder of its own, with the login
 * that it has. Where it has an option to leave the user's own settings out, it gets that.
 */
export interface DrivenAgent {
  readonly program: string
  /** What it is called with; the folder is where it runs. */
  readonly words: (prompt: string, folder: string) => readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What of the user's own counts in the run. */
  readonly own: string
}

export interface HostConfiguration {
  /** Its files, of the system, the user and the project. */
  readonly files: (home: string, project: string) => readonly string[]
  /** Why it would pass over the hooks in that file, in sentences; empty where it would not. */
  readonly obstacles: (read: readonly ConfigurationFile[], hooksFile: string) => readonly string[]
}

export interface ConfigurationFile {
  readonly file: string
  /** Empty where it is not there; null where it cannot be read. */
  readonly text: string | null
}
