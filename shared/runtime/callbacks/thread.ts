// Callbacks in worker threads of their own, few of them and shared fairly: what hangs is killed and
// refuses, what throws refuses. None has a clock, randomness, a locale or a way out, so that a
// replay answers the same; those declared `recorded` have all that in threads apart.
import { parseJson } from '#record/json'
import { CallbackFault } from '#schemas/callbacks'
import { callbackMsMax, type CallbackOutcome, type Callbacks } from '#ports/callbacks'
import type { Ended } from './kept-thread.ts'
import { threadPool } from './thread-pool.ts'

/** The source text of the module of that digest, or null where it is not here. */
export type LoadModule = (digest: string) => Promise<string | null>

/** `msMax` is for tests: a log records time-outs with `callbackMsMax`. */
export function threadCallbacks(load: LoadModule, msMax = callbackMsMax): Callbacks {
  const urls = new Map<string, Promise<string | CallbackFault>>()
  const inside = threadPool({ outside: false }, msMax)
  const outside = threadPool({ outside: true }, msMax)
  const urlOf = (digest: string): Promise<string | CallbackFault> => {
    const known = urls.get(digest) ?? urlFrom(load, digest)
    urls.set(digest, known)
    return known
  }

  return {
    async run({ agent, module, name, context }) {
      if (module === null) return faulted({ code: 'module_unpinned', params: {} })
      const url = await urlOf(module)
      if (typeof url !== 'string') {
        // It may come to be here.
        urls.delete(module)
        return faulted(url)
      }
      const call = { url, name, context }
      const ended = await inside.call(agent, call)
      if (!looksOutside(ended)) return outcomeOf(ended, msMax)
      return { ...outcomeOf(await outside.call(agent, call), msMax), recorded: true }
    },
    has: async (module) => (await sourceFrom(load, module)) !== null,
    async close() {
      await inside.stop()
      await outside.stop()
    },
  }
}

async function sourceFrom(load: LoadModule, digest: string): Promise<string | null> {
  try {
    return await load(digest)
  } catch {
    // What was changed is not the module of that digest.
    return null
  }
}

async function urlFrom(load: LoadModule, digest: string): Promise<string | CallbackFault> {
  const source = await sourceFrom(load, digest)
  if (source === null) return { code: 'module_missing', params: {} }
  // What takes the types out is slow to load, and most processes never call a callback.
  const { moduleUrl } = await import('./module.ts')
  try {
    return moduleUrl(source)
  } catch {
    return { code: 'module_invalid', params: {} }
  }
}

function faulted(fault: CallbackFault): CallbackOutcome {
  return { fault }
}

function looksOutside(ended: NonNullable<Ended>): boolean {
  return 'reply' in ended && isRecord(ended.reply) && ended.reply['outside'] === true
}

/** Nothing that comes out of a thread is believed: a callback may have sent it. */
function outcomeOf(ended: NonNullable<Ended>, msMax: number): CallbackOutcome {
  if ('failed' in ended) {
    return ended.failed === 'hung'
      ? { fault: { code: 'timed_out', params: { ms: msMax } }, recorded: true }
      : { fault: { code: 'thread_failed', params: {} }, recorded: true }
  }
  const { reply } = ended
  if (!isRecord(reply)) return faulted({ code: 'answer_invalid', params: {} })
  const { fault, answer } = reply
  if (fault !== undefined) {
    const parsed = CallbackFault.safeParse(fault)
    return faulted(parsed.success ? parsed.data : { code: 'threw', params: {} })
  }
  if (typeof answer !== 'string') return faulted({ code: 'answer_not_json', params: {} })
  return { answer: parseJson(answer), recorded: false }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
