// Equal calls at once. One approval is one run: while a call has no verdict, an equal one is joined
// to it, and all that come to act on one warrant share its run and get what came of it.
import { unlessAborted } from '../asking.ts'

export interface JoiningCall<V, T> {
  /** By what equal calls are recognised; null where each has a run of its own. */
  readonly key: string | null
  /**
   * What a call before it may lack: a reason, which may take the place of an equal request that
   * has none, or an intent that it goes on with. Then it is not joined, and asks by itself.
   */
  readonly brings: 'nothing' | 'reason' | 'intent'
  /** Ends the wait of this caller alone. */
  readonly signal: AbortSignal | undefined
  /** The signal aborts when no caller is left. */
  readonly ask: (signal: AbortSignal) => Promise<V>
  /** Not called where no caller is left. */
  readonly act: (verdict: V, signal: AbortSignal) => Promise<T>
}

export type Joining<V, T> = (call: JoiningCall<V, T>) => Promise<T>

/** What is under way of calls that are equal. */
interface Equal<T> {
  calls: number
  asking: Asking<T> | null
  /** By the intents on whose warrants they run. */
  readonly runs: Map<string, Run<T>>
}

interface Asking<T> {
  readonly brings: JoiningCall<never, T>['brings']
  readonly callers: Callers
  join(signal: AbortSignal | undefined): Promise<T>
}

interface Run<T> {
  readonly callers: Callers
  readonly result: Promise<T>
}

/** `warrantOf` is the intent on whose warrant it runs; null where nothing does. */
export function joining<V, T>(warrantOf: (verdict: V) => string | null): Joining<V, T> {
  const open = new Map<string, Equal<T>>()
  return async (call) => {
    const { key, brings, signal } = call
    const known = key === null ? undefined : open.get(key)
    const equal: Equal<T> = known ?? { calls: 0, asking: null, runs: new Map() }
    if (key !== null) open.set(key, equal)
    equal.calls += 1
    try {
      const before = equal.asking
      const isEnough = brings === 'nothing' || (brings === 'reason' && before?.brings === brings)
      const joins = before !== null && isEnough && !before.callers.signal.aborted
      return await (joins ? before : begun(equal, call, warrantOf)).join(signal)
    } finally {
      equal.calls -= 1
      if (key !== null && equal.calls === 0) open.delete(key)
    }
  }
}

function begun<V, T>(
  equal: Equal<T>,
  { brings, signal: first, ask, act }: JoiningCall<V, T>,
  warrantOf: (verdict: V) => string | null,
): Asking<T> {
  const callers = callersOf(first)
  const verdict = ask(callers.signal).finally(() => {
    if (equal.asking === own) equal.asking = null
  })
  const run = async (): Promise<T> => {
    const decided = await verdict
    callers.signal.throwIfAborted()
    const warrant = warrantOf(decided)
    const running = warrant === null ? undefined : equal.runs.get(warrant)
    if (running !== undefined) {
      running.callers.addAll(callers)
      return running.result
    }
    const result = act(decided, callers.signal)
    if (warrant !== null) equal.runs.set(warrant, { callers, result })
    return result
  }
  const result = run().finally(callers.end)
  // The callers may have left.
  result.catch(() => undefined)
  let isFirst = true
  const own: Asking<T> = {
    brings,
    callers,
    async join(signal) {
      if (!isFirst) callers.add(signal)
      isFirst = false
      await unlessAborted(signal, () => verdict)
      return result
    },
  }
  equal.asking = own
  return own
}

interface Callers {
  /** Aborts when each of them has left. */
  readonly signal: AbortSignal
  add(caller: AbortSignal | undefined): void
  addAll(others: Callers): void
  readonly signals: readonly (AbortSignal | undefined)[]
  /** They are looked at no more. */
  readonly end: () => void
}

function callersOf(first: AbortSignal | undefined): Callers {
  const stopping = new AbortController()
  const ended = new AbortController()
  const signals: (AbortSignal | undefined)[] = []
  let left = 0
  const leave = ({ reason }: AbortSignal): void => {
    left += 1
    if (left === signals.length) stopping.abort(reason)
  }
  const add = (caller: AbortSignal | undefined): void => {
    signals.push(caller)
    if (caller?.aborted === true) leave(caller)
    else caller?.addEventListener('abort', () => leave(caller), { signal: ended.signal })
  }
  add(first)
  return {
    signal: stopping.signal,
    signals,
    add,
    addAll: (others) => others.signals.forEach(add),
    end: () => ended.abort(),
  }
}
