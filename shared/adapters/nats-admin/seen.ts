// What came of looking at something on a server: what a credential may not see is distinguished from
// what is not there.
import { Fault } from '#core/kernel/fault'

/** `hidden` is what this credential may not see, or no one answered. */
export type Seen<T> =
  | { readonly is: 'there'; readonly value: T }
  | { readonly is: 'missing' }
  | { readonly is: 'hidden'; readonly why: string }

export async function look<T>(ask: () => Promise<T | null>): Promise<Seen<T>> {
  try {
    const value = await ask()
    return value === null ? { is: 'missing' } : { is: 'there', value }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { is: 'hidden', why: error.message }
  }
}
