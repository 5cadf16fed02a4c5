// The callback module that the catalog pins. Where it is not here, that is a fault of this machine:
// a stage that calls callbacks decides nothing by it, and leaves its jobs to others meanwhile.
import { join } from 'node:path'
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import type { Callbacks } from '#ports/callbacks'
import type { Timer } from '#ports/clock'
import type { Logger } from '../reporting/logger.ts'
import type { Follower } from './follower.ts'
import { pause } from './timeout.ts'

export interface Pinning {
  readonly callbacks: Callbacks
  readonly follower: Follower
  /** Where modules are looked for; null where they are kept in no folder. */
  readonly folder: string | null
}

/** How often to look whether it has come. */
const lookMs = 5_000

/** Null where the catalog pins none, and where it is here as it was pinned. */
export async function missingModule(pinning: Pinning): Promise<Fault | null> {
  const { callbacks: pinned } = pinning.follower.state.catalog
  if (pinned === null || (await pinning.callbacks.has(pinned))) return null
  return moduleMissing(pinned, pinning.folder)
}

export function moduleMissing(module: string, folder: string | null): Fault {
  const where = folder === null ? 'here' : `in \`${join(folder, 'callbacks')}\``
  const what = `the callback module \`${module}\` that the catalog pins is not ${where}`
  const fix = 'copy that folder from a machine that has it'
  return new Fault('module_missing', `${what}, or was changed there: ${fix}`)
}

export function isModuleMissing(error: unknown): boolean {
  return error instanceof Fault && error.code === 'module_missing'
}

/** Resolves when the stage may decide, or when the signal aborts. */
export async function untilModuleHere(
  at: Pinning & { readonly stage: Stage; readonly timer: Timer; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { stage, timer, logger } = at
  if (stage.calls === undefined) return
  let isReported = false
  for (let error = await missingModule(at); error !== null; error = await missingModule(at)) {
    if (!isReported) logger.warn({ stage: stage.name, error }, 'callback module missing')
    isReported = true
    if (await pause(timer, lookMs, signal)) return
  }
  if (isReported) logger.info({ stage: stage.name }, 'callback module found')
}
