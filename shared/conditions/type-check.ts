// Whether a condition can be evaluated at all, before anyone counts on it: every name, field and
// function that it uses must be there, and take what it is given. Stricter than CEL asks: a slip in
// a rule would otherwise show only when the rule is needed.
import { didYouMean, nearest, quoted } from '#record/quote'
import { called, checkZone, operated, rangeItem, type CallExpression } from './call-types.ts'
import { comparisons, equalities, operators } from './functions.ts'
import { type Expression, type Positions, loadLibrary } from './library.ts'
import { Misuse } from './misuse.ts'
import { dyn, listType, mapType, typeText, type ConditionProblem, type ValueType } from './types.ts'
import { fits, isComparable, joined } from './typing.ts'
import { boolOf, doubleOf, durationOf, intOf, timestampOf } from './conversions.ts'

/** What the checks found of an expression. */
export interface CheckedExpression {
  readonly type: ValueType
  /** The variables that it reads. */
  readonly reads: ReadonlySet<string>
  /** How many parts it has, and how deep its loops stand in each other. */
  readonly parts: number
  readonly loops: number
  /** Whether it makes a list of the characters of a text. */
  readonly splits: boolean
  /** The first part that no call has a value for; null where there is none. */
  readonly failing: ConditionProblem | null
}

type Scope = ReadonlyMap<string, ValueType>
type Loop = Extract<Expression['exprKind'], { case: 'comprehensionExpr' }>['value']

export function checkExpression(
  { expr, positions }: { readonly expr: Expression; readonly positions: Positions },
  variables: Scope,
): CheckedExpression | ConditionProblem {
  const walk = new Walk(variables)
  const placed = ({ message, part }: Misuse): ConditionProblem => {
    return { message, offset: positions[String(part)] ?? 0 }
  }
  try {
    const type = walk.typeOf(expr, variables)
    const { reads, parts, loopsMax: loops, splits } = walk
    const failing = walk.failing === null ? null : placed(walk.failing)
    return { type, reads, parts, loops, splits, failing }
  } catch (error) {
    if (error instanceof Misuse) return placed(error)
    throw error
  }
}

class Walk {
  readonly reads = new Set<string>()
  parts = 0
  loopsMax = 0
  splits = false
  failing: Misuse | null = null
  #loops = 0
  readonly #variables: Scope

  constructor(variables: Scope) {
    this.#variables = variables
  }

  typeOf(expr: Expression | undefined, scope: Scope): ValueType {
    this.parts += 1
    if (expr === undefined) return dyn
    const { id, exprKind } = expr
    switch (exprKind.case) {
      case 'constExpr':
        return constantType(id, exprKind.value.constantKind.case)
      case 'identExpr':
        return this.#variable(id, exprKind.value.name, scope)
      case 'selectExpr': {
        const { operand, field } = exprKind.value
        const type = fieldOf(id, this.typeOf(operand, scope), field)
        return exprKind.value.testOnly ? { kind: 'bool' } : type
      }
      case 'listExpr':
        return listType(joined(exprKind.value.elements.map((one) => this.typeOf(one, scope))))
      case 'structExpr': {
        const { messageName, entries } = exprKind.value
        if (messageName !== '') throw new Misuse(id, `no type ${quoted(messageName)} is known here`)
        return mapType(joined(entries.map(({ value }) => this.typeOf(value, scope))))
      }
      case 'callExpr':
        return this.#call(id, exprKind.value, scope)
      case 'comprehensionExpr':
        return this.#loop(id, exprKind.value, scope)
      default:
        throw new Misuse(id, 'this cannot be read: write an expression of CEL')
    }
  }

  #variable(id: bigint, name: string, scope: Scope): ValueType {
    const type = scope.get(name)
    if (type === undefined) {
      const names = [...scope.keys()].filter((one) => !one.startsWith('@'))
      const near = didYouMean(nearest(names, name))
      const known = near === '' ? `: there are ${names.map(quoted).join(', ')}` : near
      throw new Misuse(id, `no variable ${quoted(name)} is known here${known}`)
    }
    if (this.#variables.get(name) === type) this.reads.add(name)
    return type
  }

