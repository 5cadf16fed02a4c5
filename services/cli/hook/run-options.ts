// How `hook run` is called, and how it blocks where it fails.
import { Fault } from '#core/kernel/fault'
import type { HookHost } from '#schemas/hooks/tools'
import { blockedHook, type HookPrinted } from '#services/hooks/send'
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
}

export function blockedByError(host: HookHost, error: unknown): HookPrinted {
  const what = error instanceof Error ? error.message : 'something failed'
  const code = error instanceof Fault ? ` (${error.code})` : ''
  return blockedHook(host, `${what}${code}`)
}
