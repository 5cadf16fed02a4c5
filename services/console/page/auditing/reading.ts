// Reads an answer for what the address names, and reads it again when the address names something
// else. What comes too late for that is not taken.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { codeOf } from '../shell/requests.ts'
import { noteSignedOut } from '../shell/session.ts'

export interface PageAnswer<Answer> {
  /** Null until there is one. */
  readonly answer: Answer | null
  /** A code; null where all went well. */
  readonly problem: string | null
  readonly isReading: boolean
  readonly again: () => void
}

export function useAnswer<Answer>(key: string, read: () => Promise<Answer>): PageAnswer<Answer> {
  const answer = useSignal<{ readonly key: string; readonly is: Answer } | null>(null)
  const problem = useSignal<string | null>(null)
  const isReading = useSignal(true)
  const turn = useRef(0)
  const again = async (): Promise<void> => {
    turn.current += 1
    const mine = turn.current
    isReading.value = true
    problem.value = null
    try {
      const is = await read()
      if (mine === turn.current) answer.value = { key, is }
    } catch (error) {
      if (mine !== turn.current) return
      problem.value = codeOf(error)
      noteSignedOut(problem.value)
    }
    if (mine === turn.current) isReading.value = false
  }
  useEffect(() => void again(), [key])
  const found = answer.value
  return {
    answer: found?.key === key ? found.is : null,
    problem: problem.value,
    isReading: isReading.value,
    again: () => void again(),
  }
}
