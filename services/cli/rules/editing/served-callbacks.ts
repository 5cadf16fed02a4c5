// The callbacks of a log beside those of a folder that is not applied yet.
import type { CallbackRun, Callbacks } from '#ports/callbacks'
import type { OpenedCallbacks } from '#cli/offline/callback-file'

/** The log's own modules, and the one of the folder. */
export function servedBy(kept: Callbacks, { callbacks, module }: OpenedCallbacks): Callbacks {
  const isOwn = (asked: string | null): boolean => asked !== null && asked === module
  return {
    run: (call: CallbackRun) => (isOwn(call.module) ? callbacks.run(call) : kept.run(call)),
    has: (asked) => (isOwn(asked) ? Promise.resolve(true) : kept.has(asked)),
    // Each is closed by the one that opened it.
    close: () => Promise.resolve(),
  }
}
