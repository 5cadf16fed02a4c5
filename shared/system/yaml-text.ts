// Texts in YAML. The one file that knows the parser.
import { describeJsonFault } from '#record/json-fault'
import { isExactNumber } from '#record/reading/exact-number'
import type { JsonFaultCode } from '#schemas/vlp'
import { isMap, isNode, isScalar, LineCounter, parseAllDocuments, parseDocument } from 'yaml'
import { visit, type Document, type Node, type Scalar, type YAMLParseError } from 'yaml'

/**
 * Throws an error, with its line and column, where it is no YAML, or says what JSON cannot: what is
 * read would be something else than what is written.
 */
export function yamlValue(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = withinStack(() => {
    return parseDocument(text, {
      strict: true,
      uniqueKeys: isOneKey,
      merge: true,
      lineCounter,
    })
  })
  const [error] = document.errors
  if (error !== undefined) throw new Error(complaint(error))
  const problem = withinStack(() => problemIn(document))
  if (problem !== null) {
    const { line, col } = lineCounter.linePos(problem.at)
    throw new Error(`${problem.message} (line ${line}, column ${col})`)
  }
  const value: unknown = document.toJS()
  return value
}

/** In an object of JSON they are the same: `1` and `"1"`, `true` and `"true"`. */
function isOneKey(one: unknown, other: unknown): boolean {
  return isScalar(one) && isScalar(other) && String(one.value) === String(other.value)
}

function withinStack<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Error(describeJsonFault({ code: 'too_deep' }), { cause: error })
  }
}

function complaint({ code, message, linePos }: YAMLParseError): string {
  const [first = ''] = message.split('\n')
  // The parser keeps what it could not go through as an error of its own.
  if (first.includes('call stack')) return describeJsonFault({ code: 'too_deep' })
  if (code !== 'MULTIPLE_DOCS') return first.replace(/:$/, '')
  const line = linePos?.[0].line ?? 1
  return `it holds several documents: put them into one, or into a file each (line ${line})`
}

interface YamlProblem {
  readonly message: string
  /** Where it begins. */
  readonly at: number
}

/** The first thing that would be read as something else. */
function problemIn(document: Document.Parsed): YamlProblem | null {
  let problem: YamlProblem | null = null
  const found = (node: { readonly range?: Node['range'] }, message: string | null) => {
    if (message === null) return undefined
    problem = { message, at: node.range?.[0] ?? 0 }
    return visit.BREAK
  }
  visit(document, {
    Pair(_key, { key }, path) {
      const map = path.at(-1)
      return found(isNode(key) ? key : isMap(map) ? map : {}, keyFault(key))
    },
    Alias(_key, node, path) {
      const target = node.resolve(document)
      if (target === undefined)
        return found(node, `nothing is called \`&${node.source}\` before it`)
      const isWithin = path.some((above) => above === target)
      return found(node, isWithin ? `\`*${node.source}\` is a part of itself` : null)
    },
    Collection: (_key, node) => found(node, tagFault(node.tag)),
    Scalar: (_key, node) => found(node, tagFault(node.tag) ?? scalarFault(node)),
  })
  return problem
}

const plain = /^tag:yaml\.org,2002:(?:map|seq|str|int|float|bool|null|merge)$/

/** A tag makes something of a value; what JSON has no value for is not read as its text. */
function tagFault(tag: string | undefined): string | null {
  if (tag === undefined || plain.test(tag)) return null
  const written = tag.replace('tag:yaml.org,2002:', '!!')
  return `\`${written}\` is a tag that JSON has no value for: take it away`
}

function keyFault(key: unknown): string | null {
  if (!isScalar(key)) return 'a key is a list, a map or an alias: write it as a text'
  if (key.value === null) return 'a key is empty: write it as a text'
  return key.value === '__proto__' ? describeJsonFault({ code: 'unsafe_key' }) : null
}

function scalarFault({ value, source }: Scalar): string | null {
  const described = (code: JsonFaultCode): string => describeJsonFault({ code })
  if (typeof value === 'string') return value.isWellFormed() ? null : described('lone_surrogate')
  if (typeof value !== 'number') return null
  if (Number.isNaN(value)) return '`.nan` is not a number of JSON'
  if (!Number.isFinite(value)) return described('number_out_of_range')
  return source === undefined || isExact(source, value) ? null : described('number_inexact')
}

/** YAML writes numbers in more ways than JSON: with `+`, `0x` and `0o`, and bare points. */
function isExact(source: string, value: number): boolean {
  if (/^0[ox]/.test(source)) return BigInt(source) === BigInt(value)
  const decimal = /^[+]?(?<sign>-?)0*(?<whole>[0-9]*)\.?(?<rest>.*)$/.exec(source)?.groups
  const { sign = '', whole = '', rest = '' } = decimal ?? {}
  const digits = /^[0-9]/.test(rest) ? `.${rest}` : rest
  return isExactNumber(`${sign}${whole === '' ? '0' : whole}${digits}`)
}

/** What is wrong with it first, or null. Nothing that it refers to is expanded. */
export function yamlProblem(text: string): { readonly line: number } | null {
  const lineCounter = new LineCounter()
  // Errors that quote what they are about take time with each of them.
  for (const { errors } of parseAllDocuments(text, { lineCounter, prettyErrors: false })) {
    const [error] = errors
    if (error !== undefined) return { line: lineCounter.linePos(error.pos[0]).line }
  }
  return null
}
