// What one command of a pipeline hands to the next, as far as it is known: nothing, a text, or the
// paths below some folders.
import type { Printed } from './effects.ts'
import { globMark, numberMark, unknownMark } from './marks.ts'

export type Piped =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  /** Digits, in one line or several. */
  | { readonly kind: 'number' }
  | { readonly kind: 'paths'; readonly roots: readonly string[] }

export const noInput: Piped = { kind: 'none' }
export const unknownInput: Piped = { kind: 'unknown' }

/** The arguments that `xargs`, as it is called, makes of its input. */
export function fedBy(input: Piped, fields: readonly string[]): readonly string[] {
  const isApart = fields.some((one) => /^-(?:[A-Za-z0-9]*d|-d)/u.test(one))
  switch (input.kind) {
    case 'none':
      return []
    case 'unknown':
      return [unknownMark]
    case 'number':
      return [numberMark]
    case 'text':
      // It has quotes of its own, and may take another mark than white space between items.
      if (isApart || /['"\\]/u.test(input.text)) return [unknownMark]
      return input.text.split(/\s+/u).filter((one) => one !== '')
    case 'paths':
      return input.roots.map((root) => `${root}/${globMark}`)
  }
}

/** What a command prints, and the script that it runs of its input. */
export function printed(
  { entry, act, words, fields, reads }: Printed,
  input: Piped,
): { readonly output: Piped; readonly script?: string } {
  if (act.runsInput === true && words.length === 0 && input.kind === 'text') {
    if (!input.text.includes(unknownMark)) return { output: unknownInput, script: input.text }
  }
  return { output: outputOf({ entry, act, words, fields, reads }, input) }
}

function outputOf({ entry, act, words, fields, reads }: Printed, input: Piped): Piped {
  if (act.lists === true) return { kind: 'paths', roots: words.length === 0 ? ['.'] : words }
  if (act.counts === true && !words.some(isOpen)) return { kind: 'number' }
  if (act.filters === true && !reads) return input
  const hasOption = fields.some((one, at) => at > 0 && /^-(?![neE]+$)/u.test(one))
  if (entry.says !== true || hasOption) return unknownInput
  // What stands behind a format without a place for it is not printed.
  if (words.length > 1 && fields[0] !== 'echo') return unknownInput
  const text = words.join(' ')
  return text.includes('\\') || text.includes('%') ? unknownInput : { kind: 'text', text }
}

/** Whether it may be several arguments, or a part of a name. */
function isOpen(text: string): boolean {
  return text.includes(unknownMark) || text.includes(globMark)
}
