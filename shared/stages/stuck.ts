// What took too long to decide and was stopped. How long something takes is no part of any answer,
// so who only asks what would be decided says that it cannot tell.
import { Fault } from '#record/fault'

export function isStuck(error: unknown): boolean {
  return error instanceof Fault && error.code === 'decision_stuck'
}

/** What it comes to, or the other where that was stopped. */
export function unlessStuck<T, Otherwise>(run: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return run()
  } catch (error) {
    if (isStuck(error)) return otherwise
    throw error
  }
}
