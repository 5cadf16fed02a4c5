// What words come to: each alternative is the list of arguments that a word may become. What cannot
// be known is a mark in the text, and too many alternatives are not known.
import { withoutEnd } from '#record/reading/text-end'
import { dividesOtherwise, usualSeparators, type Scope } from './scope.ts'
import type { ShellPart, ShellScript, ShellSum, ShellWord } from './syntax.ts'
import { deepMark, globMark, homeMark, isNumeral, numberMark, unknownMark } from './marks.ts'
import { namesPrinted, type Piped } from './piped.ts'
import { compute, computeIndex } from './sums.ts'

export interface Expanding {
  readonly scope: Scope
  /** Judges what stands in a word: whether it reads a secret, and what it prints. */
  readonly judge: (script: ShellScript) => { readonly isSecret: boolean; readonly output: Piped }
  readonly isSecretName: (name: string) => boolean
  readonly add: (concept: string) => void
  /** So many characters more were put together. */
  readonly makes: (characters: number) => void
}

export interface Expanded {
  /** Each a list of arguments. */
  readonly alternatives: readonly (readonly string[])[]
  readonly isSecret: boolean
  /** Whether what is not known in it may be any number of arguments. */
  readonly isLoose: boolean
}

const alternativesMax = 8
const argumentsMax = 64
const charactersMax = 65_536

/** A fragment of a word: one text, or several of which each makes an argument. */
interface Piece {
  readonly texts: readonly string[]
  /** Whether the texts are alternatives, not arguments beside each other. */
  readonly isChoice: boolean
  /** Whether white space in it separates arguments. */
  readonly splits: boolean
  readonly isQuoted: boolean
  readonly isSecret: boolean
}

/** Of a word with braces each of its texts; what stands in one may be several arguments. */
type Branches = readonly (readonly string[])[]

export function expandWord(word: ShellWord, by: Expanding): Expanded {
  const pieces = word.map((part) => pieceOf(part, by, word.length === 1))
  const isSecret = pieces.some((piece) => piece.isSecret)
  const isLoose = pieces.some(({ splits, texts }) => splits && texts.some(mayBeMore))
  let words: readonly Branches[] = [[['']]]
  const isQuoted = pieces.some((piece) => piece.isQuoted)
  for (const piece of pieces) {
    words = piece.isChoice
      ? words.flatMap((all) => {
          return piece.texts.map((text) => all.map((one) => appended(one, text, piece.splits)))
        })
      : words.map((all) => {
          return all.flatMap((one) => piece.texts.map((text) => appended(one, text, false)))
        })
    if (words.length > alternativesMax || words.some((all) => isTooLong(all.flat()))) {
      return { alternatives: [[unknownMark]], isSecret, isLoose }
    }
  }
  const lists = words.map((all) => all.flat())
  for (const list of lists) for (const text of list) by.makes(text.length)
  const alternatives = lists.map((list) => {
    return isQuoted ? list : list.filter((text) => text !== '')
  })
  return { alternatives, isSecret, isLoose }
}

/** Whether it may be any number of arguments, where it is not quoted. */
function mayBeMore(text: string): boolean {
  return [unknownMark, deepMark].some((mark) => text.includes(mark)) || text === globMark
}

/** The word as one text, as an assignment or a redirection takes it: its alternatives. */
export function expandText(word: ShellWord, by: Expanding) {
  const { alternatives, isSecret } = expandWord(
    word.map((part) => ('quoted' in part ? { ...part, quoted: true } : part)),
    by,
  )
  return { texts: alternatives.map((list) => list.join(' ')), isSecret }
}

function isTooLong(list: readonly string[]): boolean {
  return list.length > argumentsMax || list.some((text) => text.length > charactersMax)
}

function appended(list: readonly string[], text: string, splits: boolean): readonly string[] {
  const [first = '', ...rest] = splits ? text.split(/[ \t\n]+/u) : [text]
  const last = list.at(-1) ?? ''
  return [...list.slice(0, -1), last + first, ...rest]
}

const plain = { isChoice: false, splits: false, isQuoted: false, isSecret: false }

function pieceOf(part: ShellPart, by: Expanding, isAlone: boolean): Piece {
  switch (part.kind) {
    case 'text':
      return { ...plain, texts: [part.text], isQuoted: part.quoted }
    case 'home':
      return { ...plain, texts: [homeMark] }
    case 'glob':
      return { ...plain, texts: [globMark] }
    case 'brace': {
      const texts = braced(part.text)
      return { ...plain, texts: texts ?? [unknownMark] }
    }
    case 'variable':
      return variablePiece(part.name, part.quoted, by)
    case 'output': {
      const { isSecret, output } = by.judge(part.script)
      if (isFolder(part.script, by)) return { ...plain, texts: ['.'], isQuoted: part.quoted }
      const names = namesPrinted(output)
      const isSplit = names.some((one) => isOtherwiseSplit(one, by.scope.get('IFS').values))
      // What stands beside it belongs to the first of the names or to the last.
      if (names.length > 0 && (part.quoted || (isAlone && !isSplit))) {
        return { ...plain, texts: names, isChoice: part.quoted, splits: !part.quoted, isSecret }
      }
      return { ...valuePiece([textOf(output)], part.quoted, by), isSecret }
    }
    case 'pipe':
      return { ...plain, texts: ['/dev/fd/63'], isSecret: by.judge(part.script).isSecret }
    case 'number':
      return { ...plain, texts: [numberMark], isSecret: computedAll(part.sums, by) }
    case 'unknown': {
      if (part.runs) by.add('code.run')
      const isSecret = [
        computedAll(part.sums, by),
        judgedAll(part.scripts, by),
        part.names.some((one) => isSecretIn(one, by)),
      ].some(Boolean)
      return { ...valuePiece([unknownMark], part.quoted, by), isSecret }
    }
  }
}

