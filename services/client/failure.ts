// What an outcome says of a failure: a code that distinguishes failures, and never more of the
// error than its name, whose words may hold anything.

/** What is recorded of a failure. */
export interface Failure {
  /** Such as `ENOSPC` or a status; of up to 64 letters, digits and `_.:-`. */
  readonly code?: string
  readonly detail?: string
  /** Whether it may have happened all the same. */
  readonly isUnknown?: boolean
}

const codePattern = /^[A-Za-z0-9_.:-]{1,64}$/
const detailCharactersMax = 4_000

/** By the error's own `code` or `status`, where that is a short token. */
export function describeFailure(error: unknown): Failure {
  const detail = error instanceof Error ? error.name : 'it threw a value that is not an Error'
  const code = codeIn(error)
  return code === null ? { detail } : { code, detail }
}

const codeFields = ['code', 'status', 'statusCode'] as const

function codeIn(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  for (const field of codeFields) {
    const value: unknown = Reflect.get(error, field)
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && codePattern.test(text)) return text
  }
  // What wraps an error says little; what it wraps may say which.
  return error instanceof Error && error.cause !== error ? codeOfCause(error.cause) : null
}

function codeOfCause(cause: unknown): string | null {
  if (typeof cause !== 'object' || cause === null) return null
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' && codePattern.test(code) ? code : null
}

/** What the hook says, as far as an outcome can hold it; the error's own where it is silent. */
export function failureOf(error: unknown, describe: (error: unknown) => Failure): Failure {
  let said: Failure
  try {
    said = describe(error)
  } catch {
    return describeFailure(error)
  }
  const code = said.code !== undefined && codePattern.test(said.code) ? said.code : undefined
  const detail = said.detail?.slice(0, detailCharactersMax).toWellFormed()
  const unknown = said.isUnknown === true && { isUnknown: true }
  if (code === undefined && detail === undefined) return { ...describeFailure(error), ...unknown }
  const named = { ...(code !== undefined && { code }), ...(detail !== undefined && { detail }) }
  return { ...named, ...unknown }
}
