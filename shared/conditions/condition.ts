// A condition: a text in CEL that is read and checked once, and then answered for each call. It has
// access to what it is given and to nothing else, its answer depends on that alone, and what it may
// cost is bounded before it is worked out.
import { quoted } from '#record/quote'
import { checkExpression, type CheckedExpression } from './type-check.ts'
import { Unconverted } from './conversions.ts'
import { longestRead, variablesOf, type ConditionInput } from './input.ts'
import { inputValues, UnreadActs, UnsafeNumber } from './input-values.ts'
import { loadLibrary, type CelValue, type Conversions, type Plan } from './library.ts'
import { typeText } from './types.ts'
import type { ConditionProblem, LiteralChecks, ObjectType, ValueType } from './types.ts'
import { fits } from './typing.ts'

/** Why there is no answer. */
export type ConditionFault =
  | 'condition_invalid'
  | 'condition_failed'
  | 'condition_sessionless'
  | 'condition_actless'
  | 'condition_unconverted'
  | 'condition_too_costly'

/** What is worked out of a call: of a budget also a text, a number, or a list of those. */
export type ExpressedValue = boolean | string | number | bigint

/** An expression that was read and checked, and can be worked out again and again. */
export interface Expressed {
  readonly checked: CheckedExpression
  readonly run: (values: Readonly<Record<string, CelValue>>, conversions: Conversions) => unknown
}

const sourceCharactersMax = 2_000
const partsMax = 400
const loopsMax = 3
/** So many parts may be visited, loops and all: some tens of milliseconds. */
const costMax = 200_000

const bool: ValueType = { kind: 'bool' }

/** What is asked of a text beside that it can be read. */
interface ConditionChecks extends LiteralChecks {
  /** What it may come to; a bool, where that is not said. */
  readonly wanted?: readonly ValueType[]
  /** The variables that it may not read. */
  readonly closed?: readonly string[]
}

/** What is wrong with the text, or null. */
export function conditionProblem(
  source: string,
  args: ObjectType,
  { wanted = [bool], closed = [], literals = true }: ConditionChecks = {},
): ConditionProblem | null {
  const found = expressedOf(source, args)
  if ('message' in found) return found
  const { type, reads, failing } = found.checked
  const shut = closed.find((name) => reads.has(name))
  if (shut !== undefined) {
    return { message: `${quoted(shut)} cannot be read here: leave it out`, offset: 0 }
  }
  if (literals && failing !== null) return failing
  if (wanted.some((one) => fits(type, one))) return null
  const message = `it comes to ${typeText(type)}, and must to ${wanted.map(typeText).join(' or ')}`
  return { message, offset: 0 }
}

/** The variables that the text reads; nothing of a text that cannot be read. */
export function readsOf(source: string, args: ObjectType): ReadonlySet<string> {
  const found = expressedOf(source, args)
  return 'message' in found ? new Set() : found.checked.reads
}

/** Whether the condition holds for the call, or why that cannot be known. */
export function conditionHolds(source: string, input: ConditionInput): boolean | ConditionFault {
  const found = expressionValue(source, input)
  if ('fault' in found) return found.fault
  return typeof found.value === 'boolean' ? found.value : 'condition_failed'
}

/** What the text comes to for the call, or why that cannot be known. */
export function expressionValue(
  source: string,
  input: ConditionInput,
):
  | { readonly value: ExpressedValue | readonly ExpressedValue[] }
  | { readonly fault: ConditionFault } {
  const found = expressedOf(source, input.argsType)
  if ('message' in found) return { fault: 'condition_invalid' }
  const { checked, run } = found
  try {
    if (costOf(checked, input) > costMax) return { fault: 'condition_too_costly' }
    const conversions = input.lenient === true ? 'lenient' : 'strict'
    const value = run(inputValues(input, checked.reads), conversions)
    if (isExpressed(value)) return { value }
    const items = Array.isArray(value) ? value.filter(isExpressed) : []
    const isList = Array.isArray(value) && items.length === value.length
    return isList ? { value: items } : { fault: 'condition_failed' }
  } catch (error) {
    if (error instanceof Unconverted) return { fault: 'condition_unconverted' }
    if (error instanceof UnreadActs) {
      const isSessionless = input.intent.session === ''
      return { fault: isSessionless ? 'condition_sessionless' : 'condition_actless' }
    }
    if (error instanceof UnsafeNumber || error instanceof RangeError) {
      return { fault: 'condition_failed' }
    }
    throw error
  }
}

function isExpressed(value: unknown): value is ExpressedValue {
  return ['boolean', 'string', 'number', 'bigint'].includes(typeof value)
}

// By the arguments' type, which lives as long as the capability; most conditions are few.
const known = new WeakMap<ObjectType, Map<string, Expressed | ConditionProblem>>()

function expressedOf(source: string, args: ObjectType): Expressed | ConditionProblem {
  const bySource = known.get(args) ?? new Map<string, Expressed | ConditionProblem>()
  known.set(args, bySource)
  const before = bySource.get(source)
  if (before !== undefined) return before
  const found = express(source, variablesOf(args))
  bySource.set(source, found)
  return found
}

/** Reads the text, which may name those variables and no others. */
export function express(
  source: string,
  variables: ReadonlyMap<string, ValueType>,
): Expressed | ConditionProblem {
  if (source.length > sourceCharactersMax) {
    const message = `it has ${source.length} characters, and at most ${sourceCharactersMax} may be`
    return { message: `${message}: divide it`, offset: sourceCharactersMax }
  }
  const library = loadLibrary()
  const read = library.read(source)
  if ('message' in read) return read
  const checked = checkExpression(read, variables)
  if ('message' in checked) return checked
  const { parts, loops } = checked
  if (parts > partsMax || loops > loopsMax) {
    const has = `it has ${parts} parts, and ${loops} loops in each other`
    return { message: `${has}: at most ${partsMax} and ${loopsMax} may be`, offset: 0 }
  }
  const plans = new Map<Conversions, Plan>()
  const planned = (conversions: Conversions): Plan => {
    const plan = plans.get(conversions) ?? library.plan(read.expr, conversions)
    plans.set(conversions, plan)
    return plan
  }
  return { checked, run: (values, conversions) => planned(conversions)(values) }
}

function costOf(checked: CheckedExpression, input: ConditionInput): number {
  const { loops, splits, reads } = checked
  return costAt(checked, loops === 0 ? 1 : longestRead(input, reads, splits))
}

/** How many parts are visited at most: each loop goes through no more than the longest list. */
function costAt({ parts, loops }: CheckedExpression, longest: number): number {
  return parts * longest ** loops
}

/** Whether that would cost more than any condition may. */
export function isTooCostly(checked: CheckedExpression, longest: number): boolean {
  return costAt(checked, longest) > costMax
}
