// The words of the tree of `unbash` with what is expanded in them.
import type { ArithmeticExpression, Assignment, GlobPart, ParameterExpansionPart } from 'unbash'
import type { ParameterOperation, ParsedScript, Word, WordPart } from 'unbash'
import type { ShellAssignment, ShellPart, ShellScript } from '#shell/syntax'
import type { ShellSum, ShellWord } from '#shell/syntax'

/** A part that cannot be read. */
export class Unread extends Error {}

/** Reads what stands in `$(…)`; throws Unread where there is nothing. */
export type ReadNested = (script: ParsedScript | undefined) => ShellScript

export function wordOf({ text, value, parts }: Word, read: ReadNested): ShellWord {
  if (parts !== undefined) return wordOfParts(parts, false, read)
  return textOf(text, value)
}

/** A tilde stands for a home folder where it begins a word, unquoted. */
function textOf(text: string, value: string): ShellWord {
  if (!text.startsWith('~')) return [{ kind: 'text', text: value, quoted: text !== value }]
  const home = /^[^/\\]*/u.exec(value)?.[0] ?? '~'
  const rest = value.slice(home.length)
  const first: ShellPart = { kind: 'home', text: home }
  return rest === '' ? [first] : [first, { kind: 'text', text: rest, quoted: false }]
}

export function wordOfParts(
  parts: readonly WordPart[],
  quoted: boolean,
  read: ReadNested,
): ShellWord {
  return parts.flatMap((part, index) => {
    if (part.type !== 'Literal') return partOf(part, quoted, read)
    if (index === 0 && !quoted) return textOf(part.text, part.value)
    return [{ kind: 'text', text: part.value, quoted: quoted || part.text !== part.value }]
  })
}

function partOf(part: WordPart, quoted: boolean, read: ReadNested): readonly ShellPart[] {
  switch (part.type) {
    case 'Literal':
      return [{ kind: 'text', text: part.value, quoted }]
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [shown(part.value)]
    case 'DoubleQuoted':
    case 'LocaleString':
      return [{ kind: 'text', text: '', quoted: true }, ...wordOfParts(part.parts, true, read)]
    case 'SimpleExpansion':
      return [{ kind: 'variable', name: part.text.slice(1), quoted }]
    case 'ParameterExpansion':
      return [expansionOf(part, quoted, read)]
    case 'CommandExpansion':
      return [{ kind: 'output', script: read(part.script), quoted }]
    case 'ArithmeticExpansion':
      if (part.expression === undefined && part.text.length > '$(())'.length) throw new Unread()
      return [part.expression === undefined ? shown('0') : numberOf(part.expression, read)]
    case 'ProcessSubstitution':
      return [{ kind: 'pipe', script: read(part.script) }]
    case 'Glob':
      return [globOf(part, quoted, read)]
    case 'ExtendedGlob':
      return [unknown(part.parts === undefined ? [] : wordOfParts(part.parts, false, read), quoted)]
    case 'BraceExpansion':
      return [braceOf(part.text, part.parts, read)]
  }
}

/** What is expanded within brackets may be anything, and runs. */
function globOf(part: GlobPart, quoted: boolean, read: ReadNested): ShellPart {
  const inside = part.kind === 'bracket' ? wordOfParts(part.parts, false, read) : []
  const isPlain = inside.every(({ kind }) => kind === 'text' || kind === 'glob')
  return isPlain ? { kind: 'glob', text: part.text } : unknown(inside, quoted)
}

// A character that the walk uses as a mark, or that no shell shows, is not known.
function shown(text: string): ShellPart {
  const isPlain = !/[^\P{Cc}\t\n]/u.test(text)
  return isPlain ? { kind: 'text', text, quoted: true } : unknown([], true)
}

