// Packages that few pages need, each fetched when something has asked for it. Asking does not wait:
// it fails and is remembered, and is done again once the package is here.
import type * as CelModule from '@bufbuild/cel'
import type * as ExtModule from '@bufbuild/cel/ext'
import type * as ReflectModule from '@bufbuild/protobuf/reflect'
import type * as WktModule from '@bufbuild/protobuf/wkt'
import type * as Re2Module from '@bufbuild/re2'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'

export type Cel = typeof CelModule
export type Wkt = typeof WktModule
export type CelValue = CelModule.CelValue
export type SchemaReader = Ajv2020
export type SchemaOptions = Options
export type SchemaCheck = ValidateFunction

interface CelPackages {
  readonly cel: Cel
  readonly strings: typeof ExtModule.strings
  readonly reflect: typeof ReflectModule.reflect
  readonly wkt: Wkt
  readonly RE2JS: typeof Re2Module.RE2JS
}

let celHere: CelPackages | undefined
let lemmatizerHere: unknown
const missing = new Set<'cel' | 'lemmatizer'>()

export function celPackages(): CelPackages {
  if (celHere !== undefined) return celHere
  missing.add('cel')
  throw new Error('the packages of CEL are not here yet')
}

export function schemaPackages() {
  return { Ajv2020, fullFormats }
}

export function lemmatizerPackage(): unknown {
  if (lemmatizerHere !== undefined) return lemmatizerHere
  missing.add('lemmatizer')
  throw new Error('the lemmatizer is not here yet')
}

export async function fetchMissing(): Promise<boolean> {
  const wanted = [...missing]
  missing.clear()
  for (const one of wanted) {
    if (one === 'cel') celHere = await fetchedCel()
    else lemmatizerHere = await fetchedLemmatizer()
  }
  return wanted.length > 0
}

async function fetchedCel(): Promise<CelPackages> {
  const [cel, { strings }, { reflect }, wkt, { RE2JS }] = await Promise.all([
    import('@bufbuild/cel'),
    import('@bufbuild/cel/ext'),
    import('@bufbuild/protobuf/reflect'),
    import('@bufbuild/protobuf/wkt'),
    import('@bufbuild/re2'),
  ])
  return { cel, strings, reflect, wkt, RE2JS }
}

async function fetchedLemmatizer(): Promise<unknown> {
  const { default: lemmatizer } = await import('wink-lemmatizer')
  return lemmatizer
}

// A page may forbid it by its Content-Security-Policy. What must not compile would call each schema
// invalid, and so come to another verdict than was recorded.
export function canCompile(): boolean {
  try {
    Reflect.construct(Function, [''])
    return true
  } catch {
    return false
  }
}

// Nothing that waits here waits for more than a promise.
export function turn(): Promise<void> {
  return Promise.resolve()
}
