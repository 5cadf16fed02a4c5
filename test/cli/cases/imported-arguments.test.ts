// Whatever place an author declares an argument in, it is in the schema that is imported, or a
// remark or the refusal names it: nothing of a tool is lost in silence.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { proposedAtEdge } from '#cli/rules/catalog/tools/proposed'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { count } from '../../support/vitest/counts.ts'
import { faultOf, listed, operation, operations, part, shown, text } from './imported.ts'

describe('a list of tools', () => {
  const schema = { type: 'object', ...part('a') }

  test.each<[string, JsonValue]>([
    ['parameters', [{ name: 't', parameters: schema }]],
    ['input_schema', { tools: [{ name: 't', input_schema: schema }] }],
    ['arguments', { tools: [{ name: 't', arguments: schema }] }],
    ['a function', [{ type: 'function', function: { name: 't', parameters: schema } }]],
    ['others beside it', [7, { name: 't', inputSchema: schema }]],
  ])('has its schema in %s', (_, list) => {
    const found = (toolsOfMcp(list, { acceptsHints: false }) ?? []).at(-1) ?? expect.fail()
    expect(found.capability.id).toBe('t')
    expect(faultOf(found, { a: 'x' })).toBeNull()
    expect(faultOf(found, {})).not.toBeNull()
  })

  test.each<[JsonObject, string]>([
    [{ inputSchema: null }, '`inputSchema` is null, so it takes no arguments'],
    [{ args: schema }, '`args` is not read'],
    [{ inputSchema: {}, parameters: schema }, '`parameters` is not read'],
    [{ arguments: [{ name: 'a' }] }, 'tools/0/arguments'],
    [{ inputSchema: {}, description: null }, '`description`'],
    [{ inputSchema: {}, annotations: 'x' }, '`annotations`'],
    [{ inputSchema: {}, annotations: null }, '`annotations`'],
    [{ inputSchema: {}, annotations: { readOnlyHint: 'true' } }, '`readOnlyHint`'],
    [{ inputSchema: {}, annotations: { openWorldHint: 1 } }, '`openWorldHint`'],
  ])('names what of a tool it does not read: %j', (more, what) => {
    expect(listed({ name: 't', ...more }).map(shown)).toEqual([expect.stringContaining(what)])
  })

  test('refuses both of two tools of one name, and says that there are more pages', () => {
    const twice = listed({ name: 't', inputSchema: {} }, { name: 't', inputSchema: schema })
    expect(twice.map(({ refused }) => refused)).toEqual(Array(2).fill('its list has `t` 2 times'))
    const paged = toolsOfMcp({ tools: [], nextCursor: '2' }, { acceptsHints: false }) ?? []
    expect(paged.map(shown)).toEqual([expect.stringContaining('goes on')])
  })
})

