// The library that reads and evaluates CEL, with what it takes from the engine replaced: regular
// expressions in linear time, local times by pinned tables, and what a text is read as. It is
// loaded with the first condition.
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { celPackages, type Cel, type CelValue, type Wkt } from '#platform/packages'
import { boolOf, doubleOf, durationOf, intOf, timestampOf, Unconverted } from './conversions.ts'
import { dayOfYear, localDate } from './zone.ts'

export type { CelValue } from '#platform/packages'

export type Expression = ReturnType<Cel['parse']>['expr']

export interface Library {
  /** The expression, or why it cannot be read. */
  read(source: string): Read | { readonly message: string; readonly offset: number }
  /**
   * What it comes to with those values, a list as an array; null where it has no answer. Throws
   * `Unconverted` where that is for a text that strict conversions do not take.
   */
  plan(expr: Expression, conversions: Conversions): Plan
  /** Whether `matches` can search for it. */
  hasPattern(pattern: string): boolean
  timestamp(at: number): CelValue
  map(members: ReadonlyMap<string, CelValue>): CelValue
  list(items: readonly CelValue[]): CelValue
}

/**
 * How a text becomes a number, a moment or a span: whole and as CEL defines it, or as the library
 * did it, which logs under rules before version 7 go on with.
 */
export type Conversions = 'strict' | 'lenient'

export type Plan = (values: Readonly<Record<string, CelValue>>) => unknown

interface Read {
  readonly expr: Expression
  readonly positions: Positions
}

/** Where in the text each part of an expression begins, by its id. */
export type Positions = Readonly<Record<string, number>>

let library: Library | undefined

export function loadLibrary(): Library {
  library ??= loaded()
  return library
}

const patternsMax = 256

function loaded(): Library {
  const { cel, strings, reflect, wkt, RE2JS } = celPackages()
  const patterns = new LRUCache<string, InstanceType<typeof RE2JS>>({ max: patternsMax })
  const re2 = {
    compile(pattern: string) {
      const known = patterns.get(pattern) ?? RE2JS.compile(pattern)
      patterns.set(pattern, known)
      return known
    },
  }
  const funcs = [...strings, ...timeFunctions(cel, wkt)]
  const failed = new Set<Unconverted>()
  const envs = {
    strict: cel.celEnv({ funcs: [...funcs, ...strictConversions(cel, wkt, failed)], re2 }),
    lenient: cel.celEnv({ funcs, re2 }),
  }
  return {
    read(source) {
      try {
        const { expr, sourceInfo } = cel.parse(source)
        return { expr, positions: sourceInfo?.positions ?? {} }
      } catch (error) {
        return unreadable(source, error)
      }
    },
    plan(expr, conversions) {
      const run = cel.plan(envs[conversions], expr)
      return (values) => {
        failed.clear()
        const value: unknown = withoutStacks(() => run(values))
        if (cel.isCelList(value)) return [...value]
        if (!cel.isCelError(value)) return value
        // The library keeps one cause of several errors, and not the first one's.
        for (const error of failed) throw error
        return null
      }
    },
    hasPattern(pattern) {
      try {
        re2.compile(pattern)
        return true
      } catch {
        return false
      }
    },
    timestamp: (at) => reflect(wkt.TimestampSchema, wkt.timestampFromMs(at)),
    map: (members) => cel.celMap(members),
    list: (items) => cel.celList(items),
  }
}

/**
 * What has no answer is an `Error` to the library, several for one expression. Where it came from
 * costs more than the rest, and no one reads it.
 */
function withoutStacks<T>(of: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return of()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The library says where and what it found, in a sentence of which only the end is plain. */
function unreadable(
  source: string,
  error: unknown,
): { readonly message: string; readonly offset: number } {
  const found = Location.safeParse(error)
  const offset = found.success ? found.data.location.start.offset : 0
  for (const word of wordsAt(source, offset)) {
    const instead = ofOtherLanguages.get(word)
    if (instead === undefined) continue
    return { message: `\`${word}\` is not an operator of CEL: write \`${instead}\``, offset }
  }
  return { message: 'here it is no CEL any more: correct what stands there', offset }
}

/** What people who write other languages put in the place of an operator. */
const ofOtherLanguages: ReadonlyMap<string, string> = new Map([
  ['=', '=='],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=<', '<='],
  ['=>', '>='],
  ['&', '&&'],
  ['|', '||'],
  ['and', '&&'],
  ['AND', '&&'],
  ['or', '||'],
  ['OR', '||'],
  ['not', '!'],
  ['NOT', '!'],
  ['is', '=='],
])

/** The operator or name that stands there, and the one before it. */
function wordsAt(source: string, offset: number): readonly string[] {
  const words = [...source.matchAll(/[=!<>&|]+|[A-Za-z_]+/g)]
  const upTo = words.filter(({ index }) => index <= offset).map(([word]) => word)
  return upTo.slice(-2).toReversed()
}

const Location = z.object({ location: z.object({ start: z.object({ offset: z.int().min(0) }) }) })

// In place of those of the library, which ask the engine for local times.
const partsOfTime = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
} satisfies Record<string, (date: Date) => number>

function timeFunctions(
  { celMethod, objectType, CelScalar: { STRING, INT } }: Cel,
  { TimestampSchema, timestampMs }: Wkt,
) {
  const timestamp = objectType(TimestampSchema)
  return Object.entries(partsOfTime).flatMap(([name, part]) => {
    const inZone = (at: number, zone: string): bigint => {
      const date = localDate(at, zone)
      if (date === null) throw new Error('no local time is known')
      return BigInt(part(date))
    }
    return [
      celMethod(name, timestamp, [], INT, function () {
        return inZone(timestampMs(this.message), 'UTC')
      }),
      celMethod(name, timestamp, [STRING], INT, function (zone) {
        return inZone(timestampMs(this.message), zone)
      }),
    ]
  })
}

// In place of those of the library, which take the empty text for 0, and 30 February for a day.
function strictConversions(
  { celFunc, objectType, CelScalar }: Cel,
  { TimestampSchema, DurationSchema, timestampFromMs, durationFromMs }: Wkt,
  failed: Set<Unconverted>,
) {
  const noted = <Value>(convert: (text: string) => Value) => {
    return (text: string): Value => {
      try {
        return convert(text)
      } catch (error) {
        if (error instanceof Unconverted) failed.add(error)
        throw error
      }
    }
  }
  const { STRING, INT, DOUBLE, BOOL } = CelScalar
  const moment = (text: string) => Object.assign(timestampFromMs(0), timestampOf(text))
  const span = (text: string) => Object.assign(durationFromMs(0), durationOf(text))
  return [
    celFunc('int', [STRING], INT, noted(intOf)),
    celFunc('double', [STRING], DOUBLE, noted(doubleOf)),
    celFunc('bool', [STRING], BOOL, noted(boolOf)),
    celFunc('timestamp', [STRING], objectType(TimestampSchema), noted(moment)),
    celFunc('duration', [STRING], objectType(DurationSchema), noted(span)),
  ]
}
