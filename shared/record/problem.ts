// The first thing that is wrong with something people wrote, as one phrase and a place. It never
// repeats values, which may be secrets, only the names of keys.
import type { z } from 'zod'
import { jsonFault } from './json.ts'
import { describeJsonFault } from './json-fault.ts'

export interface Problem {
  readonly message: string
  /** Keys and indexes from the top, with slashes between. */
  readonly at: string
}

type Path = readonly PropertyKey[]

// Far more than anyone writes, far less than breaks what reads it.
const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 64 }

/** Why the value can be no JSON that people wrote (endless nesting, a key `__proto__`), or null. */
export function unreadable(value: unknown): Problem | null {
  const code = jsonFault(value, limits)
  return code === null ? null : { message: describeJsonFault({ code }), at: '' }
}

/** The first complaint of a schema. */
export function firstProblem(issues: readonly z.core.$ZodIssue[], above: Path = []): Problem {
  const issue = issues.find(isKeyBefore(issues[0])) ?? issues[0]
  if (issue === undefined) return { message: 'is not what is expected here', at: place(above) }
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch that it nearly was: of the same type, and the one with the fewest complaints.
    const ofType = issue.errors.filter((branch) => !isOtherType(branch))
    const branches = ofType.length > 0 ? ofType : issue.errors
    const [nearest = []] = branches.toSorted((a, b) => a.length - b.length)
    return firstProblem(nearest, path)
  }
  if (issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized key')) {
    const keys = issue.keys.map((key) => `\`${key}\``).join(', ')
    return { message: `no such key: ${keys}; take it out or fix its name`, at: place(path) }
  }
  return { message: wordsOf(issue, path.length > 0), at: place(path) }
}

/**
 * Of an object that lacks one key and has another, the other is what is wrong with it. Only where
 * the schema was asked to name keys: other formats are frozen with the first complaint.
 */
function isKeyBefore(first: z.core.$ZodIssue | undefined) {
  const inside = first?.path ?? []
  return ({ code, message, path }: z.core.$ZodIssue): boolean =>
    code === 'unrecognized_keys' &&
    message.startsWith('no such key') &&
    path.every((key, at) => inside[at] === key)
}

/** What is expected there; a schema's own words stand as they are. */
function wordsOf(issue: z.core.$ZodIssue, isInside: boolean): string {
  const { code, message } = issue
  const types = /^Invalid input: expected (?<wanted>\w+), received (?<found>\w+)$/.exec(message)
  if (types?.groups !== undefined) {
    const { wanted = '', found = '' } = types.groups
    if (found === 'undefined' && isInside) return 'is missing'
    return `expected ${withArticle(wanted)}, and this is ${withArticle(found)}`
  }
  if (code === 'invalid_value' && message.startsWith('Invalid ')) {
    return `expected ${issue.values.map((value) => `\`${String(value)}\``).join(' or ')}`
  }
  const kinds = /^Invalid discriminator value. Expected (?<kinds>'.+')$/.exec(message)
  if (kinds?.groups !== undefined) {
    const { kinds: listed = '' } = kinds.groups
    return `expected ${listed.replaceAll("'", '`').replaceAll(' | ', ' or ')}`
  }
  return lowerFirst(message)
}

function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`
}

function isOtherType([issue, ...more]: readonly z.core.$ZodIssue[]): boolean {
  return more.length === 0 && issue?.code === 'invalid_type' && issue.path.length === 0
}

function place(path: Path): string {
  return path.map(String).join('/')
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
