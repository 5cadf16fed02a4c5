// The values of one place of a call that stand for all: nothing that is asked distinguishes any
// other value there from one of them. Where that is not so, the domain reports that it is open.
import { isJsonObject } from '#record/json-object'
import type { AtomTest } from '#conditions/atoms'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { listIn, sampleOf, takes, typeIn } from './samples.ts'

/** Absent: undefined. */
export type Chosen = JsonValue | undefined

export interface Domain {
  readonly values: readonly Chosen[]
  /** Whether nothing that is asked distinguishes any other value from one of these. */
  readonly isWhole: boolean
}

/** What is asked of the place. */
export interface PlaceAsked {
  readonly form: AtomTest['form']
  readonly where?: AtomTest['where']
  readonly constants: readonly unknown[]
}

const plainKeywords: ReadonlySet<string> = new Set([
  'const',
  'default',
  'description',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maximum',
  'maxLength',
  'minimum',
  'minLength',
  'title',
  'type',
])

/** `schemas`: of the place, before and after the change; undefined where it is not described. */
export function domainOf(
  asked: readonly PlaceAsked[],
  schemas: readonly (JsonValue | undefined)[],
): Domain {
  const objects = schemas.map((one) => (isJsonObject(one) ? one : {}))
  const kinds = new Set(objects.map((one) => kindOf(one, asked)))
  const parts = [...kinds].map((kind) => ofKind(kind, asked, objects))
  const values = new Map<string, Chosen>([['', undefined]])
  for (const { values: some } of parts) {
    for (const one of some) values.set(JSON.stringify(one), one)
  }
  const isWhole = parts.every((one) => one.isWhole) && areRead(asked, objects, [...values.values()])
  return { values: [...values.values()], isWhole }
}

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'other'

