// An answer of the server that stays as new as the log: it is read again when something happens,
// and what was read before stays on the screen while it cannot be read.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { onEvent } from '../shell/live.ts'
import { codeOf } from '../shell/requests.ts'
import { noteSignedOut } from '../shell/session.ts'

export interface Reread<T> {
  /** What was read last; null where nothing was yet. */
  readonly value: T | null
  /** Why it could not be read the last time. */
  readonly problem: string | null
  readonly again: () => Promise<void>
}

/** Events that come together are answered by one reading. */
const gatherMs = 400

/**
 * `key` names what is read: another one is another reading. `kinds` are those of the facts that may
 * change it; absent: all.
 */
export function useReading<T>(
  key: string,
  read: () => Promise<T>,
  kinds?: ReadonlySet<string>,
): Reread<T> {
  const value = useSignal<{ readonly of: string; readonly it: T } | null>(null)
  const problem = useSignal<string | null>(null)
  const latest = useRef({ key, read })
  latest.current = { key, read }
  const again = async (): Promise<void> => {
    const asked = latest.current
    try {
      const it = await asked.read()
      if (asked.key !== latest.current.key) return
      value.value = { of: asked.key, it }
      problem.value = null
    } catch (error) {
      if (asked.key !== latest.current.key) return
      problem.value = codeOf(error)
      noteSignedOut(codeOf(error))
    }
  }
  useEffect(() => {
    let waiting: number | undefined
    problem.value = null
    void again()
    const stop = onEvent((event) => {
      if (event !== null && kinds?.has(event.kind) === false) return
      window.clearTimeout(waiting)
      waiting = window.setTimeout(() => void again(), gatherMs)
    })
    return () => {
      window.clearTimeout(waiting)
      stop()
    }
  }, [key])
  const held = value.value?.of === key ? value.value.it : null
  return { value: held, problem: problem.value, again }
}