  #call(id: bigint, call: CallExpression, scope: Scope): ValueType {
    const { function: name, target, args } = call
    const on = target === undefined ? null : this.typeOf(target, scope)
    const given = args.map((arg) => this.typeOf(arg, scope))
    const [first = dyn, second = dyn, third = dyn] = given
    this.failing ??= failingCall(id, call, given)
    if (name === '_?_:_') return this.#choice(id, first, [second, third])
    if (name === '_[_]') return itemOf(id, first, second, args[1])
    if (name === '@in') return inside(id, first, second)
    if (equalities.has(name)) return compared(id, name, [first, second])
    if (comparisons.has(name)) return ordered(id, name, [first, second])
    const operator = operators.get(name)
    if (operator !== undefined) return operated(id, name, given, operator)
    checkZone(name, call)
    if (name === 'split') this.splits = true
    return called(id, name, on, given)
  }

  #choice(id: bigint, test: ValueType, ways: readonly ValueType[]): ValueType {
    if (!fits(test, { kind: 'bool' })) {
      throw new Misuse(id, `\`?\` stands after a bool, and this is ${typeText(test)}`)
    }
    return joined(ways)
  }

  // What `all`, `exists`, `exists_one`, `map` and `filter` are made of.
  #loop(id: bigint, loop: Loop, scope: Scope): ValueType {
    const range = this.typeOf(loop.iterRange, scope)
    const item = rangeItem(id, range)
    this.#loops += 1
    this.loopsMax = Math.max(this.loopsMax, this.#loops)
    const start = this.typeOf(loop.accuInit, scope)
    const one = new Map([...scope, [loop.iterVar, item]])
    const step = this.typeOf(loop.loopStep, new Map([...one, [loop.accuVar, start]]))
    const gathered = joined([start, step])
    const within = new Map([...one, [loop.accuVar, gathered]])
    this.typeOf(loop.loopCondition, within)
    this.#loops -= 1
    return this.typeOf(loop.result, new Map([...scope, [loop.accuVar, gathered]]))
  }
}

function constantType(id: bigint, kind: string | undefined): ValueType {
  switch (kind) {
    case 'boolValue':
      return { kind: 'bool' }
    case 'int64Value':
      return { kind: 'int' }
    case 'doubleValue':
      return { kind: 'double' }
    case 'stringValue':
      return { kind: 'string' }
    case 'nullValue':
      return { kind: 'null' }
    case 'uint64Value':
      throw new Misuse(id, 'JSON has no unsigned integers: leave the `u` out')
    default:
      throw new Misuse(id, 'JSON has no bytes: compare strings')
  }
}

function fieldOf(id: bigint, type: ValueType, field: string): ValueType {
  if (type.kind === 'map') return type.of
  if (type.kind === 'dyn') return dyn
  if (type.kind !== 'object') {
    throw new Misuse(id, `${typeText(type)} has no fields, so no ${quoted(field)}`)
  }
  const known = type.fields.get(field) ?? type.rest
  if (known !== null) return known
  const names = [...type.fields.keys()]
  const near = didYouMean(nearest(names, field))
  const some = names.slice(0, 12).map(quoted).join(', ')
  const there = names.length === 0 ? ': there are none' : `: there are ${some}`
  throw new Misuse(id, `no field ${quoted(field)} is known here${near === '' ? there : near}`)
}

function itemOf(
  id: bigint,
  type: ValueType,
  key: ValueType,
  written: Expression | undefined,
): ValueType {
  switch (type.kind) {
    case 'dyn':
      return dyn
    case 'list':
      if (fits(key, { kind: 'int' })) return type.of
      throw new Misuse(id, `a list is read by an int, and this is ${typeText(key)}`)
    case 'map':
      if (fits(key, { kind: 'string' })) return type.of
      throw new Misuse(id, `a map is read by a string, and this is ${typeText(key)}`)
    case 'object': {
      // Written out, it may name what the schema does not; it is not taken for a slip.
      if (written?.exprKind.case !== 'constExpr') return dyn
      const { constantKind } = written.exprKind.value
      if (constantKind.case !== 'stringValue') return dyn
      return type.fields.get(constantKind.value) ?? type.rest ?? dyn
    }
    default:
      throw new Misuse(id, `${typeText(type)} has no items`)
  }
}

