// Packages that most programs never need, and that are loaded with the first call that does. The
// one file, with its twin `packages-browser.ts`, that knows them.
import { createRequire } from 'node:module'
import type * as CelModule from '@bufbuild/cel'
import type * as ExtModule from '@bufbuild/cel/ext'
import type * as ReflectModule from '@bufbuild/protobuf/reflect'
import type * as WktModule from '@bufbuild/protobuf/wkt'
import type * as Re2Module from '@bufbuild/re2'
import type * as AjvModule from 'ajv/dist/2020.js'
import type * as FormatsModule from 'ajv-formats/dist/formats.js'

export type Cel = typeof CelModule
export type Wkt = typeof WktModule
/** A value as the library of CEL takes it: whole numbers are bigints. */
export type CelValue = CelModule.CelValue
export type SchemaReader = AjvModule.Ajv2020
export type SchemaOptions = AjvModule.Options
export type SchemaCheck = AjvModule.ValidateFunction

interface Load {
  (name: '@bufbuild/cel'): Cel
  (name: '@bufbuild/cel/ext'): typeof ExtModule
  (name: '@bufbuild/protobuf/reflect'): typeof ReflectModule
  (name: '@bufbuild/protobuf/wkt'): Wkt
  (name: '@bufbuild/re2'): typeof Re2Module
  (name: 'ajv/dist/2020.js'): typeof AjvModule
  (name: 'ajv-formats/dist/formats.js'): typeof FormatsModule
  (name: 'wink-lemmatizer'): unknown
}

const load: Load = createRequire(import.meta.url)

/** What reads and evaluates CEL. Reading its descriptors takes longer than most commands run. */
export function celPackages() {
  const { strings } = load('@bufbuild/cel/ext')
  const { reflect } = load('@bufbuild/protobuf/reflect')
  const { RE2JS } = load('@bufbuild/re2')
  return {
    cel: load('@bufbuild/cel'),
    strings,
    reflect,
    wkt: load('@bufbuild/protobuf/wkt'),
    RE2JS,
  }
}

/** What compiles schemas. Plain ones are judged without. */
export function schemaPackages() {
  const { Ajv2020 } = load('ajv/dist/2020.js')
  const { fullFormats } = load('ajv-formats/dist/formats.js')
  return { Ajv2020, fullFormats }
}

/** The tables of the lemmatizer: they take time and 50 MB, and exact names never need them. */
export function lemmatizerPackage(): unknown {
  return load('wink-lemmatizer')
}

/**
 * Fetches what was asked for and was not here; whether that is anything. Then what asked is asked
 * again from the beginning: it may have come to something without it.
 */
export function fetchMissing(): Promise<boolean> {
  return Promise.resolve(false)
}

/** Whether schemas can be compiled into code, as they are wherever no policy forbids it. */
export function canCompile(): boolean {
  return true
}

/** Lets everything else that waits have its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
