// The text of scripts: TypeScript with its types stripped, and JavaScript as a tree. The one file
// that knows either parser; both throw what they found wrong.
import { transformSync, type Options as SwcOptions } from '@swc/wasm-typescript'
import { parse, type Options, type Program } from 'acorn'

export type { Node, Pattern, Program } from 'acorn'

/** Throws what the parser throws: an object with a message and a place, and no error. */
export function strippedTypes(source: string): string {
  return transformSync(source, { mode: 'strip-only', module: true }).code
}

/** With what exists in TypeScript alone turned into JavaScript: enumerations, namespaces. */
export function transformedTypes(source: string, module: boolean): string {
  return transformSync(source, { mode: 'transform', module }).code
}

/** Of a module with JSX in it, which stays as it is. */
export function transformedMarkup(source: string): string {
  return transformSync(source, markup).code
}

/** The types of the parser do not have its own setting. */
interface MarkupOptions extends SwcOptions {
  readonly parser: { readonly tsx: true; readonly decorators: true }
}

const markup: MarkupOptions = {
  mode: 'transform',
  module: true,
  parser: { tsx: true, decorators: true },
}

/** Throws an error with a message and a place. */
export function scriptTree(code: string, sourceType: 'script' | 'module'): Program {
  const options: Options = { ecmaVersion: 'latest', sourceType, allowHashBang: true }
  return parse(code, options)
}
