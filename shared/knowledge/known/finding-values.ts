// The way to what finds where values come from. It reads what people say in many ways, most intents
// want no value known, and a decider does not wait: so it is loaded when what such an intent is
// decided by is gathered, and never before.
import { assert } from '#record/fault'
import type { soughtValues } from './find.ts'

let seek: typeof soughtValues | null = null

/** Whether values can be sought at once. */
export function canSeek(): boolean {
  return seek !== null
}

export async function loadSeeking(): Promise<void> {
  if (seek === null) seek = (await import('./find.ts')).soughtValues
}

/** INVARIANT: it was loaded before: test/cli/run/loads.test.ts. */
export const valuesSought: typeof soughtValues = (known, ...of) => {
  if (known.length === 0) return []
  assert(seek !== null, '`loadSeeking` was waited for before a value is sought')
  return seek(known, ...of)
}