function inside(id: bigint, one: ValueType, all: ValueType): ValueType {
  if (all.kind === 'list' && !isComparable(one, all.of)) {
    throw new Misuse(id, `${typeText(one)} is never in ${typeText(all)}`)
  }
  if (!['list', 'map', 'object', 'dyn'].includes(all.kind)) {
    throw new Misuse(id, `\`in\` looks into a list or a map, and this is ${typeText(all)}`)
  }
  return { kind: 'bool' }
}

function compared(id: bigint, name: string, [a = dyn, b = dyn]: readonly ValueType[]): ValueType {
  if (isComparable(a, b)) return { kind: 'bool' }
  const never = name === '_==_' ? 'never equal' : 'always different'
  const isList = a.kind === 'list' || b.kind === 'list'
  const how = isList ? 'a list is asked for what is in it, such as `"a" in list`' : 'compare alike'
  throw new Misuse(id, `${typeText(a)} and ${typeText(b)} are ${never}: ${how}`)
}

const inOrder = new Set(['bool', 'int', 'double', 'string', 'timestamp', 'duration', 'dyn'])

function ordered(id: bigint, name: string, [a = dyn, b = dyn]: readonly ValueType[]): ValueType {
  if (inOrder.has(a.kind) && inOrder.has(b.kind) && isComparable(a, b)) return { kind: 'bool' }
  const sign = name.replaceAll('_', '')
  throw new Misuse(id, `\`${sign}\` does not compare ${typeText(a)} with ${typeText(b)}`)
}

// Calls of a condition that fail whatever they are asked about: a text that is written out and is
// no pattern, number or moment, and arithmetic that no number of JSON can be part of.

interface Cast {
  readonly read: (text: string) => unknown
  readonly wanted: string
}

const casts: ReadonlyMap<string, Cast> = new Map([
  ['int', { read: intOf, wanted: 'a whole number such as `int("12")`' }],
  ['double', { read: doubleOf, wanted: 'a number such as `double("1.5")`' }],
  ['bool', { read: boolOf, wanted: '`bool("true")` or `bool("false")`' }],
  ['timestamp', { read: timestampOf, wanted: 'a day and time such as `2026-01-31T12:00:00Z`' }],
  ['duration', { read: durationOf, wanted: 'numbers with units, such as `1h30m` or `5m`' }],
])

/** Why the call fails for every intent, with types as given; null where it may have a value. */
function failingCall(
  id: bigint,
  { function: name, target, args }: CallExpression,
  given: readonly ValueType[],
): Misuse | null {
  const written = args.at(-1)
  const text = written?.exprKind.case === 'constExpr' ? textIn(written.exprKind.value) : null
  if (written !== undefined && text !== null) {
    const cast = target === undefined ? casts.get(name) : undefined
    if (cast !== undefined && !isRead(cast, text)) {
      return new Misuse(written.id, `${quoted(text)} is no ${name}: write ${cast.wanted}`)
    }
    if (name === 'matches' && !loadLibrary().hasPattern(text)) {
      const message = `${quoted(text)} is no pattern of RE2: correct it`
      return new Misuse(written.id, `${message}; it has neither lookaround nor backreferences`)
    }
  }
  return failingArithmetic(id, name, given)
}

type Constant = Extract<CallExpression['args'][number]['exprKind'], { case: 'constExpr' }>['value']

function textIn({ constantKind }: Constant): string | null {
  return constantKind.case === 'stringValue' ? constantKind.value : null
}

function isRead({ read }: Cast, text: string): boolean {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

const signs = new Set(['_+_', '_-_', '_*_', '_/_'])

// What no schema types is a double where it is a number, and no int is added to a double.
function failingArithmetic(id: bigint, name: string, given: readonly ValueType[]): Misuse | null {
  const kinds = given.map(({ kind }) => kind)
  if (!kinds.includes('dyn')) return null
  const sign = name.replaceAll('_', '')
  const why = 'a number without a type is a double'
  if (name === '_%_') {
    return new Misuse(id, `\`%\` is not for a double, and ${why}: write \`int(…)\` around it`)
  }
  if (!signs.has(name) || !kinds.includes('int')) return null
  const fix = 'write `int(…)` around it, or 1.0 for 1'
  return new Misuse(id, `\`${sign}\` is not for a double and an int, and ${why}: ${fix}`)
}
