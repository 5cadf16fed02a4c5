// Text that only stands where knowledge is to be written: what a suggestion asks for, left as it
// is. It is refused where it would be written, since a level that says it counts as known.
import type { GraphOperation } from '#schemas/graph'

/** What each level answers; nothing for mere existence. */
export const levelQuestions: readonly string[] = [
  '',
  'what is it?',
  'what can it do, or be done with it?',
  'what limits it?',
  'what follows from it?',
]

/** What a suggestion has where a level is to be described. */
export function placeholderFor(level: number): string {
  const question = levelQuestions[level] ?? ''
  return question === '' ? '' : `TODO: ${question}`
}

const marker = /^(todo|tbd|fixme)\s*(:|$)/
/** Of earlier suggestions. */
const starter = /: say here what it is\.?$/

function isPlaceholder(text: string): boolean {
  const plain = text.trim().toLowerCase()
  if (plain === '') return false
  return marker.test(plain) || starter.test(plain) || levelQuestions.includes(plain)
}

/** The first text in it that is one; null where there is none. */
export function placeholderIn(value: unknown): string | null {
  if (typeof value === 'string') return isPlaceholder(value) ? value : null
  if (typeof value !== 'object' || value === null) return null
  for (const each of Object.values(value)) {
    const found = placeholderIn(each)
    if (found !== null) return found
  }
  return null
}

/** The first operation that would write one: which it is, and what to do; null where none would. */
export function placeholderWritten(
  operations: readonly GraphOperation[],
): { readonly at: number; readonly message: string } | null {
  for (const [at, operation] of operations.entries()) {
    if (operation.op !== 'describe') continue
    const found = placeholderIn(operation.properties)
    if (found === null) continue
    const { name, level } = operation
    const place = `level ${level} of \`${name}\``
    const how = 'write in its place, in your own words, what is true'
    return { at, message: `${place} says \`${found}\`, which is a placeholder: ${how}` }
  }
  return null
}
