// The callbacks of a module as people write it, run as a runtime runs them: in threads that have no
// clock, no randomness and no way out. Nothing is pinned and nothing is kept.
import { readFile } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import type { Callbacks } from '#ports/callbacks'
import type { CallbackModule } from '#authoring/seed-files'

/** The callbacks of one module, or of none. */
export interface OpenedCallbacks {
  readonly callbacks: Callbacks
  /** The digest by which they are called; null where there is no module. */
  readonly module: string | null
}

function openCallbacks(module: Pick<CallbackModule, 'source'> | null): OpenedCallbacks {
  const source = module?.source ?? null
  const digest = source === null ? null : digestOf(source)
  const load = (asked: string) => Promise.resolve(asked === digest ? source : null)
  return { callbacks: threadCallbacks(load), module: digest }
}

/** Runs what calls callbacks, and ends their threads whatever happens. */
export async function withCallbacks<T>(
  module: Pick<CallbackModule, 'source'> | null,
  use: (opened: OpenedCallbacks) => Promise<T>,
): Promise<T> {
  const opened = openCallbacks(module)
  try {
    return await use(opened)
  } finally {
    await opened.callbacks.close()
  }
}

/** Throws a Fault that names the file where it is no callback module. */
export async function readCallbackFile(path: string): Promise<CallbackModule> {
  const { callbackModule } = await import('#authoring/seed-files')
  try {
    return await callbackModule({ path, bytes: await readFile(path) })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('input_unreadable', `\`${path}\`: ${why}`, { cause })
  }
}
