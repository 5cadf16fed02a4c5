// What a guarded function may be given beside its arguments. Frameworks for agents pass a second
// argument of their own, which has nothing to do with the intent: that is left alone.
import { Intent } from '#schemas/intent'
import type { AskOptions, IntentFields } from '../asking.ts'

export type CallOptions = AskOptions & Partial<IntentFields>

/** What a framework passes: any object that has none of the options. */
export type FrameworkContext = object & { readonly [Name in keyof CallOptions]?: never }

const asking = [
  'session',
  'key',
  'waitMs',
  'message',
  'onReview',
  'onLearn',
  'signal',
] as const satisfies readonly (keyof AskOptions)[]
export const callOptionNames: ReadonlySet<string> = new Set([
  ...asking,
  ...Object.keys(Intent.shape),
])

/** The options; none where the object has a property that is not one of them. */
export function callOptions(given: CallOptions | FrameworkContext | null | undefined): CallOptions {
  if (typeof given !== 'object' || given === null) return {}
  for (const name in given) if (!callOptionNames.has(name)) return {}
  const own = Object.getOwnPropertyNames(given)
  return own.every((name) => callOptionNames.has(name)) ? given : {}
}
