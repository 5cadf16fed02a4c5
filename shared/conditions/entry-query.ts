// A query over entries of a log: a text in CEL that names what an entry shows, and holds for it or
// does not. It has access to that entry alone, and costs no more than a condition may.
import type { JsonMap } from '#record/canonical'
import { express, isTooCostly } from './condition.ts'
import { Unconverted } from './conversions.ts'
import { longestIn } from './input.ts'
import { valueOf } from './input-values.ts'
import { loadLibrary, type CelValue } from './library.ts'
import {
  dyn,
  listType,
  mapType,
  stringType,
  type ConditionProblem,
  type ValueType,
} from './types.ts'
import { fits } from './typing.ts'

/** An entry as a query sees it; a text is empty where the entry has none. */
export interface QueriedEntry {
  readonly position: number
  /** In milliseconds since 1970. */
  readonly time: number
  readonly name: string
  readonly kind: string
  readonly agent: string
  readonly tool: string
  readonly outcome: string
  readonly reasons: readonly string[]
  /** What the intent asks with, and why; empty where the fact is about none. */
  readonly args: JsonMap
  readonly reason: string
  /** Who agreed to the intent that the fact is about. */
  readonly approvedBy: readonly string[]
  /** The content of the fact, or the message. */
  readonly data: JsonMap
}

const bool: ValueType = { kind: 'bool' }

const variables: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['position', { kind: 'int' }],
  ['time', { kind: 'timestamp' }],
  ['name', stringType],
  ['kind', stringType],
  ['agent', stringType],
  ['tool', stringType],
  ['outcome', stringType],
  ['reasons', listType(stringType)],
  ['args', mapType(dyn)],
  ['reason', stringType],
  ['approvedBy', listType(stringType)],
  ['data', mapType(dyn)],
])

export interface EntryQuery {
  /** The members of an entry that it looks at. */
  readonly reads: ReadonlySet<string>
  /** Whether it holds; null where that cannot be worked out, as of a member that is not there. */
  holds(entry: QueriedEntry): boolean | null
}

export function entryQuery(source: string): EntryQuery | ConditionProblem {
  const found = express(source, variables)
  if ('message' in found) return found
  const { checked, run } = found
  if (!fits(checked.type, bool)) return { message: 'it comes to no bool', offset: 0 }
  return {
    reads: checked.reads,
    holds(entry) {
      const { data, reasons, args, reason, approvedBy } = entry
      const looped = { data, reasons, args, reason, approvedBy }
      const longest = checked.loops === 0 ? 1 : longestIn(looped, checked.splits)
      if (isTooCostly(checked, Math.max(1, longest))) return null
      try {
        const value = run(valuesOf(entry, checked.reads), 'strict')
        return typeof value === 'boolean' ? value : null
      } catch (error) {
        if (error instanceof RangeError || error instanceof Unconverted) return null
        throw error
      }
    },
  }
}

/** Of those that are read. */
function valuesOf(
  entry: QueriedEntry,
  reads: ReadonlySet<string>,
): Readonly<Record<string, CelValue>> {
  const { time, ...rest } = entry
  const members: JsonMap = rest
  const values: Record<string, CelValue> = {}
  for (const [name, type] of variables) {
    if (!reads.has(name)) continue
    values[name] = name === 'time' ? loadLibrary().timestamp(time) : valueOf(members[name], type)
  }
  return values
}
