// The program of the thread that parses what workers wrote: it does nothing but parse, and runs
// none of it. It is started by its file, from source and from an installed package alike.
import { parentPort } from 'node:worker_threads'
import { readJson } from '#core/kernel/json'
import type { Grammar, Parsed } from '#core/work/verification/syntax-gate'
import { scriptTree, transformedTypes } from '#adapters/system/script-text'
import { yamlProblem } from '#adapters/system/yaml-text'

export interface SyntaxRequest {
  readonly path: string
  readonly grammar: Grammar
  readonly bytes: Uint8Array
}

parentPort?.on('message', (request: SyntaxRequest) => {
  parentPort?.postMessage(parsedOf(request))
})

function parsedOf({ path, grammar, bytes }: SyntaxRequest): Parsed {
  try {
    if (grammar === 'json') return jsonParsed(bytes)
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
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** What is more than grammar is no matter of this gate. */
function jsonParsed(bytes: Uint8Array): Parsed {
  const isMarked = byteOrderMark.equals(Buffer.from(bytes.subarray(0, 3)))
  const reading = readJson(isMarked ? bytes.subarray(3) : bytes, {
    bytesMax: bytes.length,
    depthMax,
  })
  if (reading.ok) return valid
  if (reading.code === 'not_json' || reading.code === 'not_utf8') {
    return { is: 'invalid', line: null }
  }
  return reading.code === 'too_deep' || reading.code === 'too_many_values' ? beyond : valid
}

const depthMax = 1_000

function yamlParsed(text: string): Parsed {
  const problem = yamlProblem(text)
  return problem === null ? valid : { is: 'invalid', line: problem.line }
}

/** What only a proposal of the language allows, the parser of scripts does not read. */
const proposed = /@|\baccessor\b|\busing\b/

function typesParsed(text: string, path: string): Parsed {
  const isModule = !path.toLowerCase().endsWith('.cts')
  let code: string
  try {
    code = transformedTypes(text, isModule)
  } catch (error) {
    // What it finds wrong is thrown as an object with a place; an error is that of the parser.
    return error instanceof Error ? beyond : { is: 'invalid', line: startLineOf(error) }
  }
  const parsed = asScript(code, isModule ? ['module', 'script'] : ['script'])
  // Its line is one of what was made of the text.
  return parsed.is === 'invalid' ? { is: 'invalid', line: null } : parsed
}

function scriptParsed(text: string, path: string): Parsed {
  const lower = path.toLowerCase()
  if (lower.endsWith('.mjs')) return asScript(text, ['module'])
  return asScript(text, lower.endsWith('.cjs') ? ['script'] : ['module', 'script'])
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
