// What a result made known that is not in the log itself: for each value in it a digest over a salt
// of that message, with where it stood and whether others can have written it. Two values are
// compared by their digests alone; a short one can be guessed from its digest.
import type { UntrustedPart, ValueKind } from '#schemas/values'
import { SaidIdentifiers } from '#schemas/action/identifiers'
import { digestOf } from '#record/digest'
import { tokensOf } from './pointer.ts'

/** The results of one tool call, by their digests. */
export interface SaidDigests {
  /** Whether the result held more than are listed. */
  readonly incomplete: boolean
  /** Where the value is listed in the message, by the form in which it is compared. */
  trusted(kind: ValueKind, form: string): DigestPlace | undefined
  untrusted(kind: ValueKind, form: string): DigestPlace | undefined
}

export interface DigestPlace {
  /** Into the message. */
  readonly pointer: string
}

/** The digest of a value in the form in which its kind is compared. */
export function identifierDigest(salt: string, kind: ValueKind, form: string): string {
  return digestOf(JSON.stringify([salt, kind, form]))
}

/**
 * What a payload lists, or null where it lists nothing that can be read. Parts are those of the
 * tool's results that others can have written as the catalog has it now; null means all.
 */
export function digestsIn(
  payload: object,
  parts: readonly UntrustedPart[] | null,
): SaidDigests | null {
  const parsed = SaidIdentifiers.safeParse(payload)
  if (!parsed.success) return null
  const { salt, identifiers, incomplete = false } = parsed.data
  const trusted = new Map<string, DigestPlace>()
  const untrusted = new Map<string, DigestPlace>()
  for (const [index, one] of identifiers.entries()) {
    const isUntrusted = one.untrusted === true || isDoubted(one.pointer, parts)
    const places = isUntrusted ? untrusted : trusted
    const key = `${one.kind} ${one.digest}`
    if (!places.has(key)) places.set(key, { pointer: `/payload/identifiers/${index}` })
  }
  const keyOf = (kind: ValueKind, form: string): string => {
    return `${kind} ${identifierDigest(salt, kind, form)}`
  }
  return {
    incomplete: incomplete && parts !== null,
    trusted: (kind, form) => trusted.get(keyOf(kind, form)),
    untrusted: (kind, form) => untrusted.get(keyOf(kind, form)),
  }
}

/** A condition was judged by the gateway, which had the value; a part without one holds always. */
function isDoubted(pointer: string, parts: readonly UntrustedPart[] | null): boolean {
  if (parts === null) return true
  const tokens = tokensOf(pointer)
  return parts.some(({ pointer: part, when }) => {
    if (when !== undefined) return false
    return tokensOf(part).every((token, index) => {
      return index < tokens.length && (token === '*' || token === tokens[index])
    })
  })
}
