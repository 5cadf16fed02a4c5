// What a condition reads: the variables, with their types.
import { isList, type Json, type JsonMap } from '#record/canonical'
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
  /** What was done in the session before; absent where no one can say, and then it refuses. */
  readonly acts?: readonly JsonMap[] | undefined
  /** Whether texts are converted as they were under rules before version 7. */
  readonly lenient?: boolean
}

export interface PrincipalInput {
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

const act = objectType({ tool: stringType, args: dyn, allowed: { kind: 'bool' } })

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
  ['acts', listType(act)],
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
  if (reads.has('acts')) read.push(input.acts ?? [])
  if (reads.has('capability')) read.push({ ...input.capability })
  if (reads.has('grounding')) read.push({ ...input.grounding })
  for (const one of ['principal', 'owner'] as const) {
    if (reads.has(one) && input[one] !== null) read.push({ ...input[one] })
  }
  return Math.max(1, ...read.map((value) => longestIn(value, splits)))
}

/** The most items, and where `splits` also characters, that anything in it has. */
export function longestIn(value: Json | undefined, splits: boolean): number {
  if (typeof value === 'string') return splits ? value.length : 0
  if (typeof value !== 'object' || value === null) return 0
  const items = isList(value) ? value : Object.values(value)
  let longest = items.length
  for (const item of items) longest = Math.max(longest, longestIn(item, splits))
  return longest
}
