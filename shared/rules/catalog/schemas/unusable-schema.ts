// Why a schema cannot be used, in plain words: what of it, where it stands, and what would help.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { PatternUnsupported } from './schema-pattern.ts'
import { pointerToken } from '#record/pointer-token'

/** After what was thrown as the schema was compiled. */
export function unusable(schema: JsonObject, error: unknown): string {
  if (error instanceof PatternUnsupported) {
    return `${placeOfPattern(schema, error.pattern)} ${error.message}`.trim()
  }
  if (!(error instanceof Error)) return 'cannot be compiled'
  const several = /^reference "(.*)" resolves to more than one schema$/s.exec(error.message)?.[1]
  if (several !== undefined) return severalAt(schema, several)
  const reference = /^can't resolve reference (.*) from id /s.exec(error.message)?.[1]
  return reference === undefined ? error.message : lostReference(schema, reference)
}

/** What a reference of the schema names is not in it, and nothing else is read. */
function lostReference(schema: JsonObject, reference: string): string {
  const named = (name: string, value: JsonValue): boolean => name === '$ref' && value === reference
  const lost = `\`$ref\` ${JSON.stringify(reference)} leads to nothing in the schema`
  return `${placeOf(schema, named)} ${lost}: put what it names into \`$defs\``.trim()
}

/** Which part it means depends on what refers to the schema that it is in. */
function severalAt(schema: JsonObject, reference: string): string {
  const place = placeOf(schema, (_, value) => value === reference)
  return `${place} ${JSON.stringify(reference)} means one of several parts: name one by \`$ref\``
}

function placeOfPattern(within: JsonValue, pattern: string): string {
  return placeOf(within, (name, value) => {
    return name === pattern || (name === 'pattern' && value === pattern)
  })
}

/** A pointer to the first such member of the schema; empty where there is none. */
function placeOf(within: JsonValue, is: (name: string, value: JsonValue) => boolean): string {
  if (typeof within !== 'object' || within === null) return ''
  for (const [name, value] of Object.entries(within)) {
    const place = `/${pointerToken(name)}`
    if (is(name, value)) return place
    const below = placeOf(value, is)
    if (below !== '') return place + below
  }
  return ''
}
