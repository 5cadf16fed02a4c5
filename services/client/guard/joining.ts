// Equal calls at once. One approval is one run: while a call has no verdict, an equal one is joined
// to it, and all that come to act on one warrant share its run and get what came of it.
import { unlessAborted } from '../asking.ts'

export interface JoiningCall<V, T, P = never> {
  /** By what equal calls are recognised; null where each has a run of its own. */
  readonly key: string | null
  /**
   * What a call before it may lack: a reason, which may take the place of an equal request that
   * has none, or an intent that it goes on with. Then it is not joined, and asks by itself.
   */
  readonly brings: 'nothing' | 'reason' | 'intent'
  /** Ends the wait of this caller alone. */
  readonly signal: AbortSignal | undefined
  /** Where this caller alone wants to know how far the run is. */
  readonly onProgress?: Progress<P> | undefined
  /** The signal aborts when no caller is left. */
  readonly ask: (signal: AbortSignal) => Promise<V>
  /** Not called where no caller is left. What it reports reaches each that wants it. */
  readonly act: (verdict: V, signal: AbortSignal, onProgress?: Progress<P>) => Promise<T>
}

type Progress<P> = (progress: P) => void

export type Joining<V, T, P = never> = (call: JoiningCall<V, T, P>) => Promise<T>

/** What is under way of calls that are equal. */
interface Equal<T, P> {
  calls: number
  asking: Asking<T, P> | null
  /** By the intents on whose warrants they run. */
  readonly runs: Map<string, Run<T, P>>
}

interface Asking<T, P> {
  readonly brings: JoiningCall<never, T>['brings']
  readonly callers: Callers<P>
  join(caller: Caller<P>): Promise<T>
}

interface Run<T, P> {
  readonly callers: Callers<P>
  readonly result: Promise<T>
}

/** `warrantOf` is the intent on whose warrant it runs; null where nothing does. */
export function joining<V, T, P = never>(
  warrantOf: (verdict: V) => string | null,
): Joining<V, T, P> {
  const open = new Map<string, Equal<T, P>>()
  return async (call) => {
    const { key, brings } = call
    const known = key === null ? undefined : open.get(key)
    const equal: Equal<T, P> = known ?? { calls: 0, asking: null, runs: new Map() }
    if (key !== null) open.set(key, equal)
    equal.calls += 1
    try {
      const before = equal.asking
      const isEnough = brings === 'nothing' || (brings === 'reason' && before?.brings === brings)
      const joins = before !== null && isEnough && !before.callers.signal.aborted
      return await (joins ? before : begun(equal, call, warrantOf)).join(call)
    } finally {
      equal.calls -= 1
      if (key !== null && equal.calls === 0) open.delete(key)
    }
  }
}

function begun<V, T, P>(
  equal: Equal<T, P>,
  call: JoiningCall<V, T, P>,
  warrantOf: (verdict: V) => string | null,
): Asking<T, P> {
  const { brings, ask, act } = call
  const callers = callersOf(call)
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
    const result = act(decided, callers.signal, callers.onProgress())
    if (warrant !== null) equal.runs.set(warrant, { callers, result })
    return result
  }
  const result = run().finally(callers.end)
  // The callers may have left.
  result.catch(() => undefined)
  let isFirst = true
  const own: Asking<T, P> = {
    brings,
    callers,
    async join(caller) {
      if (!isFirst) callers.add(caller)
      isFirst = false
      await unlessAborted(caller.signal, () => verdict)
      return result
    },
  }
  equal.asking = own
  return own
}

type Caller<P> = Pick<JoiningCall<never, never, P>, 'signal' | 'onProgress'>

interface Callers<P> {
  /** Aborts when each of them has left. */
  readonly signal: AbortSignal
  add(caller: Caller<P>): void
  addAll(others: Callers<P>): void
  readonly all: readonly Caller<P>[]
  /** To each that is there by then; undefined where none of those that are there now wants it. */
  onProgress(): Progress<P> | undefined
  /** They are looked at no more. */
  readonly end: () => void
}

function callersOf<P>(first: Caller<P>): Callers<P> {
  const stopping = new AbortController()
  const ended = new AbortController()
  const all: Caller<P>[] = []
  let left = 0
  const leave = ({ reason }: AbortSignal): void => {
    left += 1
    if (left === all.length) stopping.abort(reason)
  }
  const add = (caller: Caller<P>): void => {
    const { signal } = caller
    all.push(caller)
    if (signal?.aborted === true) leave(signal)
    else signal?.addEventListener('abort', () => leave(signal), { signal: ended.signal })
  }
  const report: Progress<P> = (progress) => {
    for (const { signal, onProgress } of all) {
      if (signal?.aborted !== true) onProgress?.(progress)
    }
  }
  add(first)
  return {
    signal: stopping.signal,
    all,
    add,
    addAll: (others) => others.all.forEach(add),
    onProgress: () => (all.some(({ onProgress }) => onProgress !== undefined) ? report : undefined),
    end: () => ended.abort(),
  }
}
