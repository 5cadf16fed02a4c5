// The parts of a condition that are true or false, for anyone who reasons about all calls at once:
// what each tests, and the condition with some of them taken for granted. It is the condition's own
// expression that is worked out, so no second reading of CEL is kept.
import type { ConditionInput } from './input.ts'
import { UnsafeNumber, inputValues } from './input-values.ts'
import { loadLibrary, type Expression, type Plan } from './library.ts'
import { Unconverted } from './conversions.ts'

/** What a part compares one value of the call with. */
export interface AtomTest {
  /** Such as `args`, `amount`. */
  readonly path: readonly string[]
  readonly form: 'equal' | 'order' | 'member' | 'size' | 'text' | 'presence'
  /** Of `text`: where it looks. */
  readonly where?: 'start' | 'end' | 'any'
  /** What it compares with, which the agent and the tool alone decide; null where it fails. */
  readonly constants: (input: ConditionInput) => readonly unknown[] | null
}

export interface Atom {
  /** The same for the same part, wherever it stands. */
  readonly key: string
  /** The variables that it reads. */
  readonly reads: ReadonlySet<string>
  /** Null where it is no such comparison. */
  readonly test: AtomTest | null
}

export interface ConditionParts {
  readonly atoms: readonly Atom[]
  readonly reads: ReadonlySet<string>
  readonly hasLoops: boolean
  /** Whether it holds where those atoms are taken for that; null where it then fails. */
  holds(input: ConditionInput, assumed: Assumed): boolean | null
}

/** By the key of an atom; null where it fails. */
export type Assumed = ReadonlyMap<string, boolean | null>

const roots: ReadonlySet<string> = new Set([
  'args',
  'principal',
  'owner',
  'capability',
  'intent',
  'session',
  'acts',
  'grounding',
  'now',
])
/** Of these the agent and the tool alone decide. */
const settled: ReadonlySet<string> = new Set(['principal', 'owner', 'capability'])
const connectives: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_', '_?_:_'])
const orders: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_'])
const equalities: ReadonlySet<string> = new Set(['_==_', '_!=_'])
const texts = new Map([
  ['startsWith', 'start'],
  ['endsWith', 'end'],
  ['contains', 'any'],
] as const)

const known = new Map<string, ConditionParts | null>()
const knownMax = 4_096

/** Null for a text that cannot be read. */
export function conditionParts(source: string): ConditionParts | null {
  const before = known.get(source)
  if (before !== undefined) return before
  if (known.size >= knownMax) known.clear()
  const read = loadLibrary().read(source)
  const parts = 'message' in read ? null : partsOf(read.expr)
  known.set(source, parts)
  return parts
}

function partsOf(expr: Expression): ConditionParts {
  const atoms = new Map<string, Atom>()
  for (const one of atomsIn(expr)) atoms.set(keyOf(one), atomOf(one))
  const keys = [...atoms.keys()]
  const plans = new Map<string, Plan>()
  const reads = readsIn(expr)
  return {
    atoms: [...atoms.values()].filter((atom) => !isSettled(atom.reads)),
    reads,
    hasLoops: keyOf(expr).includes('"comprehensionExpr"'),
    holds(input, assumed) {
      const conversions = input.lenient === true ? 'lenient' : 'strict'
      const taken = assumed.size === 0 ? '' : keys.map((key) => String(assumed.get(key))).join()
      const name = `${conversions} ${taken}`
      const plan = plans.get(name) ?? loadLibrary().plan(replaced(expr, assumed), conversions)
      plans.set(name, plan)
      const value = valueBy(plan, input, reads)
      return typeof value === 'boolean' ? value : null
    },
  }
}

function isSettled(reads: ReadonlySet<string>): boolean {
  return [...reads].every((one) => settled.has(one))
}

/** Null where it has no answer. */
function valueBy(plan: Plan, input: ConditionInput, reads: ReadonlySet<string>): unknown {
  try {
    return plan(inputValues(input, reads))
  } catch (error) {
    if (error instanceof Unconverted || error instanceof UnsafeNumber) return null
    if (error instanceof RangeError) return null
    throw error
  }
}

function isConnective({ exprKind }: Expression): boolean {
  return exprKind.case === 'callExpr' && connectives.has(exprKind.value.function)
}

function atomsIn(expr: Expression): readonly Expression[] {
  if (!isConnective(expr)) return [expr]
  return expr.exprKind.case === 'callExpr' ? expr.exprKind.value.args.flatMap(atomsIn) : []
}

function replaced(expr: Expression, assumed: Assumed): Expression {
  if (assumed.size === 0) return expr
  if (isConnective(expr) && expr.exprKind.case === 'callExpr') {
    const { value } = expr.exprKind
    const args = value.args.map((one) => replaced(one, assumed))
    return { ...expr, exprKind: { case: 'callExpr', value: { ...value, args } } }
  }
  const taken = assumed.get(keyOf(expr))
  return taken === undefined ? expr : literal(taken)
}

