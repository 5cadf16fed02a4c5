// Whether an object says what a value may be, as JSON Schema does, and holds no value itself: then
// a name that is sensitive is one of a definition.

const says: ReadonlySet<string> = new Set(['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum'])
const saysMore: ReadonlySet<string> = new Set(
  [
    'title description markdownDescription $comment $id $schema $anchor format pattern',
    'minLength maxLength minimum maximum multipleOf not exclusiveMinimum exclusiveMaximum',
    'items prefixItems additionalItems contains minItems maxItems uniqueItems properties',
    'patternProperties propertyNames additionalProperties unevaluatedProperties required',
    'minProperties maxProperties dependentRequired dependencies if then else definitions',
    '$defs nullable deprecated readOnly writeOnly contentEncoding contentMediaType',
    'discriminator xml externalDocs in schema style explode allowEmptyValue optional',
    'const default example examples sensitive computed id enumDescriptions',
    'deprecationMessage scope order minContains maxContains name',
  ].flatMap((words) => words.split(' ')),
)
const types: ReadonlySet<string> = new Set(
  'string number integer boolean object array null'.split(' '),
)

/** What a definition gives as a value all the same. */
export const givenInDefinition: ReadonlySet<string> = new Set([
  'const',
  'default',
  'example',
  'examples',
])

export function isDefinition(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members: readonly [string, unknown][] = Object.entries(value)
  return (
    members.some(([key, member]) => says.has(key) && (key !== 'type' || isType(member))) &&
    members.every(([key]) => says.has(key) || saysMore.has(key) || key.startsWith('x-'))
  )
}

function isType(member: unknown): boolean {
  const named: readonly unknown[] = Array.isArray(member) ? member : [member]
  return named.length > 0 && named.every((one) => typeof one === 'string' && types.has(one))
}
