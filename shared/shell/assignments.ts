// What the words of a command come to: the lines that it may be, and the values that assignments
// give their variables.
import { wordsMax } from './effort.ts'
import {
  computed,
  expandText,
  expandWord,
  type Expanded,
  type Expanding,
} from './expanded-words.ts'
import { unknownMark } from './marks.ts'
import { computeIndex } from './sums.ts'
import type { Scope } from './scope.ts'
import type { ShellAssignment, ShellCommand } from './syntax.ts'

interface Assigned {
  /** Those that the variable may have then. */
  readonly values: readonly string[]
  readonly isSecret: boolean
}

export function assignedBy(one: ShellAssignment, by: Expanding): Assigned {
  const { name, index, value, words, appends } = one
  if (index !== null) computed({ word: index, of: name }, by)
  const all = words.map((word) => expandText(word, by))
  const isSecret = all.some((expanded) => expanded.isSecret)
  const given = all.flatMap(({ texts }) => texts)
  if (value === null) for (const text of given) computeElement(name, text, by)
  const before = by.scope.get(name).values
  const isElement = index !== null || (value === null && appends)
  if (isElement) return { values: [...before, ...given], isSecret }
  if (value === null) return { values: given.length === 0 ? [''] : given, isSecret }
  if (!appends) return { values: given, isSecret }
  // What is put behind a text makes another one of it, and is added to a number.
  const isCounted = by.scope.isCounted(name)
  return { values: isCounted ? [...before, ...given] : [unknownMark], isSecret }
}

/** `[1]=x` in a list. */
function computeElement(name: string, text: string, by: Expanding): void {
  const found = /^\[(?<index>[^]*?)\]\+?=/u.exec(text)?.groups?.['index']
  if (found !== undefined) computeIndex(name, found, by)
}

/** The same as an argument of a command, such as `declare`. */
function namedBy(one: ShellAssignment, by: Expanding): Expanded {
  const { values, isSecret } = assignedBy(one, by)
  // A list is there before the command that it is an argument of.
  if (one.value === null) by.scope.set(one.name, { values, isSecret, isList: true })
  const texts = one.value === null ? [one.name] : values.map((value) => `${one.name}=${value}`)
  return { alternatives: texts.map((text) => [text]), isSecret, isLoose: false }
}

/** `IFS=, read …`: what stands before this command of the shell is for it alone. */
export function dividesItself({ words, assignments }: ShellCommand, scope: Scope): boolean {
  const [first] = words
  const [name, ...more] = first?.kind === 'word' ? first.word : []
  if (name?.kind !== 'text' || name.text !== 'read' || more.length > 0) return false
  return !scope.functions.has('read') && assignments.some((one) => one.name === 'IFS')
}

const linesMax = 32

/** The lines that a command may become. */
export function linesOf(words: ShellCommand['words'], by: Expanding) {
  let lines: string[][] = [[]]
  let [isSecret, isLoose] = [false, false]
  for (const one of words) {
    const expanded = one.kind === 'word' ? expandWord(one.word, by) : namedBy(one.assignment, by)
    isSecret ||= expanded.isSecret
    isLoose ||= expanded.isLoose
    const [only, ...others] = expanded.alternatives
    if (others.length > 0 || only === undefined) {
      lines = lines.flatMap((line) => expanded.alternatives.map((more) => [...line, ...more]))
    } else for (const line of lines) line.push(...only)
    if (lines.length > linesMax) lines = [[unknownMark]]
    if (lines.some((line) => line.length > wordsMax)) lines = [[unknownMark]]
  }
  return { lines, isSecret, isLoose }
}