const literals = new Map<boolean | null, Expression>()

function literal(value: boolean | null): Expression {
  const before = literals.get(value)
  if (before !== undefined) return before
  // What has no answer fails as any other part that fails.
  const read = loadLibrary().read(value === null ? '1 / 0 == 1' : String(value))
  if ('message' in read) throw new Error(read.message)
  literals.set(value, read.expr)
  return read.expr
}

/** The expression as text, without the numbers that its parts have. */
function keyOf(expr: Expression): string {
  return JSON.stringify(expr, (name, value: unknown) => {
    if (name === 'id' || name === '$typeName') return undefined
    return typeof value === 'bigint' ? `${value}n` : value
  })
}

function readsIn(expr: Expression): ReadonlySet<string> {
  const found = new Set<string>()
  JSON.stringify(expr, (_, value: unknown) => {
    if (isIdent(value) && roots.has(value.value.name)) found.add(value.value.name)
    return typeof value === 'bigint' ? String(value) : value
  })
  return found
}

type Ident = Extract<Expression['exprKind'], { readonly case: 'identExpr' }>

function isIdent(value: unknown): value is Ident {
  if (typeof value !== 'object' || value === null) return false
  return 'case' in value && value.case === 'identExpr'
}

function atomOf(expr: Expression): Atom {
  return { key: keyOf(expr), reads: readsIn(expr), test: testOf(expr) }
}

function testOf(expr: Expression): AtomTest | null {
  const { exprKind } = expr
  const whole = pathOf(expr)
  if (whole !== null) return { path: whole, form: 'equal', constants: () => [true] }
  if (exprKind.case === 'selectExpr' && exprKind.value.testOnly) {
    const { operand, field } = exprKind.value
    const path = operand === undefined ? null : pathOf(operand)
    return path === null ? null : { path: [...path, field], form: 'presence', constants: noneOf }
  }
  if (exprKind.case !== 'callExpr') return null
  const { function: name, target, args } = exprKind.value
  const [first, second] = args
  if (target !== undefined && first !== undefined) return textTest(name, target, first)
  if (first === undefined || second === undefined) return null
  if (name === '@in') return tested(first, second, 'member')
  if (!equalities.has(name) && !orders.has(name)) return null
  const form = equalities.has(name) ? 'equal' : 'order'
  return (
    sizeTest(first, second) ??
    sizeTest(second, first) ??
    tested(first, second, form) ??
    tested(second, first, form)
  )
}

function noneOf(): readonly unknown[] {
  return []
}

function textTest(name: string, target: Expression, with_: Expression): AtomTest | null {
  const where = [...texts].find(([one]) => one === name)?.[1]
  const test = where === undefined ? null : tested(target, with_, 'text')
  return test === null || where === undefined ? null : { ...test, where }
}

function sizeTest(of: Expression, against: Expression): AtomTest | null {
  if (of.exprKind.case !== 'callExpr' || of.exprKind.value.function !== 'size') return null
  const { target, args } = of.exprKind.value
  const sized = target ?? args[0]
  return sized === undefined ? null : tested(sized, against, 'size')
}

function tested(of: Expression, against: Expression, form: AtomTest['form']): AtomTest | null {
  const path = pathOf(of)
  const reads = readsIn(against)
  if (path === null || !isSettled(reads)) return null
  let plan: Plan | undefined
  return {
    path,
    form,
    constants(input) {
      plan ??= loadLibrary().plan(against, input.lenient === true ? 'lenient' : 'strict')
      const value = valueBy(plan, input, reads)
      if (value === null) return isNull(against) ? [null] : null
      const values: readonly unknown[] = Array.isArray(value) ? value : [value]
      return values.every(isScalar) ? values : null
    },
  }
}

function isScalar(value: unknown): boolean {
  return ['boolean', 'string', 'number', 'bigint'].includes(typeof value)
}

function isNull({ exprKind }: Expression): boolean {
  return exprKind.case === 'constExpr' && exprKind.value.constantKind.case === 'nullValue'
}

/** Of the arguments or the agent's own words, by names that are written out. */
function pathOf({ exprKind }: Expression): readonly string[] | null {
  if (exprKind.case === 'identExpr') {
    const { name } = exprKind.value
    return name === 'args' || name === 'intent' ? [name] : null
  }
  if (exprKind.case === 'selectExpr' && !exprKind.value.testOnly) {
    const { operand, field } = exprKind.value
    const path = operand === undefined ? null : pathOf(operand)
    return path === null ? null : [...path, field]
  }
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== '_[_]') return null
  const [of, key] = exprKind.value.args
  const path = of === undefined ? null : pathOf(of)
  if (path === null || key?.exprKind.case !== 'constExpr') return null
  const { constantKind } = key.exprKind.value
  return constantKind.case === 'stringValue' ? [...path, constantKind.value] : null
}
