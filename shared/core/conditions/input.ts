// What a condition reads: the variables with their types, and their values as the library takes
// them. Nothing is made of a variable that no condition reads.
import type { Json, JsonMap } from '../kernel/canonical.ts'
import { loadLibrary, type CelValue } from './library.ts'
import {
  dyn,
  listType,
  mapType,
  objectType,
  stringType,
  type ObjectType,
  type ValueType,
} from './types.ts'

/** All that a condition may read of one call. */
export interface ConditionInput {
  readonly args: JsonMap
  readonly argsType: ObjectType
  readonly capability: {
    readonly id: string
    readonly safetyClass: string
    readonly sensitivity: string
    readonly tags: readonly string[]
    readonly concepts: readonly string[]
  }
  readonly principal: PrincipalInput | null
  /** Whose agent the principal is; null where the catalog names none. */
  readonly owner: PrincipalInput | null
  /** The agent's own word. */
  readonly intent: {
    readonly goal: string
    readonly justification: string
    readonly session: string
    readonly scope: JsonMap
    readonly constraints: JsonMap
  }
  readonly grounding: { readonly grounded: boolean; readonly concepts: readonly string[] }
  /** In milliseconds since 1970. */
  readonly now: number
  /** What senders that the catalog trusts said in the session. */
  readonly evidence: () => readonly JsonMap[]
}

interface PrincipalInput {
  readonly id: string
  readonly roles: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

const texts = listType(stringType)
const principal = objectType({ id: stringType, roles: texts, attributes: mapType(stringType) })

const evidence = objectType({
  sender: stringType,
  type: stringType,
  content: dyn,
  payload: dyn,
  name: stringType,
  for: texts,
})

/** What there is beside the arguments, in the order in which it is listed to people. */
const common: readonly (readonly [string, ValueType])[] = [
  ['principal', principal],
  ['owner', principal],
  [
    'capability',
    objectType({
      id: stringType,
      safetyClass: stringType,
      sensitivity: stringType,
      tags: texts,
      concepts: texts,
    }),
  ],
  [
    'intent',
    objectType({
      goal: stringType,
      justification: stringType,
      session: stringType,
      scope: mapType(dyn),
      constraints: mapType(dyn),
    }),
  ],
  ['session', objectType({ evidence: listType(evidence) })],
  ['grounding', objectType({ grounded: { kind: 'bool' }, concepts: texts })],
  ['now', { kind: 'timestamp' }],
]

export function variablesOf(args: ObjectType): ReadonlyMap<string, ValueType> {
  return new Map<string, ValueType>([['args', args], ...common])
}

/** The most items, and where `splits` also characters, that one value of those variables has. */
export function longestRead(
  input: ConditionInput,
  reads: ReadonlySet<string>,
  splits: boolean,
): number {
  const read: (Json | undefined)[] = []
  if (reads.has('args')) read.push(input.args)
  if (reads.has('intent')) read.push({ ...input.intent })
  if (reads.has('session')) read.push(input.evidence())
  if (reads.has('capability')) read.push({ ...input.capability })
  if (reads.has('grounding')) read.push({ ...input.grounding })
  for (const one of ['principal', 'owner'] as const) {
    if (reads.has(one) && input[one] !== null) read.push({ ...input[one] })
  }
  return Math.max(1, ...read.map((value) => longestIn(value, splits)))
}

function longestIn(value: Json | undefined, splits: boolean): number {
  if (typeof value === 'string') return splits ? value.length : 0
  if (typeof value !== 'object' || value === null) return 0
  const items = isList(value) ? value : Object.values(value)
  let longest = items.length
  for (const item of items) longest = Math.max(longest, longestIn(item, splits))
  return longest
}

/** Thrown where a number is too large for the type that the schema gives it. */
export class UnsafeNumber extends Error {}

/** The values of those variables; each is made once for one input. */
export function inputValues(
  input: ConditionInput,
  names: Iterable<string>,
): Readonly<Record<string, CelValue>> {
  const made = madeOf(input)
  for (const name of names) made[name] ??= makers[name]?.(input) ?? null
  return made
}

const values = new WeakMap<ConditionInput, Record<string, CelValue>>()

function madeOf(input: ConditionInput): Record<string, CelValue> {
  const known = values.get(input)
  if (known !== undefined) return known
  const made: Record<string, CelValue> = {}
  values.set(input, made)
  return made
}

const makers: Readonly<Record<string, (input: ConditionInput) => CelValue>> = {
  args: ({ args, argsType }) => valueOf(args, argsType),
  principal: (input) => principalValue(input.principal),
  owner: (input) => principalValue(input.owner),
  capability: ({ capability: { id, safetyClass, sensitivity, tags, concepts } }) => {
    const lists = { tags: listOfValues(tags), concepts: listOfValues(concepts) }
    return mapOfValues({ id, safetyClass, sensitivity, ...lists })
  },
  intent: ({ intent: { goal, justification, session, scope, constraints } }) => {
    const open = { scope: valueOf(scope, dyn), constraints: valueOf(constraints, dyn) }
    return mapOfValues({ goal, justification, session, ...open })
  },
  session: ({ evidence: said }) => mapOfValues({ evidence: valueOf(said(), dyn) }),
  grounding: ({ grounding: { grounded, concepts } }) => {
    return mapOfValues({ grounded, concepts: listOfValues(concepts) })
  },
  now: ({ now }) => loadLibrary().timestamp(now),
}

// Without an owner there is nothing to read: `has(owner.id)` asks.
function principalValue(of: PrincipalInput | null): CelValue {
  if (of === null) return mapOfValues({})
  const { id, roles, attributes } = of
  return mapOfValues({ id, roles: listOfValues(roles), attributes: mapOfValues(attributes) })
}

function mapOfValues(of: Readonly<Record<string, CelValue>>): CelValue {
  return loadLibrary().map(new Map(Object.entries(of)))
}

function listOfValues(of: readonly CelValue[]): CelValue {
  return loadLibrary().list(of)
}

/**
 * A JSON value as the library takes it. By its schema a number is whole or not; what no schema
 * types is a double, as everywhere in JSON.
 */
function valueOf(value: Json | undefined, type: ValueType): CelValue {
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

function mapValue(map: JsonMap, type: ValueType): CelValue {
  const made = new Map<string, CelValue>()
  for (const name of Object.keys(map)) {
    const member = map[name]
    if (member !== undefined) made.set(name, valueOf(member, memberType(type, name)))
  }
  return loadLibrary().map(made)
}

function memberType(type: ValueType, name: string): ValueType {
  if (type.kind === 'map') return type.of
  return type.kind === 'object' ? (type.fields.get(name) ?? type.rest ?? dyn) : dyn
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
