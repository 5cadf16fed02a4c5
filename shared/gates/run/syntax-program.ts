// The program of the thread that parses what workers wrote: it does nothing but parse, and runs
// none of it. It is started by its file, from source and from an installed package alike.
import { parentPort } from 'node:worker_threads'
import type { Parsed } from '#work/verification/syntax-gate'
import { scriptTree, transformedMarkup, transformedTypes } from '#system/script-text'
import { yamlProblem } from '#system/yaml-text'

/** The others have no need of a thread. */
export type ThreadGrammar = 'javascript' | 'typescript' | 'yaml'

export interface SyntaxRequest {
  readonly path: string
  readonly grammar: ThreadGrammar
  readonly bytes: Uint8Array
}

parentPort?.on('message', (request: SyntaxRequest) => {
  parentPort?.postMessage(parsedOf(request))
})

function parsedOf({ path, grammar, bytes }: SyntaxRequest): Parsed {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (grammar === 'yaml') return yamlParsed(text)
    return grammar === 'typescript' ? typesParsed(text, path) : scriptParsed(text, path)
  } catch (error) {
    // Text that is not UTF-8.
    if (error instanceof TypeError) return { is: 'invalid', line: null }
    return beyond
  }
}

const beyond: Parsed = { is: 'unknown', why: 'beyond_parser' }
const valid: Parsed = { is: 'valid' }

function yamlParsed(text: string): Parsed {
  const problem = yamlProblem(text)
  return problem === null ? valid : { is: 'invalid', line: problem.line }
}

/** What only a proposal of the language allows, the parser of scripts does not read. */
const proposed = /@|\baccessor\b|\busing\b/

function typesParsed(text: string, path: string): Parsed {
  const isModule = !path.toLowerCase().endsWith('.cts')
  const hasMarkup = path.toLowerCase().endsWith('x')
  const made = withoutTypes(text, isModule, hasMarkup)
  // Markup stays in it, which the parser of scripts does not read.
  if (typeof made !== 'string' || hasMarkup) return typeof made === 'string' ? valid : made
  const parsed = asScript(made, isModule ? ['module', 'script'] : ['script'])
  // Its line is one of what was made of the text.
  return parsed.is === 'invalid' ? { is: 'invalid', line: null } : parsed
}

function withoutTypes(text: string, isModule: boolean, hasMarkup: boolean): string | Parsed {
  try {
    return hasMarkup ? transformedMarkup(text) : transformedTypes(text, isModule)
  } catch (error) {
    // What it finds wrong is thrown as an object with a place; an error is that of the parser.
    return error instanceof Error ? beyond : { is: 'invalid', line: startLineOf(error) }
  }
}

function scriptParsed(text: string, path: string): Parsed {
  const lower = path.toLowerCase()
  if (lower.endsWith('.mjs')) return asScript(text, ['module'])
  const parsed = asScript(text, lower.endsWith('.cjs') ? ['script'] : ['module', 'script'])
  return lower.endsWith('.jsx') && parsed.is !== 'valid' ? typesParsed(text, path) : parsed
}

function asScript(code: string, types: readonly ('module' | 'script')[]): Parsed {
  let line: number | null = null
  for (const type of types) {
    try {
      scriptTree(code, type)
      return valid
    } catch (error) {
      if (!(error instanceof SyntaxError)) return beyond
      line ??= lineOf(error)
    }
  }
  return proposed.test(code) ? beyond : { is: 'invalid', line }
}

function lineOf(error: SyntaxError): number | null {
  const place: unknown = Reflect.get(error, 'loc')
  if (typeof place !== 'object' || place === null || !('line' in place)) return null
  return typeof place.line === 'number' ? place.line : null
}

function startLineOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('startLine' in error)) return null
  return typeof error.startLine === 'number' ? error.startLine : null
}