describe('an operation', () => {
  const p = (name: string, place: string, more: JsonObject = {}): JsonObject => {
    return { name, in: place, schema: text, ...more }
  }
  const required = { required: true }

  test('has bounds as drafts of now write them', () => {
    const schema = { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 }
    const one = operation('/a', { parameters: [p('n', 'query', { schema })] })
    expect([0, 1, 9, 10].map((n) => faultOf(one, { n }))).toEqual(['/n', null, null, '/n'])
  })

  test('takes what its path names and does not declare, by name', () => {
    const one = operation('/a/{id}/b/{x}', { parameters: [p('x', 'path')] })
    expect(faultOf(one, { id: 'a', x: 'b' })).toBeNull()
    expect(faultOf(one, { x: 'b' })).not.toBeNull()
    expect(shown(one)).toContain('`id` of its path is not declared')
  })

  test('takes headers and cookies, but for what its program sets', () => {
    const head = [p('X-Trace', 'header'), p('sid', 'cookie', required)]
    const one = operation('/a', { parameters: [...head, p('authorization', 'header', required)] })
    expect(faultOf(one, { sid: 'a' })).toBeNull()
    expect(faultOf(one, { sid: 'a', 'X-Trace': 'b' })).toBeNull()
    expect(faultOf(one, { 'X-Trace': 'b' })).not.toBeNull()
    for (const name of ['X-Trace', 'sid', 'authorization']) expect(shown(one)).toContain(name)
  })

  test.each<[string, JsonObject, string]>([
    [
      'one name in two places',
      { parameters: [p('a', 'query'), p('a', 'header', required)] },
      '`a`',
    ],
    ['a place of its own', { parameters: [p('a', 'formData', required)] }, '`a`'],
    ['one twice', { parameters: [p('a', 'query'), p('a', 'query', required)] }, '`a`'],
    ['body', { parameters: [p('body', 'query')], requestBody: { content: {} } }, '`body`'],
    ['no name', { parameters: [{ in: 'query' }] }, 'parameters/0/name'],
    ['no object', { parameters: [null] }, 'parameters/0'],
    ['no list', { parameters: null }, 'parameters'],
    ['a body that is not one', { requestBody: { content: 7 } }, 'content'],
    ['no such schema', { parameters: [p('a', 'query', { schema: { $ref: '#/no' } })] }, '#/no'],
    ['no such media', { requestBody: { content: { x: { $ref: '#/no' } } } }, '#/no'],
  ])('is refused by name with %s', (_, more, what) => {
    expect(operation('/a', more).refused).toContain(what)
  })

  test.each<[string, JsonObject, string]>([
    ['a header that is a query too', { parameters: [p('a', 'query'), p('a', 'header')] }, '`a`'],
    ['a place of its own', { parameters: [p('a', 'formData')] }, '`a`'],
    ['no schema', { parameters: [{ name: 'a', in: 'query' }] }, '`a` has no schema'],
    ['a summary that is no text', { summary: 7 }, '`summary`'],
    ['a word of OpenAPI', { parameters: [p('a', 'query', { schema: { 'x-a': 1 } })] }, '`x-a`'],
    [
      'two forms of its body',
      { requestBody: { content: { xml: { schema: text }, json: { schema: {} } } } },
      'not as `xml`',
    ],
  ])('is imported with a remark with %s', (_, more, what) => {
    const one = operation('/a', more)
    expect(one.refused).toBeUndefined()
    expect(shown(one)).toContain(what)
  })

  test('keeps schemas of contents, of items, and of names that are words of OpenAPI', () => {
    const words = { example: text, xml: text, nullable: text, 'x-a': text, discriminator: text }
    const body = { properties: words, required: Object.keys(words), additionalProperties: false }
    const one = operation('/a', {
      parameters: [{ name: 'f', in: 'query', content: { json: { schema: body } } }],
      requestBody: { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } },
    })
    const f = Object.fromEntries(Object.keys(words).map((word) => [word, 'x']))
    expect(faultOf(one, { f, body: [1] })).toBeNull()
    expect(faultOf(one, { f: { ...f, xml: 1 } })).toBe('/f/xml')
    expect(faultOf(one, { body: ['x'] })).toBe('/body/0')
  })

  test('follows references to their end', () => {
    const components = {
      parameters: { A: { $ref: '#/components/parameters/B' }, B: p('b', 'query', required) },
      schemas: { 'a b': { properties: { 'c/d': { type: 'integer' } } } },
    }
    const deep = { $ref: '#/components/schemas/a%20b/properties/c~1d' }
    const parameters = [{ $ref: '#/components/parameters/A' }, p('d', 'query', { schema: deep })]
    const one = operation('/a', { parameters }, components)
    expect(faultOf(one, { b: 'x', d: 1 })).toBeNull()
    expect(faultOf(one, { b: 'x', d: 'x' })).toBe('/d')
    expect(faultOf(one, {})).not.toBeNull()
  })

  test('is found under each method, and what is not one is named', () => {
    const item = { query: {}, additionalOperations: { PURGE: {} }, GET: {}, 'x-a': {} }
    const found = operations({ '/a': item, '/b': null, 'x-c': 7 })
    const classes = found.map(({ capability: { id, safetyClass }, refused = '' }) => {
      return `${id} ${safetyClass} ${refused}`
    })
    expect(classes).toEqual([
      'query_a READ ',
      'purge_a DESTRUCTIVE ',
      expect.stringContaining('/a DESTRUCTIVE it cannot be read: `GET`'),
      expect.stringContaining('/b DESTRUCTIVE it cannot be read'),
    ])
    expect(found.map((one) => proposedAtEdge(one)?.refused !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})

// Names that are words of JSON Schema, of OpenAPI or of JavaScript, and such that occur twice.
const anyName = fc.constantFrom(
  ...'id a b body example nullable x-a $ref allOf properties constructor Authorization'.split(' '),
)
const anySchema: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  true,
  { type: 'string', nullable: true, 'x-order': 1 },
  { type: 'number', minimum: 0, exclusiveMinimum: true },
  { $ref: '#/components/schemas/S' },
  { $ref: '#/components/schemas/S/properties/deep~1er' },
  { $ref: '#/components/schemas/None' },
  { $ref: 'other.yaml#/S' },
  { allOf: [{ $ref: '#/components/schemas/S' }], discriminator: { propertyName: 'a' } },
)
const anyParameter = fc.record({
  name: anyName,
  place: fc.constantFrom('path', 'query', 'header', 'cookie', 'querystring', 'formData'),
  required: fc.constantFrom(true, false, undefined, 'yes'),
  schema: anySchema,
  by: fc.constantFrom('schema', 'content', 'nothing', 'reference'),
  isShared: fc.boolean(),
})
const anyOperation = fc.record({
  parameters: fc.array(anyParameter, { maxLength: 5 }),
  undeclared: fc.array(anyName, { maxLength: 2 }),
  body: fc.option(
    fc.record({ names: fc.uniqueArray(anyName, { maxLength: 4 }), schema: anySchema }),
  ),
})

test('every argument of an operation is in its schema, or a remark or the refusal names it', () => {
  fc.assert(
    fc.property(anyOperation, ({ parameters, undeclared, body }) => {
      const referred: Record<string, JsonObject> = {}
      const written = parameters.map(({ name, place, required, schema, by, isShared }, index) => {
        const one: JsonObject = {
          name,
          in: place,
          ...(required !== undefined && { required }),
          ...(by === 'schema' && { schema }),
          ...((by === 'content' || by === 'reference') && { content: { json: { schema } } }),
        }
        referred[`P${index}`] = one
        const $ref = `#/components/parameters/P${index}`
        return { isShared, one: by === 'reference' ? { $ref } : one }
      })
      const properties = Object.fromEntries(
        (body?.names ?? []).map((name) => [name, body?.schema ?? true]),
      )
      const S = {
        properties: { 'deep/er': { type: 'string' }, next: { $ref: '#/components/schemas/S' } },
      }
      const path = ['', 'a', ...undeclared.map((name) => `{${name}}`)].join('/')
      const item = {
        parameters: written.flatMap(({ isShared, one }) => (isShared ? [one] : [])),
        put: {
          parameters: written.flatMap(({ isShared, one }) => (isShared ? [] : [one])),
          ...(body !== null && { requestBody: { content: { json: { schema: { properties } } } } }),
        },
      }
      const [found = expect.fail(), ...others] = operations(
        { [path]: item },
        { components: { parameters: referred, schemas: { S } } },
      )
      expect(others).toEqual([])
      const { capability, refused } = found
      expect(capability.argsSchema === undefined).toBe(refused !== undefined)
      if (refused !== undefined) return
      const taken = capability.argsSchema?.['properties'] ?? {}
      for (const name of [...parameters.map((one) => one.name), ...undeclared]) {
        const isNamed = shown(found).includes(`\`${name}\``)
        expect(isNamed || Object.hasOwn(Object(taken), name)).toBe(true)
      }
      if (body === null) return
      const inBody = Object(Object(taken).body).properties
      expect(Object.keys(inBody).toSorted()).toEqual(body.names.toSorted())
    }),
    { numRuns: count(5_000, 400) },
  )
})
