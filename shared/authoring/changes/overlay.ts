// What a file that people wrote makes of what is there, if nothing of it is to go: what the file
// names is taken from it, and what only the other has stays, down to a role, a key or a property.
// And what that leaves there that the file does not have. JSON in, JSON out; it decides nothing.
import { builtInRules } from '#schemas/rules/built-in'
import { canonical, jsonOf } from '#record/canonical'
import { caseFold } from '#record/case-fold'

/** Something that the file does not have: where, as keys and names, and what. */
export interface Excess {
  readonly path: readonly string[]
  readonly value: unknown
}

type Members = Readonly<Record<string, unknown>>

/** The lists of the built-in rules: a role that is left out there is meant to be. */
const ruleLists = Object.entries({ ...builtInRules, ...builtInRules.rolesFor })
  .filter(([, value]) => Array.isArray(value))
  .map(([key]) => key)

/** What is one value, however much there is in it. */
const whole: ReadonlySet<string> = new Set([
  'argsSchema',
  'driver',
  'source',
  'imported',
  ...ruleLists,
])
/** Lists of which each entry is one value: half of one rule and half of another is neither. */
const wholeEntries: ReadonlySet<string> = new Set([
  'conditions',
  'known',
  'untrusted',
  'lists',
  'limits',
  'budgets',
  'servers',
  'consoles',
  'passkeys',
  'answers',
])
/** Of which each member is one value. */
const flat: ReadonlySet<string> = new Set(['properties', 'metadata'])
/** The state of a principal, which no file changes by leaving it out. */
const standing: ReadonlySet<string> = new Set(['suspended', 'moving'])

/** The file's value over the stored one. */
export function overlaid(stored: unknown, file: unknown, key = ''): unknown {
  if (file === undefined || (file === null && stored !== undefined)) return stored
  if (whole.has(key)) return file
  if (Array.isArray(stored) && Array.isArray(file)) {
    return overlaidList(stored, file, wholeEntries.has(key))
  }
  if (!isObject(stored) || !isObject(file)) return file
  if (flat.has(key)) return { ...file, ...without(stored, file) }
  const keys = [...new Set([...Object.keys(file), ...Object.keys(stored)])].filter((each) => {
    return !followsFrom(each, file)
  })
  return Object.fromEntries(
    keys.map((each) => [each, overlaid(own(stored, each), own(file, each), each)]),
  )
}

// Whether a policy asks follows from whether it checks: a file that says only the one says both.
function followsFrom(key: string, file: Members): boolean {
  if (key !== 'requiresConfirmation' || own(file, key) !== undefined) return false
  return (own(file, 'callback') ?? null) !== null
}

// In the order of the file, and then what only the other has.
function overlaidList(
  stored: readonly unknown[],
  file: readonly unknown[],
  areWhole: boolean,
): readonly unknown[] {
  const left = keyed(stored)
  const taken = [...keyed(file)].map(([key, item]) => {
    const found = left.get(key)
    left.delete(key)
    return found === undefined || areWhole ? item : overlaid(found, item)
  })
  return [...taken, ...left.values()]
}

/** What is there and not in the file, of which every default is written out. */
export function excessOver(there: unknown, file: unknown, path: readonly string[] = []): Excess[] {
  if (same(there, file)) return []
  const last = path.at(-1) ?? ''
  if (Array.isArray(there) && Array.isArray(file)) {
    const wanted = keyed(file)
    return [...keyed(there)].flatMap(([key, item]) => {
      const other = wanted.get(key)
      if (other === undefined) return [{ path, value: item }]
      if (!isObject(item) || wholeEntries.has(last)) return []
      return excessOver(item, other, [...path, nameOf(item)])
    })
  }
  if (whole.has(last) || !isObject(there) || !isObject(file)) return [{ path, value: there }]
  if (flat.has(last)) {
    const members = Object.entries(without(there, file))
    return members.map(([name, value]) => ({ path: [...path, name], value }))
  }
  return Object.keys(there).flatMap((member) => {
    const value = own(there, member)
    if (value === undefined || standing.has(member)) return []
    const other = own(file, member)
    const at = [...path, member]
    return other === undefined ? [{ path: at, value }] : excessOver(value, other, at)
  })
}

/** By what makes two of them the same thing; of several alike, by which it is. */
function keyed(list: readonly unknown[]): Map<string, unknown> {
  const items = new Map<string, unknown>()
  for (const item of list) {
    const base = keyOf(item)
    let key = base
    for (let nth = 2; items.has(key); nth += 1) key = `${base} #${nth}`
    items.set(key, item)
  }
  return items
}

const naming = [
  'id',
  'name',
  'level',
  'sender',
  'capability',
  'safetyClass',
  'arg',
  'pointer',
] as const

function keyOf(item: unknown): string {
  if (!isObject(item)) return canonical(jsonOf(item))
  const edge = edgeOf(item)
  if (edge !== null) return `${edge.type} ${caseFold(edge.target)}`
  const by = naming.find((each) => own(item, each) !== undefined)
  return by === undefined ? canonical(jsonOf(item)) : `${by} ${textOf(own(item, by))}`
}

function nameOf(item: Members): string {
  const edge = edgeOf(item)
  if (edge !== null) return `${edge.type} ${edge.target}`
  const by = naming.find((each) => own(item, each) !== undefined)
  if (by === undefined) return ''
  return by === 'level' ? `D${textOf(own(item, by))}` : textOf(own(item, by))
}

function edgeOf(item: Members): { readonly type: string; readonly target: string } | null {
  const { type, target } = item
  return typeof type === 'string' && typeof target === 'string' ? { type, target } : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function without(one: Members, other: Members): Members {
  return Object.fromEntries(Object.entries(one).filter(([key]) => !Object.hasOwn(other, key)))
}

function own(value: Members, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
