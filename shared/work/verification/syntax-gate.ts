// Which parser reads which file, and what the parsers' answers come to. A file that none reads is
// skipped, one that none can finish proves nothing, and one that is wrong refutes.
import { gateResult, type GateFinding, type GateResult } from './gates.ts'

export type Grammar = 'python' | 'javascript' | 'typescript' | 'json' | 'yaml'

const grammars: Readonly<Record<string, Grammar>> = {
  py: 'python',
  pyi: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
}

/** JSON by name, and with comments by custom. */
const commented = /(?:^|\/)(?:[tj]sconfig[^/]*|devcontainer|\.eslintrc|\.babelrc)\.json$/i

/** Null where no parser is kept for it. */
export function grammarOf(path: string): Grammar | null {
  const ending = /\.(?<ending>[^./]+)$/.exec(path)?.groups?.['ending']?.toLowerCase() ?? ''
  if (commented.test(path) || !Object.hasOwn(grammars, ending)) return null
  return grammars[ending] ?? null
}

export type Parsed =
  | { readonly is: 'valid' }
  | { readonly is: 'invalid'; readonly line: number | null }
  | { readonly is: 'unknown'; readonly why: UnknownWhy }

export type UnknownWhy = 'no_parser' | 'parser_failed' | 'too_large' | 'timed_out' | 'beyond_parser'

export interface ParsedFile {
  readonly path: string
  readonly grammar: Grammar
  readonly parsed: Parsed
}

export interface SyntaxSeen {
  readonly files: readonly ParsedFile[]
  /** How many files no parser reads. */
  readonly unread: number
  readonly tools: Readonly<Record<string, string>>
}

export function syntaxGate({ files, unread, tools }: SyntaxSeen): GateResult {
  const evidence = { files: files.length, unread, tools }
  if (files.length === 0) {
    const code = unread > 0 ? 'no_grammar' : 'no_files'
    return gateResult('syntax', 'skipped', { code, evidence })
  }
  const findings: GateFinding[] = []
  const warnings: GateFinding[] = []
  for (const { path, grammar, parsed } of files) {
    if (parsed.is === 'invalid') {
      const { line } = parsed
      findings.push({ code: `not_${grammar}`, about: path, ...(line !== null && { line }) })
    } else if (parsed.is === 'unknown') warnings.push({ code: parsed.why, about: path })
  }
  if (findings.length > 0) return gateResult('syntax', 'fail', { findings, warnings, evidence })
  const [first] = warnings
  if (first === undefined) return gateResult('syntax', 'pass', { evidence })
  return gateResult('syntax', 'inconclusive', { code: first.code, warnings, evidence })
}
