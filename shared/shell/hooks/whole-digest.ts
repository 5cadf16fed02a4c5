// Whether the arguments of a call show only the beginning of what it would write.

/** The digest of all of it; null where there is no more than what they show. */
export function wholeDigest(args: unknown): string | null {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, 'whole')) return null
  const digest: unknown = Reflect.get(args, 'whole')
  return typeof digest === 'string' ? digest : null
}
