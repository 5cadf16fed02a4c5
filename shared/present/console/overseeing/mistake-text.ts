// What is wrong with a value that someone writes, in words: what a schema expects there.
import type { z } from 'zod'

export const notJsonText = 'This cannot be read as JSON.'

/** Where it is. */
export function placeText({ line, column }: { readonly line: number; readonly column: number }) {
  return `Line ${line}, column ${column}`
}

/** One phrase, with the member that it is about. */
export function mistakeText(issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? 'The value' : `“${issue.path.map(String).join('.')}”`
  switch (issue.code) {
    case 'unrecognized_keys':
      return `“${issue.keys.join('”, “')}” is unknown here.`
    case 'invalid_type':
      return `${at} must be ${withArticle(issue.expected)}.`
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return `${at} must not be empty.`
      return `${at} must not be below ${String(issue.minimum)}.`
    case 'too_big':
      return `${at} must not be above ${String(issue.maximum)}.`
    case 'invalid_value':
      return `${at} must be one of ${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return `${at} is not written as it must be.`
    case 'invalid_union':
      return `${at} is not what may stand here.`
    case 'custom':
      return `${at}: ${issue.message}.`
    default:
      return `${at} is not what may stand here.`
  }
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`
}
