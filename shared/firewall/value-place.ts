// Where in a value something stands, and what the names above it say of it.
import { isValueOfPair } from './detect/named/pair-names.ts'
import type { SecretName } from './detect/named/secret-names.ts'
import { isQuotedSecret } from './detect/named/values.ts'
import { isSecretValue } from './pairs.ts'
import { pointerToken } from '#record/pointer-token'

export interface ValuePlace {
  /** Null of the value itself. */
  readonly parent: ValuePlace | null
  /** Where it stands in its parent; a key is as it is shown. */
  readonly token: string | number
  readonly depth: number
  /** Null where all fields stay. */
  readonly allowed: ReadonlySet<string> | null
  /** Whether it stands in a list of names with their values. */
  readonly isOfPairs?: boolean
  /** Whether it defines what a sensitive field may be. */
  readonly isDefinition?: boolean
  /** What its key says of the value in it: `{"DB_PASSWORD": {"value": …}}`. */
  readonly secret?: SecretName | null
}

export const top: ValuePlace = { parent: null, token: '', depth: 0, allowed: null }

/** JSON pointer. */
export function shownPathOf({ parent, token }: ValuePlace): string {
  if (parent === null) return ''
  const escaped = pointerToken(String(token))
  return `${shownPathOf(parent)}/${escaped}`
}

export function inList(parent: ValuePlace, index: number): ValuePlace {
  return { parent, token: index, depth: parent.depth + 1, allowed: parent.allowed }
}

/** Whether it is the value of what its parent is called; `key` is null of an item. */
export function isOfSecret({ secret }: ValuePlace, key: string | null, member: unknown): boolean {
  if (secret === undefined || secret === null) return false
  if (key === null) return typeof member === 'string' && isQuotedSecret(member, secret)
  return isValueOfPair(key) && isSecretValue(member, secret)
}

/** What holds for its members where it is a value itself: `{"value": ["…"]}`. */
export function passedOn({ secret }: ValuePlace, key: string): SecretName | null {
  return secret !== undefined && isValueOfPair(key) ? secret : null
}