function braceOf(
  text: string,
  parts: readonly WordPart[] | undefined,
  read: ReadNested,
): ShellPart {
  if (/^[^$`"'\\*?[\]~]*$/u.test(text)) return { kind: 'brace', text }
  return unknown(parts === undefined ? [] : wordOfParts(parts, false, read), false)
}

function expansionOf(part: ParameterExpansionPart, quoted: boolean, read: ReadNested): ShellPart {
  const { parameter: name, prefix, index, operation } = part
  const hasIndex = index !== undefined && !/^[@*]$/u.test(index.text)
  const indexes = hasIndex ? [{ word: wordOf(index, read), of: name }] : []
  if (prefix === '#' && operation === undefined) return { kind: 'number', sums: indexes }
  const isPlain = prefix === undefined && operation === undefined && index === undefined
  if (isPlain) return { kind: 'variable', name, quoted }
  const runs =
    prefix === '!' ||
    operation?.type === 'Transform' ||
    operation?.type === 'Unknown' ||
    // It sets the variable, of which nothing else takes notice.
    (operation?.type === 'Default' && /^:?=$/u.test(operation.operator))
  // `${NAME:+text}` shows the text, and nothing of what the variable holds.
  const isReplaced = operation?.type === 'Default' && /^:?\+$/u.test(operation.operator)
  const own = isReplaced ? [] : [{ kind: 'variable' as const, name, quoted }]
  const inside = [...own, ...operands(operation, read)]
  return { ...unknown(inside, quoted), runs, sums: [...indexes, ...slices(operation, read)] }
}

function slices(operation: ParameterOperation | undefined, read: ReadNested): readonly ShellSum[] {
  if (operation?.type !== 'Slice') return []
  const { offset, length } = operation
  const words = length === undefined ? [offset] : [offset, length]
  return words.map((word) => ({ word: wordOf(word, read), of: null }))
}

function operands(operation: ParameterOperation | undefined, read: ReadNested): ShellWord {
  switch (operation?.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
      return wordOf(operation.operand, read)
    case 'Replace':
      return [...wordOf(operation.pattern, read), ...wordOf(operation.replacement, read)]
    case 'CaseModification':
      return operation.operand === undefined ? [] : wordOf(operation.operand, read)
    default:
      return []
  }
}

type UnknownPart = Extract<ShellPart, { kind: 'unknown' }>

function unknown(inside: ShellWord, quoted: boolean): UnknownPart {
  return {
    kind: 'unknown',
    names: inside.flatMap(namesIn),
    scripts: inside.flatMap(scriptsIn),
    quoted,
    runs: inside.some((part) => part.kind === 'unknown' && part.runs),
    sums: inside.flatMap((part) => {
      return part.kind === 'unknown' || part.kind === 'number' ? part.sums : []
    }),
  }
}

function namesIn(part: ShellPart): readonly string[] {
  if (part.kind === 'variable') return [part.name]
  return part.kind === 'unknown' ? part.names : []
}

function scriptsIn(part: ShellPart): readonly ShellScript[] {
  if (part.kind === 'output' || part.kind === 'pipe') return [part.script]
  return part.kind === 'unknown' ? part.scripts : []
}

function numberOf(expression: ArithmeticExpression, read: ReadNested): ShellPart {
  return { kind: 'number', sums: [{ word: arithmeticOf(expression, read), of: null }] }
}

/** The text that is worked out: the shell expands it first, and reads it only then. */
export function arithmeticOf(expression: ArithmeticExpression, read: ReadNested): ShellWord {
  const of = (one: ArithmeticExpression) => arithmeticOf(one, read)
  switch (expression.type) {
    case 'ArithmeticBinary':
      return [...of(expression.left), sign(expression.operator), ...of(expression.right)]
    case 'ArithmeticUnary': {
      const [operand, operator] = [of(expression.operand), sign(expression.operator)]
      return expression.prefix ? [operator, ...operand] : [...operand, operator]
    }
    case 'ArithmeticTernary': {
      const { test, consequent, alternate } = expression
      return [...of(test), sign('?'), ...of(consequent), sign(':'), ...of(alternate)]
    }
    case 'ArithmeticGroup':
      return [sign('('), ...of(expression.expression), sign(')')]
    case 'ArithmeticCommandExpansion':
      return [{ kind: 'output', script: read(expression.script), quoted: true }]
    case 'ArithmeticWord':
      if (expression.parts !== undefined) return wordOfParts(expression.parts, true, read)
      return valuesIn(expression.value)
  }
}

/** The parser leaves `$x` in a sum as it stands. */
function valuesIn(text: string): ShellWord {
  return text.split(/(\$(?:[A-Za-z_]\w*|[\d#?$!]))/u).map((one) => {
    return one.length > 1 && one.startsWith('$')
      ? { kind: 'variable', name: one.slice(1), quoted: true }
      : { kind: 'text', text: one, quoted: true }
  })
}

function sign(text: string): ShellPart {
  return { kind: 'text', text: `${text} `, quoted: true }
}

export function assignmentOf(
  { name, value, append, index }: Assignment,
  read: ReadNested,
): ShellAssignment {
  const common = {
    name,
    index: index === undefined ? null : wordOf(index, read),
    appends: append === true,
  }
  if (value.type === 'ArrayValue') {
    return { ...common, value: null, words: value.elements.map((one) => wordOf(one, read)) }
  }
  const word = wordOf(value, read)
  return { ...common, value: word, words: [word] }
}
