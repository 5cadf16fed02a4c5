// The functions and operators of CEL that a condition may use: those whose answer depends on
// nothing but what they are given. What each takes and gives is written as CEL's own documents do.
import { dyn, listType, mapType, stringType, type ValueType } from './types.ts'

export interface Overload {
  /** What it is called on; null for a function that stands alone. */
  readonly on: ValueType | null
  readonly takes: readonly ValueType[]
  readonly gives: ValueType
}

const types: Readonly<Record<string, ValueType>> = {
  string: stringType,
  int: { kind: 'int' },
  double: { kind: 'double' },
  bool: { kind: 'bool' },
  timestamp: { kind: 'timestamp' },
  duration: { kind: 'duration' },
  strings: listType(stringType),
  list: listType(dyn),
  map: mapType(dyn),
  dyn,
}

/** The parts of a moment, each of UTC or of the time zone that is named. */
const ofMoments = [
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]
const ofDurations = ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds']

const calls = [
  ...['string', 'list', 'map'].flatMap((of) => [`size(${of}):int`, `${of}.size():int`]),
  'string.startsWith(string):bool',
  'string.endsWith(string):bool',
  'string.contains(string):bool',
  'string.matches(string):bool',
  'matches(string,string):bool',
  'string.lowerAscii():string',
  'string.upperAscii():string',
  'string.trim():string',
  'string.charAt(int):string',
  'string.indexOf(string):int',
  'string.indexOf(string,int):int',
  'string.lastIndexOf(string):int',
  'string.lastIndexOf(string,int):int',
  'string.substring(int):string',
  'string.substring(int,int):string',
  'string.replace(string,string):string',
  'string.split(string):strings',
  'strings.join():string',
  'strings.join(string):string',
  ...['int', 'double', 'string', 'timestamp'].map((of) => `int(${of}):int`),
  ...['int', 'double', 'string'].map((of) => `double(${of}):double`),
  ...['string', 'int', 'double', 'bool', 'timestamp'].map((of) => `string(${of}):string`),
  'bool(string):bool',
  'dyn(dyn):dyn',
  'timestamp(string):timestamp',
  'timestamp(timestamp):timestamp',
  'duration(string):duration',
  'duration(duration):duration',
  ...ofMoments.flatMap((name) => [`timestamp.${name}():int`, `timestamp.${name}(string):int`]),
  ...ofDurations.map((name) => `duration.${name}():int`),
]

const numbers = ['int', 'double']
const arithmetic = (name: string) => numbers.map((of) => `${name}(${of},${of}):${of}`)

const operations = [
  ...['+', '-', '*', '/'].flatMap((sign) => arithmetic(`_${sign}_`)),
  '_%_(int,int):int',
  ...numbers.map((of) => `-_(${of}):${of}`),
  '_+_(string,string):string',
  '_+_(timestamp,duration):timestamp',
  '_+_(duration,timestamp):timestamp',
  '_+_(duration,duration):duration',
  '_-_(timestamp,timestamp):duration',
  '_-_(timestamp,duration):timestamp',
  '_-_(duration,duration):duration',
  '_&&_(bool,bool):bool',
  '_||_(bool,bool):bool',
  '!_(bool):bool',
  '@not_strictly_false(bool):bool',
]

const signature = /^(?:(?<on>\w+)\.)?(?<name>[^(]+)\((?<takes>[\w,]*)\):(?<gives>\w+)$/

function tableOf(signatures: readonly string[]): ReadonlyMap<string, readonly Overload[]> {
  const table = new Map<string, Overload[]>()
  for (const one of signatures) {
    const { on, name = '', takes = '', gives = '' } = signature.exec(one)?.groups ?? {}
    const overload = {
      on: on === undefined ? null : typeNamed(on),
      takes: takes === '' ? [] : takes.split(',').map(typeNamed),
      gives: typeNamed(gives),
    }
    table.set(name, [...(table.get(name) ?? []), overload])
  }
  return table
}

function typeNamed(name: string): ValueType {
  return types[name] ?? dyn
}

export const functions = tableOf(calls)
export const operators = tableOf(operations)

/** Of these only values that can be put in an order are compared, numbers of both kinds too. */
export const comparisons: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_'])
export const equalities: ReadonlySet<string> = new Set(['_==_', '_!=_'])