function kindOf(schema: JsonObject, asked: readonly PlaceAsked[]): Kind {
  if (Array.isArray(schema['type'])) return 'any'
  const type = typeIn(schema)
  if (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean')
    return type
  if (type !== undefined) return 'other'
  const listed = [...listIn(schema, 'enum'), ...('const' in schema ? [schema['const']] : [])]
  if (listed.length > 0 && listed.every((one) => typeof one === 'string')) return 'string'
  return asked.length === 0 ? 'other' : 'any'
}

function ofKind(kind: Kind, asked: readonly PlaceAsked[], schemas: readonly JsonObject[]): Domain {
  switch (kind) {
    case 'string':
      return textsOf(asked, schemas)
    case 'integer':
    case 'number':
      return numbersOf(kind, asked, schemas)
    case 'boolean':
      return { values: [false, true], isWhole: asked.every(isOfValue) }
    case 'any':
      return joined([
        textsOf(asked, schemas),
        numbersOf('number', asked, schemas),
        { values: [false, true, null, [], {}], isWhole: asked.every(isOfValue) },
      ])
    default: {
      // Only whether it is there is known of a list or an object.
      const said = schemas.filter((one) => Object.keys(one).length > 0)
      const isSame = new Set(said.map((one) => JSON.stringify(one))).size <= 1
      const isTaken = said.every((one) => takes(one, sampleOf(one)))
      const isWhole = asked.every(({ form }) => form === 'presence') && isSame && isTaken
      return { values: schemas.map((one) => sampleOf(one)), isWhole }
    }
  }
}

function joined(all: readonly Domain[]): Domain {
  return {
    values: all.flatMap(({ values }) => values),
    isWhole: all.every(({ isWhole }) => isWhole),
  }
}

function isOfValue({ form }: PlaceAsked): boolean {
  return form === 'equal' || form === 'member' || form === 'presence'
}

/** Each constant, below, above, and between two of them. */
function numbersOf(
  kind: 'integer' | 'number',
  asked: readonly PlaceAsked[],
  schemas: readonly JsonObject[],
): Domain {
  const bounds = schemas.flatMap((schema) => {
    const names = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const']
    return [...names.map((name) => schema[name]), ...listIn(schema, 'enum')]
  })
  const constants = asked
    .flatMap((one) => one.constants)
    .concat(bounds)
    .map((one) => (typeof one === 'bigint' ? Number(one) : one))
    .filter((one) => typeof one === 'number')
    .filter((one) => Number.isFinite(one))
  const sorted = [...new Set([...constants, ...schemas.map(sampleNumber)])].toSorted(
    (a, b) => a - b,
  )
  const step = kind === 'integer' ? 1 : stepOf(sorted)
  const values = sorted.flatMap((one, index) => {
    const next = sorted[index + 1]
    return [below(one, step), one, above(one, step), ...(next === undefined ? [] : mid(one, next))]
  })
  // What is no whole number within reach of one fails where a whole one is read.
  const ends = kind === 'integer' ? [2 ** 53, -(2 ** 53)] : []
  const fit = values.filter((one) => kind === 'number' || Number.isInteger(one))
  const found = [...new Set([...fit, ...ends])].toSorted((a, b) => a - b)
  const isWhole =
    asked.every(({ form }) => form !== 'size' && form !== 'text') &&
    schemas.every((one) => !('multipleOf' in one)) &&
    areBetween(kind, sorted, found)
  return { values: found, isWhole }
}

/** Whether something stands below, above and between any two, where there is room for it. */
function areBetween(
  kind: 'integer' | 'number',
  sorted: readonly number[],
  found: readonly number[],
): boolean {
  return [-Infinity, ...sorted].every((one, index) => {
    const next = sorted[index] ?? Infinity
    const hasRoom = kind === 'number' || next - one > 1
    return !hasRoom || found.some((value) => value > one && value < next)
  })
}

function sampleNumber(schema: JsonObject): number {
  const sample = sampleOf(schema)
  return typeof sample === 'number' ? sample : 1
}

function stepOf(sorted: readonly number[]): number {
  const gaps = sorted.slice(1).map((one, index) => one - (sorted[index] ?? one))
  const least = Math.min(0.01, ...gaps.map((gap) => gap / 3))
  // A power of ten, so that what is shown reads well.
  return 10 ** Math.floor(Math.log10(least))
}

function below(one: number, step: number): number {
  return neat(one - step)
}

function above(one: number, step: number): number {
  return neat(one + step)
}

function mid(one: number, next: number): readonly number[] {
  const between = (one + next) / 2
  return between > one && between < next ? [neat(between)] : []
}

const digitsMax = 12

/** Without the last digits that arithmetic leaves. */
function neat(value: number): number {
  const short = Number(value.toPrecision(digitsMax))
  return Number.isFinite(short) ? short : value
}

const infixesMax = 5

/**
 * Each constant, and texts of a beginning, pieces and an end that are asked for, with a character
 * between that none of them has: so each text is like one of these.
 */
function textsOf(asked: readonly PlaceAsked[], schemas: readonly JsonObject[]): Domain {
  const listed = schemas.flatMap((one) => [...listIn(one, 'enum'), one['const']])
  const constants = stringsIn([
    ...asked.filter(isOfValue).flatMap((one) => one.constants),
    ...listed,
  ])
  const pieces = (where: PlaceAsked['where']): readonly string[] => {
    const found = asked.filter((one) => one.form === 'text' && one.where === where)
    return stringsIn(found.flatMap((one) => one.constants))
  }
  const [starts, ends, infixes] = [pieces('start'), pieces('end'), pieces('any')]
  const filler = fillerFor([...constants, ...starts, ...ends, ...infixes])
  const { sizes, isAll } = sizesOf(asked, schemas)
  const isBuilt = starts.length + ends.length + infixes.length > 0
  const pieced = { starts, ends, infixes: infixes.slice(0, infixesMax) }
  const made = isBuilt
    ? composed(pieced, filler.text.repeat(longest(schemas)))
    : sizes.map((size) => filler.text.repeat(size))
  const samples = schemas.map((one) => sampleOf(one)).filter((one) => typeof one === 'string')
  const isSized = asked.some(({ form }) => form === 'size')
  const isWhole =
    filler.isFree &&
    isAll &&
    asked.every(({ form }) => form !== 'order') &&
    !(isBuilt && (isSized || isBounded(schemas, made))) &&
    infixes.length <= infixesMax
  return { values: [...new Set([...samples, '', ...made, ...constants])], isWhole }
}

/** So many characters that what is made is no shorter than may be. */
function longest(schemas: readonly JsonObject[]): number {
  const all = schemas.map(({ minLength }) => (typeof minLength === 'number' ? minLength : 1))
  return Math.min(sizeMax, Math.max(1, ...all))
}

/** Whether a bound of the length could part what is made from what is like it. */
function isBounded(schemas: readonly JsonObject[], made: readonly string[]): boolean {
  const bounds = schemas.map(({ minLength, maxLength }) => JSON.stringify([minLength, maxLength]))
  if (new Set(bounds).size > 1) return true
  return schemas.some(({ maxLength }) => {
    return typeof maxLength === 'number' && made.some((one) => one.length > maxLength)
  })
}

function stringsIn(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((one) => typeof one === 'string'))]
}

