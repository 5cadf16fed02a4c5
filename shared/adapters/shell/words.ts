// The words of the tree of `unbash` with what is expanded in them.
import type { ArithmeticExpression, Assignment, ParameterExpansionPart } from 'unbash'
import type { ParameterOperation, ParsedScript, Word, WordPart } from 'unbash'
import type { ShellAssignment, ShellPart, ShellScript, ShellWord } from '#core/shell/syntax'

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
      return [part.expression === undefined ? shown('0') : sumPart(part.expression, read)]
    case 'ProcessSubstitution':
      return [{ kind: 'pipe', script: read(part.script) }]
    case 'Glob':
      return [{ kind: 'glob', text: part.text }]
    case 'ExtendedGlob':
      return [unknown(part.parts === undefined ? [] : wordOfParts(part.parts, false, read), quoted)]
    case 'BraceExpansion':
      return [braceOf(part.text, part.parts, read)]
  }
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
  const inside = [...(index === undefined ? [] : wordOf(index, read)), ...operands(operation, read)]
  if (prefix === '#' && inside.length === 0) return { kind: 'text', text: '0', quoted }
  const isPlain = prefix === undefined && operation === undefined && index === undefined
  if (isPlain) return { kind: 'variable', name, quoted }
  const runs =
    prefix === '!' ||
    operation?.type === 'Transform' ||
    operation?.type === 'Unknown' ||
    // It sets the variable, of which nothing else takes notice.
    (operation?.type === 'Default' && /^:?=$/u.test(operation.operator)) ||
    (index !== undefined && !/^(?:\d+|[@*]|\w+)$/u.test(index.text))
  return { ...unknown([{ kind: 'variable', name, quoted }, ...inside], quoted), runs }
}

function operands(operation: ParameterOperation | undefined, read: ReadNested): ShellWord {
  switch (operation?.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
      return wordOf(operation.operand, read)
    case 'Replace':
      return [...wordOf(operation.pattern, read), ...wordOf(operation.replacement, read)]
    case 'Slice':
      return [
        ...wordOf(operation.offset, read),
        ...(operation.length === undefined ? [] : wordOf(operation.length, read)),
      ]
    case 'CaseModification':
      return operation.operand === undefined ? [] : wordOf(operation.operand, read)
    default:
      return []
  }
}

type UnknownPart = Extract<ShellPart, { kind: 'unknown' }>

function unknown(inside: ShellWord, quoted: boolean): UnknownPart {
  const names = inside.flatMap(namesIn)
  const runs = inside.some((part) => part.kind === 'unknown' && part.runs)
  return { kind: 'unknown', names, scripts: inside.flatMap(scriptsIn), quoted, runs }
}

function namesIn(part: ShellPart): readonly string[] {
  if (part.kind === 'variable') return [part.name]
  return part.kind === 'unknown' || part.kind === 'number' ? part.names : []
}

function scriptsIn(part: ShellPart): readonly ShellScript[] {
  if (part.kind === 'output' || part.kind === 'pipe') return [part.script]
  return part.kind === 'unknown' || part.kind === 'number' ? part.scripts : []
}

/** A number, and what is worked out for it. */
export function sumPart(expression: ArithmeticExpression, read: ReadNested): ShellPart {
  const inside = sumWords(expression, read)
  const whole = unknown(inside, true)
  if (whole.runs) return whole
  return {
    kind: 'number',
    names: whole.names,
    scripts: whole.scripts,
  }
}

function sumWords(expression: ArithmeticExpression, read: ReadNested): ShellWord {
  switch (expression.type) {
    case 'ArithmeticBinary':
      return [...sumWords(expression.left, read), ...sumWords(expression.right, read)]
    case 'ArithmeticUnary':
      return sumWords(expression.operand, read)
    case 'ArithmeticTernary': {
      const { test, consequent, alternate } = expression
      return [test, consequent, alternate].flatMap((one) => sumWords(one, read))
    }
    case 'ArithmeticGroup':
      return sumWords(expression.expression, read)
    case 'ArithmeticCommandExpansion':
      return [{ kind: 'output', script: read(expression.script), quoted: true }]
    case 'ArithmeticWord': {
      const named = /^[A-Za-z_]\w*/u.exec(expression.value)?.[0]
      const own: ShellWord = named === undefined ? [] : [variable(named)]
      return [
        ...own,
        ...(expression.parts === undefined ? [] : wordOfParts(expression.parts, true, read)),
      ]
    }
  }
}

function variable(name: string): ShellPart {
  return { kind: 'variable', name, quoted: true }
}

export function assignmentOf(
  { name, value, append, index }: Assignment,
  read: ReadNested,
): ShellAssignment {
  const inside = index === undefined ? [] : [wordOf(index, read)]
  if (value.type === 'ArrayValue') {
    const words = [...inside, ...value.elements.map((one) => wordOf(one, read))]
    return { name, value: null, words, appends: append === true }
  }
  const word = wordOf(value, read)
  const isWhole = index === undefined
  return {
    name,
    value: isWhole ? word : null,
    words: [...inside, word],
    appends: append === true,
  }
}