/** `$(pwd)`, which `.` stands for as it does for `$PWD`. */
function isFolder([only, ...more]: ShellScript, { scope }: Expanding): boolean {
  if (only?.kind !== 'command' || more.length > 0 || scope.functions.has('pwd')) return false
  const { words, assignments, redirects } = only
  const [name, ...rest] = words
  if (name?.kind !== 'word' || rest.length + assignments.length + redirects.length > 0) return false
  const [text, ...others] = name.word
  return text?.kind === 'text' && text.text === 'pwd' && others.length === 0
}

function variablePiece(name: string, quoted: boolean, by: Expanding): Piece {
  const { values, isSecret } = by.scope.get(name)
  return { ...valuePiece(values, quoted, by), isSecret: isSecret || by.isSecretName(name) }
}

/** Of what an expansion may come to. */
function valuePiece(values: readonly string[], quoted: boolean, { scope }: Expanding): Piece {
  const separators = scope.get('IFS').values
  const texts = quoted
    ? values
    : values.map((value) => {
        if (isOtherwiseSplit(value, separators)) return unknownMark
        return value.replaceAll(/[*?[]/gu, globMark)
      })
  return { ...plain, texts, isChoice: true, splits: !quoted, isQuoted: quoted }
}

/** Whether it may be divided elsewhere than at white space. */
function isOtherwiseSplit(value: string, separators: readonly string[]): boolean {
  return separators.some((one) => {
    if (one === usualSeparators) return false
    const isOpen =
      dividesOtherwise(one) && [globMark, deepMark].some((mark) => value.includes(mark))
    return isOpen || (one + usualSeparators).split('').some((mark) => value.includes(mark))
  })
}

/** What a command prints; the shell leaves out the ends of lines behind it. */
function textOf(output: Piped): string {
  if (output.kind === 'number') return numberMark
  return output.kind === 'text' ? withoutEnd(output.text, /\n/) : unknownMark
}

/** Works them out; whether a secret stands in one. */
function computedAll(sums: readonly ShellSum[], by: Expanding): boolean {
  return sums.map((one) => computed(one, by)).some(Boolean)
}

/** The shell expands a sum first, and reads it only then. */
export function computed({ word, of }: ShellSum, by: Expanding): boolean {
  const { texts, isSecret } = expandText(
    word.map((part) => numberIn(part, by)),
    by,
  )
  for (const text of texts) {
    if (of === null) compute(text, by)
    else computeIndex(of, text, by)
  }
  return isSecret
}

/** Of which number it is nothing depends. */
function numberIn(part: ShellPart, { scope }: Expanding): ShellPart {
  if (part.kind !== 'variable') return part
  const isNumber = scope.get(part.name).values.every(isNumeral)
  return isNumber ? { kind: 'number', sums: [] } : part
}

function judgedAll(scripts: readonly ShellScript[], by: Expanding): boolean {
  return scripts.map((one) => by.judge(one).isSecret).some(Boolean)
}

function isSecretIn(name: string, by: Expanding): boolean {
  return by.isSecretName(name) || by.scope.get(name).isSecret
}

const bracesMax = 4

/** `{a,b}` as its texts; null where it is another kind, or too much of it. */
function braced(text: string, depth = 0): readonly string[] | null {
  if (depth > bracesMax) return null
  if (/^\{\w+\.\.\w+(?:\.\.\d+)?\}$/u.test(text)) {
    if (/^\{\d+\.\.\d+/u.test(text)) return [numberMark]
    return /^\{[a-z0-9]+\.\.[a-z0-9]+/u.test(text) ? [globMark] : null
  }
  const open = text.indexOf('{')
  if (open === -1) return [text]
  const parts: string[] = []
  let [level, from] = [0, open + 1]
  for (let at = open; at < text.length; at += 1) {
    const one = text[at]
    if (one === '{') level += 1
    else if (one === '}') level -= 1
    const ends = level === 0 || (level === 1 && one === ',')
    if (!ends) continue
    parts.push(text.slice(from, at))
    from = at + 1
    if (level > 0) continue
    if (parts.length === 1) return null
    return parts.flatMap((part) => {
      return braced(text.slice(0, open) + part + text.slice(at + 1), depth + 1) ?? [unknownMark]
    })
  }
  return null
}
