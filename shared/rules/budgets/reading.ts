// What a call takes of a budget, and for whom: read from the call by the expressions that the
// budget declares. It adds nothing up; what cannot be read refuses the call.
import { withoutEnd } from '#record/reading/text-end'
import type { Budget } from '#schemas/budgets/budget'
import { conditionProblem, expressionValue } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { listType, openObject, stringType } from '#conditions/types'
import type { ConditionProblem, LiteralChecks, ObjectType, ValueType } from '#conditions/types'
import { caseFold } from '#record/case-fold'
import { token } from '#record/names'
import { withoutInvisible } from '#knowledge/known/invisible'
import { amountOfNumber, amountOfText, wholeUnit, type AmountFault } from './decimal.ts'

/** What it is added up for by name, and not by an expression. */
const named = ['agent', 'owner', 'session', 'tenant'] as const
export type NamedKey = (typeof named)[number]

/** Why a call cannot be counted. */
export type BudgetFault =
  | AmountFault
  | 'when_failed'
  | 'amount_failed'
  | 'key_failed'
  | 'session_missing'
  | 'tenant_missing'
  | 'key_empty'
  | 'key_long'
  | 'key_many'

/** Who calls, as far as it is added up for that. */
export interface BudgetCaller {
  readonly agent: string
  /** The topmost owner; the agent itself where it has none. */
  readonly owner: string
  readonly session: string | null
  readonly tenant: string | null
}

/** What a call takes: so much for each of the keys; null stands for all together. */
export interface BudgetReading {
  readonly amount: bigint
  readonly keys: readonly (string | null)[]
}

/** More are refused: each is a fact of its own. */
const keysMax = 32
const keyCharactersMax = 256
/** Of an amount that is a list. */
const partsMax = 1_000

export function namedKey({ per }: Pick<Budget, 'per'>): NamedKey | null {
  return named.find((one) => one === per) ?? null
}

const together = '-'

/** The key as it stands in names; a dash for all together. */
export function keyToken(key: string | null): string {
  if (key === null) return together
  return key === together ? token(`${key} `) : token(key)
}

const numbers: readonly ValueType[] = [{ kind: 'int' }, { kind: 'double' }]
const amounts: readonly ValueType[] = [...numbers, stringType, ...numbers.map(listType)]
const amountTypes = [...amounts, listType(stringType)]
const keyTypes = [stringType, listType(stringType)]
/** A budget is read before anything was gathered. */
const closed = ['session', 'acts', 'grounding']

/** What is wrong with one of its expressions, for calls with such arguments; null where nothing. */
export function budgetProblem(
  budget: Budget,
  args: ObjectType,
  { literals = true }: LiteralChecks = {},
): (ConditionProblem & { readonly field: 'of' | 'when' | 'per' }) | null {
  const { of, when, per } = budget
  const checks = [
    { field: 'when', source: when, types: undefined },
    { field: 'of', source: of, types: amountTypes },
    { field: 'per', source: namedKey(budget) === null ? per : undefined, types: keyTypes },
  ] as const
  for (const { field, source, types } of checks) {
    const asked = { ...(types !== undefined && { wanted: types }), closed, literals }
    const problem = source === undefined ? null : conditionProblem(source, args, asked)
    if (problem !== null) return { ...problem, field }
  }
  return null
}

/** What is wrong with an expression that is to come to an amount; null where nothing is. */
export function amountProblem(
  of: string,
  args: ObjectType,
  { literals = true }: LiteralChecks = {},
): ConditionProblem | null {
  return conditionProblem(of, args, { wanted: amountTypes, literals })
}

/** Null where the budget is not about this call. */
export function readBudget(
  budget: Budget,
  given: ConditionInput,
  caller: BudgetCaller,
): BudgetReading | BudgetFault | null {
  const { capabilities, when } = budget
  if (capabilities !== undefined && !capabilities.includes(given.capability.id)) return null
  const input = capabilities === undefined ? untyped(given) : given
  if (when !== undefined) {
    const holds = expressionValue(when, input)
    if ('fault' in holds || typeof holds.value !== 'boolean') return 'when_failed'
    if (!holds.value) return null
  }
  const amount = amountIn(budget, input)
  if (typeof amount === 'string') return amount
  const keys = keysIn(budget, input, caller)
  return typeof keys === 'string' ? keys : { amount, keys }
}

const known = new WeakMap<ConditionInput, ConditionInput>()

// One that is about all capabilities was checked by no schema, and reads what any may have.
function untyped(input: ConditionInput): ConditionInput {
  const before = known.get(input)
  if (before !== undefined) return before
  const open = { ...input, argsType: openObject }
  known.set(input, open)
  return open
}

function amountIn({ of }: Budget, input: ConditionInput): bigint | BudgetFault {
  return of === undefined ? wholeUnit : amountFrom(of, input)
}

/** What the expression adds up to for the call, in the smallest parts. */
export function amountFrom(of: string, input: ConditionInput): bigint | BudgetFault {
  const found = expressionValue(of, input)
  if ('fault' in found) return 'amount_failed'
  const parts = isList(found.value) ? found.value : [found.value]
  if (parts.length > partsMax) return 'amount_beyond'
  let sum = 0n
  for (const part of parts) {
    if (typeof part === 'boolean') return 'amount_not_decimal'
    const amount = typeof part === 'string' ? amountOfText(part) : amountOfNumber(part)
    if (typeof amount === 'string') return amount
    sum += amount
  }
  return sum
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

function keysIn(
  budget: Budget,
  input: ConditionInput,
  caller: BudgetCaller,
): readonly (string | null)[] | BudgetFault {
  const { per } = budget
  if (per === undefined) return [null]
  const name = namedKey(budget)
  if (name !== null) {
    const key = caller[name]
    if (key !== null) return [key]
    return name === 'session' ? 'session_missing' : 'tenant_missing'
  }
  const found = expressionValue(per, input)
  if ('fault' in found) return 'key_failed'
  const texts = isList(found.value) ? found.value : [found.value]
  if (texts.length === 0) return 'key_empty'
  const keys = new Set<string>()
  for (const text of texts) {
    if (typeof text !== 'string') return 'key_failed'
    const key = keyForm(text)
    if (key === '') return 'key_empty'
    if (key.length > keyCharactersMax) return 'key_long'
    keys.add(key)
  }
  return keys.size > keysMax ? 'key_many' : [...keys]
}

/**
 * What makes two keys one: case, compatibility forms, what shows nothing, spaces around them and
 * dots at their end make no difference, or an agent could write one key in many ways.
 */
function keyForm(text: string): string {
  return withoutEnd(caseFold(withoutInvisible(text).normalize('NFKC')).trimStart(), /[\s.]/)
}