/** A character that none of them has. */
function fillerFor(texts: readonly string[]): { readonly text: string; readonly isFree: boolean } {
  const all = texts.join('')
  const text = ['x', 'q', 'z', 'j', 'k', 'v', 'w', '~'].find((one) => !all.includes(one))
  return { text: text ?? 'x', isFree: text !== undefined }
}

const sizeMax = 4_096

/** Lengths that are asked for, with those beside them. */
function sizesOf(
  asked: readonly PlaceAsked[],
  schemas: readonly JsonObject[],
): { readonly sizes: readonly number[]; readonly isAll: boolean } {
  const said = asked.filter(({ form }) => form === 'size').flatMap((one) => one.constants)
  const limits = schemas.flatMap((one) => [one['minLength'], one['maxLength']])
  const numbers = [1, ...said, ...limits]
    .map((one) => (typeof one === 'bigint' ? Number(one) : one))
    .filter((one) => typeof one === 'number')
  const sizes = numbers.flatMap((one) => [Math.floor(one) - 1, one, Math.ceil(one) + 1])
  const whole = [...new Set(sizes)].filter((one) => Number.isInteger(one) && one >= 0)
  const fit = whole.filter((one) => one <= sizeMax)
  return { sizes: fit, isAll: fit.length === whole.length }
}

interface Pieces {
  readonly starts: readonly string[]
  readonly ends: readonly string[]
  readonly infixes: readonly string[]
}

function composed({ starts, ends, infixes }: Pieces, filler: string): readonly string[] {
  const subsets = infixes.reduce<readonly (readonly string[])[]>(
    (all, one) => [...all, ...all.map((some) => [...some, one])],
    [[]],
  )
  return ['', ...starts].flatMap((start) => {
    return ['', ...ends].flatMap((end) => {
      return subsets.map((within) => [start, ...within, end].join(filler))
    })
  })
}

/** Whether a schema that says more than its bounds leaves one of each kind of value. */
function areRead(
  asked: readonly PlaceAsked[],
  schemas: readonly JsonObject[],
  values: readonly Chosen[],
): boolean {
  const isPlain = schemas.every((one) => Object.keys(one).every((key) => plainKeywords.has(key)))
  if (isPlain) return true
  if (new Set(schemas.map((one) => JSON.stringify(one))).size > 1) return false
  // Of a pattern or a format nothing is known but what it says to a value.
  const kinds = new Map<string, boolean>()
  for (const value of values) {
    const alone = asked.some((one) => isOfValue(one) && one.constants.includes(value))
    if (value === undefined || alone) continue
    const kind = JSON.stringify(asked.map((one) => answersOf(one, value)))
    const isTaken = schemas.every((one) => takes(one, value))
    kinds.set(kind, isTaken || kinds.get(kind) === true)
  }
  return [...kinds.values()].every((isTaken) => isTaken)
}

/** By what it distinguishes the value. */
function answersOf({ form, where, constants }: PlaceAsked, value: JsonValue): readonly unknown[] {
  return constants.map((one) => {
    if (form === 'text' && typeof value === 'string' && typeof one === 'string') {
      if (where === 'start') return value.startsWith(one)
      return where === 'end' ? value.endsWith(one) : value.includes(one)
    }
    if (form === 'size' && typeof value === 'string') return Math.sign(value.length - Number(one))
    if (form === 'order' && typeof value === 'number') return Math.sign(value - Number(one))
    return typeof value
  })
}
