// How `hook run` is called, and what it prints where it fails.
import { failedOutput, type HookOutput } from '#shell/hooks/hook-answer'
import type { Host } from '#shell/hooks/hosts/host'
import { hosts } from '#shell/hooks/hosts/hosts'
import { Fault } from '#record/fault'
import { environment } from '#wiring/environment'
import type { GlobalOptions } from '#cli/terminal/opening/options'

export interface HookRunOptions extends GlobalOptions {
  readonly for: Host
  readonly url?: string
  readonly tokenFile?: string
  readonly as?: string
  /** Judge by the shipped rules alone, whatever log is near. */
  readonly offline?: boolean
  /** In place of the shipped catalogs, where no log is asked. */
  readonly seed?: string
  /** A folder with tables of commands, laid over those of the seed. */
  readonly add?: string
  /** The folder of the project, by what it was installed with. */
  readonly root?: string
  /** Record what would be decided, and answer nothing. */
  readonly observe?: boolean
}

/** What is printed where it fails: a block, or an empty answer of one that only observes. */
export function failedHook(
  { for: host, observe = false }: HookRunOptions,
  event: string,
  error: unknown,
): HookOutput {
  const what = error instanceof Error ? error.message : 'something failed'
  const why = error instanceof Fault ? `${what} (${error.code})` : what
  return failedOutput(host, event, { why, observes: observe })
}

/** By the host's own word, else by what it was installed with; null where neither says it. */
export function projectOf({ root }: Pick<HookRunOptions, 'root'>): string | null {
  const own = environment()
  const given = hosts.flatMap(({ projectVariable: one }) => (one === undefined ? [] : [own[one]]))
  return [...given, root].find((one) => one?.startsWith('/') === true) ?? null
}
