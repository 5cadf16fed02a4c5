// One door: what is asked of it, and what it answers.
import type { OperationName } from '#schemas/operations/table'

export type Asked = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What was answered, or the code of why it was not. */
export type Door = (name: OperationName, given: Asked) => Promise<unknown>

const codes = [
  'name_unknown',
  'revision_unknown',
  'no_intent',
  'no_contract',
  'no_review',
  'no_grant',
  'no_proposal',
  'unknown_principal',
  'reader_refused',
  'caller_refused',
] as const

/** What is not read as it was given is `usage`, in the words of any door. */
export function codeIn(text: string): string {
  return codes.find((code) => text.includes(code)) ?? 'usage'
}
