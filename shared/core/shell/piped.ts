// What one command of a pipeline hands to the next, as far as it is known: nothing, a text, or the
// paths below some folders.
import type { Printed } from './effects.ts'
import { globMark, unknownMark } from './marks.ts'

export type Piped =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paths'; readonly roots: readonly string[] }

export const noInput: Piped = { kind: 'none' }
export const unknownInput: Piped = { kind: 'unknown' }

/** The arguments that items of the input make. */
export function fedBy(input: Piped): readonly string[] {
  switch (input.kind) {
    case 'none':
      return []
    case 'unknown':
      return [unknownMark]
    case 'text':
      return input.text.split(/\s+/u).filter((one) => one !== '')
    case 'paths':
      return input.roots.map((root) => `${root}/${globMark}`)
  }
}

/** What a command prints, and the script that it runs of its input. */
export function printed(
  { entry, act, words }: Printed,
  input: Piped,
): { readonly output: Piped; readonly script?: string } {
  if (act.runsInput === true && words.length === 0 && input.kind === 'text') {
    if (!input.text.includes(unknownMark)) return { output: unknownInput, script: input.text }
  }
  return { output: outputOf({ entry, act, words }, input) }
}

function outputOf({ entry, act, words }: Omit<Printed, 'given'>, input: Piped): Piped {
  if (act.lists === true) return { kind: 'paths', roots: words.length === 0 ? ['.'] : words }
  if (entry.filters === true && words.length <= 1) return input
  if (entry.says !== true) return unknownInput
  const text = words.join(' ')
  return text.includes('\\') || text.includes('%') ? unknownInput : { kind: 'text', text }
}
