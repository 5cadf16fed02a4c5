// What one command of a pipeline hands to the next, as far as it is known: nothing, a text, or the
// paths below some folders.
import { filtersOf } from './paths/chosen.ts'
import type { Acting, Printed } from './paths/shell-call.ts'
import { globMark, numberMark, unknownMark } from './marks.ts'

export type Piped =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  /** Digits, in one line or several. */
  | { readonly kind: 'number' }
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly areNames: boolean }

/** Each of them may stand at the beginning of what is printed, or be all of it. */
export function namesPrinted(output: Piped): readonly string[] {
  if (output.kind !== 'paths') return []
  return output.areNames ? [globMark, ...output.paths] : output.paths
}

export const noInput: Piped = { kind: 'none' }
export const unknownInput: Piped = { kind: 'unknown' }

/**
 * The arguments that `xargs`, with these options, makes of its input. Where the line gives none,
 * what starts the shell may: at least a name, as any other that the line does not state.
 */
export function fedBy(input: Piped, options: readonly string[]): readonly string[] {
  const isGiven = (option: RegExp) => options.some((one) => option.test(one))
  const isApart = isGiven(/^-(?:[A-Za-z0-9]*d|-d)/u)
  if (isGiven(/^-(?:[A-Za-z0-9]*a|-ar)/u)) return [unknownMark]
  switch (input.kind) {
    case 'none':
      return [globMark]
    case 'unknown':
      return [unknownMark]
    case 'number':
      return [numberMark]
    case 'text':
      // It has quotes of its own, and may take another mark than white space between items.
      if (isApart || /['"\\]/u.test(input.text)) return [unknownMark]
      return input.text.split(/\s+/u).filter((one) => one !== '')
    case 'paths':
      return namesPrinted(input)
  }
}

/** What a command prints, and the script that it runs of its input. */
export function printed(
  printing: Printed,
  input: Piped,
): { readonly output: Piped; readonly script?: string } {
  const { act, words } = printing
  if (act.runsInput === true && words.length === 0 && input.kind === 'text') {
    if (!input.text.includes(unknownMark)) return { output: unknownInput, script: input.text }
  }
  return { output: outputOf(printing, input) }
}

function outputOf({ entry, act, words, fields, reads, listed }: Printed, input: Piped): Piped {
  if (act.lists === true) {
    return { kind: 'paths', paths: listed, areNames: !isBehindFolder(fields, listed) }
  }
  if (act.counts === true && !words.some(isOpen)) return { kind: 'number' }
  if (act.filters === true && !reads) return filtered(input, act, fields)
  const hasOption = fields.some((one, at) => at > 0 && /^-(?![neE]+$)/u.test(one))
  if (entry.says !== true || hasOption) return unknownInput
  // What stands behind a format without a place for it is not printed.
  if (words.length > 1 && fields[0] !== 'echo') return unknownInput
  const text = words.join(' ')
  return text.includes('\\') || text.includes('%') ? unknownInput : { kind: 'text', text }
}

/**
 * Whether a folder stands before each, so that none begins as an option does. `find` prints it
 * always, a search where it is given one.
 */
function isBehindFolder([name = '']: readonly string[], listed: readonly string[]): boolean {
  if (name === 'find') return true
  return !/^(?:ls|dir|vdir|exa|eza|lsd)$/u.test(name) && listed.every((one) => /^\w/u.test(one))
}

/** Whether it may be several arguments, or a part of a name. */
function isOpen(text: string): boolean {
  return text.includes(unknownMark) || text.includes(globMark)
}

/** Of paths that a pattern leaves over, those that fit it are meant. */
function filtered(input: Piped, { args }: Acting, fields: readonly string[]): Piped {
  if (input.kind !== 'paths' || args?.startsWith('pattern ') !== true) return input
  const [pattern, ...more] = fields.slice(1).filter((one) => !/^-[iEFPGw]+$/u.test(one))
  if (pattern === undefined || more.length > 0 || pattern.startsWith('-')) return input
  const filters = filtersOf('regex', pattern)
  return {
    ...input,
    paths: input.paths.flatMap((one) => {
      return one.endsWith(`/${globMark}`) ? filters.map((to) => one.slice(0, -1) + to) : [one]
    }),
  }
}
