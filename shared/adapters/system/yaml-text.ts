// Texts in YAML. The one file that knows the parser.
import { LineCounter, parse, parseAllDocuments } from 'yaml'

/** Throws an error where it is no YAML, or has a key twice, which would hide one of them. */
export function yamlValue(text: string): unknown {
  const value: unknown = parse(text, { strict: true, uniqueKeys: true, merge: true })
  return value
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
