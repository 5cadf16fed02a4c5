// Something that someone began here: whether it goes on still, and why it did not work.
import { useSignal } from '@preact/signals'
import { codeOf } from './requests.ts'

interface Doing {
  readonly isBusy: boolean
  /** A code; null where all went well. */
  readonly problem: string | null
  readonly run: (act: () => Promise<unknown>) => Promise<void>
}

export function useDoing(already: string | null = null): Doing {
  const isBusy = useSignal(false)
  const problem = useSignal(already)
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    // Of a double click the second part would do it twice.
    if (isBusy.value) return
    isBusy.value = true
    problem.value = null
    try {
      await act()
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy: isBusy.value, problem: problem.value, run }
}
