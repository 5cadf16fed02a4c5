// The values of what a condition reads, as the library takes them. Nothing is made of a variable
// that no condition reads.
import { isList, type Json, type JsonMap } from '#record/canonical'
import type { ConditionInput, PrincipalInput } from './input.ts'
import { loadLibrary, type CelValue } from './library.ts'
import { dyn, type ValueType } from './types.ts'

/** Thrown where a number is too large for the type that the schema gives it. */
export class UnsafeNumber extends Error {}

/** Thrown where it is not at hand what was done before: a part of a text fails by it. */
export class UnreadActs extends RangeError {}

/** The values of those variables; each is made once for one input. */
export function inputValues(
  input: ConditionInput,
  names: Iterable<string>,
): Readonly<Record<string, CelValue>> {
  const made = madeOf(input)
  for (const name of names) made[name] ??= makers[name]?.(input) ?? null
  return made
}

// The conditions of one call are asked one after the other.
let last: { readonly input: ConditionInput; readonly made: Record<string, CelValue> } | null = null

function madeOf(input: ConditionInput): Record<string, CelValue> {
  if (last?.input !== input) last = { input, made: {} }
  return last.made
}

const makers: Readonly<Record<string, (input: ConditionInput) => CelValue>> = {
  args: ({ args, argsType }) => valueOf(args, argsType),
  principal: (input) => principalValue(input.principal),
  owner: (input) => principalValue(input.owner),
  capability: ({ capability }) => kept(capability, capabilityValue),
  intent: ({ intent: { goal, justification, session, scope, constraints } }) => {
    const open = { scope: valueOf(scope, dyn), constraints: valueOf(constraints, dyn) }
    return mapOfValues({ goal, justification, session, ...open })
  },
  session: ({ evidence: said }) => mapOfValues({ evidence: valueOf(said(), dyn) }),
  acts: ({ acts }) => {
    if (acts === undefined) throw new UnreadActs('what was done before is not at hand')
    return valueOf(acts, dyn)
  },
  grounding: ({ grounding: { grounded, concepts } }) => {
    return mapOfValues({ grounded, concepts: listOfValues(concepts) })
  },
  now: ({ now }) => loadLibrary().timestamp(now),
}

// Without an owner there is nothing to read: `has(owner.id)` asks.
function principalValue(of: PrincipalInput | null): CelValue {
  return of === null ? mapOfValues({}) : kept(of, personValue)
}

function personValue({ id, roles, attributes }: PrincipalInput): CelValue {
  return mapOfValues({ id, roles: listOfValues(roles), attributes: mapOfValues(attributes) })
}

function capabilityValue(of: ConditionInput['capability']): CelValue {
  const { id, safetyClass, sensitivity, tags, concepts } = of
  const lists = { tags: listOfValues(tags), concepts: listOfValues(concepts) }
  return mapOfValues({ id, safetyClass, sensitivity, ...lists })
}

// What the catalog holds is the same for many calls.
const catalogued = new WeakMap<object, CelValue>()

function kept<Of extends object>(of: Of, make: (of: Of) => CelValue): CelValue {
  const before = catalogued.get(of)
  if (before !== undefined) return before
  const made = make(of)
  catalogued.set(of, made)
  return made
}

function mapOfValues(of: Readonly<Record<string, CelValue>>): CelValue {
  const made = new Map<string, CelValue>()
  for (const name of Object.keys(of)) made.set(name, of[name] ?? null)
  return loadLibrary().map(made)
}

function listOfValues(of: readonly CelValue[]): CelValue {
  return loadLibrary().list(of)
}

/**
 * A JSON value as the library takes it. By its schema a number is whole or not; what no schema
 * types is a double, as everywhere in JSON.
 */
export function valueOf(value: Json | undefined, type: ValueType): CelValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (type.kind !== 'int') return value
      if (!Number.isSafeInteger(value)) throw new UnsafeNumber('beyond 2^53')
      return BigInt(value)
    case 'undefined':
      return null
    default:
      if (value === null) return null
      return isList(value) ? listValue(value, type) : mapValue(value, type)
  }
}

function listValue(list: readonly Json[], type: ValueType): CelValue {
  const of = type.kind === 'list' ? type.of : dyn
  return listOfValues(list.map((item) => valueOf(item, of)))
}

let empty: CelValue | undefined

function mapValue(map: JsonMap, type: ValueType): CelValue {
  const names = Object.keys(map)
  if (names.length === 0) return (empty ??= mapOfValues({}))
  const made = new Map<string, CelValue>()
  for (const name of names) {
    const member = map[name]
    if (member !== undefined) made.set(name, valueOf(member, memberType(type, name)))
  }
  return loadLibrary().map(made)
}

function memberType(type: ValueType, name: string): ValueType {
  if (type.kind === 'map') return type.of
  return type.kind === 'object' ? (type.fields.get(name) ?? type.rest ?? dyn) : dyn
}
