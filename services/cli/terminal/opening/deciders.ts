// What derives verdicts of a log again for a command that reads it: the stages of this version, and
// the callback modules beside the log.
import { threadCallbacks } from '#runtime/callbacks/thread'
import { loadModule } from '#authoring/callback-store'
import { findLog } from '#runtime/logs/log-url'
import type { Deciders } from '#replay/verdicts/forged'
import { configuration } from '#wiring/config'
import { stages } from '#workers/stages'
import type { GlobalOptions } from './options.ts'

export async function withDeciders<T>(
  options: GlobalOptions,
  use: (deciders: Deciders) => Promise<T>,
): Promise<T> {
  const { folder } = findLog(options.log, configuration())
  const callbacks = threadCallbacks((digest) =>
    folder === null ? Promise.resolve(null) : loadModule(folder, digest),
  )
  try {
    return await use({ stages, callbacks })
  } finally {
    await callbacks.close()
  }
}
