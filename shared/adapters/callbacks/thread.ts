// Callbacks in worker threads of their own: what hangs is killed and refuses, what throws refuses.
// None has a clock, randomness, a locale or a way out, so that a replay answers the same; those
// declared `recorded` have all that in another thread, and what they leave behind reaches no other.
import { Fault } from '#core/fault'
import { callbackMsMax, type CallbackOutcome, type Callbacks } from '#ports/callbacks'
import { keptThread, type Reply } from './kept-thread.ts'

/** The source text of the module of that digest, or null where it is not here. */
export type LoadModule = (digest: string) => Promise<string | null>

export function threadCallbacks(load: LoadModule): Callbacks {
  const urls = new Map<string, Promise<string | null>>()
  const inside = keptThread({ outside: false })
  const outside = keptThread({ outside: true })
  const loaded = async (digest: string): Promise<string | null> => {
    // What takes the types out is slow to load, and most processes never call a callback.
    const { moduleUrl } = await import('./module.ts')
    return moduleUrl(await load(digest))
  }
  const urlOf = (digest: string): Promise<string | null> => {
    const known = urls.get(digest) ?? loaded(digest)
    urls.set(digest, known)
    return known
  }

  return {
    async run(module, name, context) {
      if (module === null) return { faulted: 'the catalog pins no callback module' }
      const url = await urlOf(module).catch((error: unknown) => {
        urls.delete(module)
        return error instanceof Fault ? error : null
      })
      if (url instanceof Fault) return { faulted: url.message }
      if (url === null) {
        urls.delete(module)
        return { faulted: `the callback module ${module} is not here` }
      }
      const call = { url, name, context }
      const reply = await inside.call(call)
      const looksOutside = isRecord(reply) && reply['outside'] === true
      if (!looksOutside) return outcomeOf(reply)
      return { ...outcomeOf(await outside.call(call)), recorded: true }
    },
    async close() {
      await inside.stop()
      await outside.stop()
    },
  }
}

/** Nothing that comes out of a thread is believed: a callback may have sent it. */
function outcomeOf(reply: Reply): CallbackOutcome {
  if (reply === null) {
    return { faulted: `it did not answer within ${callbackMsMax} ms`, recorded: true }
  }
  if (reply instanceof Error) {
    return { faulted: `the callback thread failed: ${reply.message}`, recorded: true }
  }
  if (!isRecord(reply)) return { faulted: 'it answered nothing' }
  const { faulted, answer } = reply
  if (typeof faulted === 'string') return { faulted }
  if (typeof answer !== 'string') return { faulted: 'it did not answer JSON' }
  return { answer: JSON.parse(answer), recorded: false }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Error)
}
