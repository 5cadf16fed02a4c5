// Texts in YAML. The one file that knows the parser.
import { describeJsonFault } from '#record/json-fault'
import { isExactNumber } from '#record/reading/exact-number'
import { LineCounter, parseAllDocuments, parseDocument, visit } from 'yaml'

/**
 * Throws an error where it is no YAML, has a key twice, which would hide one of them, or a number
 * that would become another.
 */
export function yamlValue(text: string): unknown {
  const lineCounter = new LineCounter()
  const options = { strict: true, uniqueKeys: true, merge: true, lineCounter }
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error !== undefined) throw error
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value !== 'number' || source === undefined || isExact(source, value)) return
      const { line, col } = lineCounter.linePos(range?.[0] ?? 0)
      const what = describeJsonFault({ code: 'number_inexact' })
      throw new Error(`${what} (line ${line}, column ${col})`)
    },
  })
  const value: unknown = document.toJS()
  return value
}

/** YAML writes numbers in more ways than JSON: with `+`, `0x` and `0o`, and bare points. */
function isExact(source: string, value: number): boolean {
  // What no double is near to is refused for that.
  if (!Number.isFinite(value)) return true
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
