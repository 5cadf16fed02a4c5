// What words come to: each alternative is the list of arguments that a word may become. What cannot
// be known is a mark in the text, and too many alternatives are not known.
import { withoutEnd } from '#record/reading/text-end'
import type { Scope } from './scope.ts'
import type { ShellPart, ShellScript, ShellSum, ShellWord } from './syntax.ts'
import { globMark, homeMark, isNumeral, numberMark, unknownMark } from './marks.ts'
import type { Piped } from './piped.ts'
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

export function expandWord(word: ShellWord, by: Expanding): Expanded {
  const pieces = word.map((part) => pieceOf(part, by))
  const isSecret = pieces.some((piece) => piece.isSecret)
  const isLoose = pieces.some(({ splits, texts }) => splits && texts.some(isUnknown))
  let words: readonly (readonly string[])[] = [['']]
  const isQuoted = pieces.some((piece) => piece.isQuoted)
  for (const piece of pieces) {
    words = piece.isChoice
      ? words.flatMap((list) => piece.texts.map((text) => appended(list, text, piece.splits)))
      : words.map((list) => list.flatMap((one) => piece.texts.map((text) => one + text)))
    if (words.length > alternativesMax || words.some(isTooLong)) {
      return { alternatives: [[unknownMark]], isSecret, isLoose }
    }
  }
  for (const list of words) for (const text of list) by.makes(text.length)
  const alternatives = words.map((list) => {
    return isQuoted ? list : list.filter((text) => text !== '')
  })
  return { alternatives, isSecret, isLoose }
}

function isUnknown(text: string): boolean {
  return text.includes(unknownMark)
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

function pieceOf(part: ShellPart, by: Expanding): Piece {
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
      return { ...valuePiece([textOf(output)], part.quoted), isSecret }
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
      return { ...valuePiece([unknownMark], part.quoted), isSecret }
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
  return { ...valuePiece(values, quoted), isSecret: isSecret || by.isSecretName(name) }
}

/** Of what an expansion may come to. */
function valuePiece(values: readonly string[], quoted: boolean): Piece {
  const texts = quoted ? values : values.map((value) => value.replaceAll(/[*?[]/gu, globMark))
  return { ...plain, texts, isChoice: true, splits: !quoted, isQuoted: quoted }
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
