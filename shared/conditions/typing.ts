// What may stand where in a condition, by the types alone.
import { dyn, listType, typeText, type ValueType } from './types.ts'

/** Whether a value of the one type may stand where the other is asked for. */
export function fits(actual: ValueType, wanted: ValueType): boolean {
  if (actual.kind === 'dyn' || wanted.kind === 'dyn') return true
  if (wanted.kind === 'map' && actual.kind === 'object') return true
  if (actual.kind === 'list' && wanted.kind === 'list') return fits(actual.of, wanted.of)
  return actual.kind === wanted.kind
}

/** Whether the two can ever be equal. */
export function isComparable(a: ValueType, b: ValueType): boolean {
  const numbers = ['int', 'double']
  if (numbers.includes(a.kind) && numbers.includes(b.kind)) return true
  if (a.kind === 'list' && b.kind === 'list') return isComparable(a.of, b.of)
  return fits(a, b) || fits(b, a)
}

/** The type of what may be any of these: of none, as of an empty list, it is open. */
export function joined(types: readonly ValueType[]): ValueType {
  const [first, ...others] = types
  if (first === undefined) return dyn
  return others.reduce((all, one) => {
    if (all.kind === 'list' && one.kind === 'list') return listType(joined([all.of, one.of]))
    return typeText(all) === typeText(one) ? all : dyn
  }, first)
}
