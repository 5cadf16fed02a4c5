// How `hook run` is called, and what it prints where it fails.
import { Fault } from '#core/kernel/fault'
import { environment } from '#runtime/wiring/environment'
import type { HookHost } from '#schemas/hooks/tools'
import { blockedHook, passedHook, type HookPrinted } from '#services/hooks/send'
import type { GlobalOptions } from '../opening/options.ts'

export interface HookRunOptions extends GlobalOptions {
  readonly for: HookHost
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
): HookPrinted {
  const what = error instanceof Error ? error.message : 'something failed'
  const why = error instanceof Fault ? `${what} (${error.code})` : what
  return observe ? passedHook({ host, event, why }) : blockedHook(host, why)
}

/** By the host's own word, else by what it was installed with; null where neither says it. */
export function projectOf({ root }: HookRunOptions): string | null {
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, CURSOR_PROJECT_DIR } = environment()
  const given = [CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, CURSOR_PROJECT_DIR, root]
  return given.find((one) => one?.startsWith('/') === true) ?? null
}
