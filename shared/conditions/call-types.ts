// The calls of a condition: which functions and operators there are, and whether they take what
// they are given.
import { didYouMean, nearest, quoted } from '#record/quote'
import { functions, type Overload } from './functions.ts'
import type { Expression } from './library.ts'
import { Misuse } from './misuse.ts'
import { dyn, typeText, type ValueType } from './types.ts'
import { fits, joined } from './typing.ts'
import { isZone, zoneNames } from './zone.ts'

export type CallExpression = Extract<Expression['exprKind'], { case: 'callExpr' }>['value']

export function operated(
  id: bigint,
  name: string,
  given: readonly ValueType[],
  overloads: readonly Overload[],
): ValueType {
  const [first] = given
  if (name === '_+_' && given.every(({ kind }) => kind === 'list')) return joined(given)
  const gives = answerOf(overloads, null, given)
  if (gives !== null) return gives
  const sign = name.replaceAll('_', '')
  const kinds = given.map(typeText)
  const both = kinds.includes('int') && kinds.includes('double')
  const fix = both ? ': write `double(…)` around the int, or 1.0 for 1' : ''
  const of = given.length === 1 ? typeText(first ?? dyn) : kinds.join(' and ')
  throw new Misuse(id, `\`${sign}\` is not for ${of}${fix}`)
}

export function called(
  id: bigint,
  name: string,
  on: ValueType | null,
  given: readonly ValueType[],
): ValueType {
  const overloads = functions.get(name)
  if (overloads === undefined) {
    const near = didYouMean(nearest(functions.keys(), name))
    throw new Misuse(id, `no function ${quoted(name)} is known here${near}`)
  }
  const gives = answerOf(overloads, on, given)
  if (gives !== null) return gives
  const of = on === null ? '' : `${typeText(on)}.`
  const forms = overloads.map((one) => written(name, one))
  throw new Misuse(
    id,
    `\`${of}${name}(${given.map(typeText).join(', ')})\` is not known: it is ${forms.join(' or ')}`,
  )
}

function written(name: string, { on, takes }: Overload): string {
  return `\`${on === null ? '' : `${typeText(on)}.`}${name}(${takes.map(typeText).join(', ')})\``
}

/** What the first overload that takes it gives; `dyn` where several that differ would. */
function answerOf(
  overloads: readonly Overload[],
  on: ValueType | null,
  given: readonly ValueType[],
): ValueType | null {
  const taking = overloads.filter((one) => {
    if ((one.on === null) !== (on === null) || one.takes.length !== given.length) return false
    if (one.on !== null && on !== null && !fits(on, one.on)) return false
    return one.takes.every((type, index) => fits(given[index] ?? dyn, type))
  })
  return taking.length === 0 ? null : joined(taking.map(({ gives }) => gives))
}

// A zone that is written out is looked up at once: it would refuse every call.
export function checkZone(name: string, { args, target }: CallExpression): void {
  const [zone] = args
  if (!name.startsWith('get') || target === undefined || zone?.exprKind.case !== 'constExpr') return
  const { constantKind } = zone.exprKind.value
  if (constantKind.case !== 'stringValue' || isZone(constantKind.value)) return
  const { value } = constantKind
  const near = didYouMean(nearest(zoneNames(), value))
  const how = near === '' ? ': write a name such as `Europe/Berlin`, or `+02:00`' : near
  throw new Misuse(zone.id, `no time zone ${quoted(value)} is known${how}`)
}

export function rangeItem(id: bigint, range: ValueType): ValueType {
  switch (range.kind) {
    case 'list':
      return range.of
    case 'map':
    case 'object':
      return { kind: 'string' }
    case 'dyn':
      return dyn
    default:
      throw new Misuse(id, `${typeText(range)} has no items to go through`)
  }
}
