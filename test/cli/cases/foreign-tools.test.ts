// Tools as others describe them: what has no say in which arguments are taken is passed over,
// what constrains is kept or the tool is refused with the place, and none loses its arguments.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { argumentFault } from '#rules/catalog/arguments'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { toolsOfOpenApi } from '#cli/rules/catalog/tools/propose'
import type { JsonObject } from '#schemas/catalog'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = { acceptsHints: false }
const imported = (schema: JsonObject) => {
  const tools = [{ name: 't', inputSchema: { type: 'object', ...schema } }]
  const [tool] = toolsOfMcp({ tools }, asked) ?? []
  if (tool === undefined) throw new Error('it is a list of tools')
  return tool
}
const property = (more: JsonObject) => imported({ properties: { a: { type: 'string', ...more } } })
const words = (text: string): readonly string[] => text.split(' ')

test.each(words('json repo.nwo path uint32 color decimal html timezone idn-email a/b'))(
  'the format %s is passed over with a remark',
  (format) => {
    const { capability, notes, refused } = property({ format })
    expect(refused).toBeUndefined()
    expect(notes.join()).toContain(`\`format\` "${format}"`)
    const { argsSchema = {} } = capability
    expect(argumentFault({ argsSchema }, { a: 'x' })).toBeNull()
    expect(argumentFault({ argsSchema }, { a: 1 })?.keyword).toBe('type')
    expect(argumentFault({ argsSchema }, { b: 'x' })?.keyword).toBe('additionalProperties')
  },
)

test.each(
  words('x-order markdownDescription enumDescriptions discriminator xml unit propertyOrder'),
)('the keyword %s is passed over', (keyword) => {
  const { capability, refused } = property({ [keyword]: { any: ['thing'] } })
  expect(refused).toBeUndefined()
  expect(capability.argsSchema).toMatchObject({ properties: { a: { type: 'string' } } })
})

test('what older drafts wrote another way is kept', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.org/tool',
    definitions: { id: { type: 'string', $anchor: 'id' } },
    properties: {
      pair: {
        type: 'array',
        items: [{ type: 'string' }, { type: 'integer' }],
        additionalItems: false,
      },
      above: { type: 'number', minimum: 0, exclusiveMinimum: true },
      none: { type: 'string', nullable: true, enum: ['x'] },
      id: { $ref: '#/definitions/id' },
      same: { $ref: '#id' },
    },
    dependencies: { above: ['id'], none: { required: ['pair'] } },
  }
  const { capability, refused } = imported(schema)
  expect(refused).toBeUndefined()
  const { argsSchema = {} } = capability
  const faultOf = (args: JsonObject) => argumentFault({ argsSchema }, args)?.path ?? null
  expect(faultOf({ pair: ['a', 1] })).toBeNull()
  expect(faultOf({ pair: [1, 'a'] })).toBe('/pair/0')
  expect(faultOf({ pair: ['a', 1, 2] })).toBe('/pair')
  expect(faultOf({ above: 0, id: 'a' })).toBe('/above')
  expect(faultOf({ above: 1, id: 'a' })).toBeNull()
  expect(faultOf({ above: 1 })).toBe('')
  expect(faultOf({ none: null, pair: [] })).toBeNull()
  expect(faultOf({ none: 'x' })).toBe('')
  expect(faultOf({ id: 1 })).toBe('/id')
  expect(faultOf({ same: 1 })).toBe('/same')
})

test.each<[string, JsonObject, string]>([
  ['a lookahead', { a: { pattern: '^(?!x)' } }, '/properties/a/pattern'],
  ['a type that there is not', { a: { type: 'any' } }, '/properties/a/type'],
  ['a reference to another file', { a: { $ref: 'other.json#/x' } }, 'other.json#/x'],
])('what constrains and cannot be kept refuses that tool with the place: %s', (_, more, place) => {
  const { capability, refused } = imported({ properties: more })
  expect(refused).toContain(place)
  expect(capability.argsSchema).toBeUndefined()
})

test('parts that refer to each other densely are refused before they are judged', () => {
  const levels = Array.from({ length: 12 }, (_, level) => level)
  const names = Array.from({ length: 9 }, (_, name) => name)
  const part = (level: number): JsonObject => {
    if (level === 11) return { type: 'string' }
    return { anyOf: names.map((name) => ({ $ref: `#/$defs/${level + 1}-${name}` })) }
  }
  const $defs = Object.fromEntries(
    levels.flatMap((level) => names.map((name) => [`${level}-${name}`, part(level)])),
  )
  const { refused } = imported({ properties: { a: { $ref: '#/$defs/0-0' } }, $defs })
  expect(refused).toContain('ways')
})

test('of a list, what cannot be read costs only itself, and says where', () => {
  const tools = [
    { name: 'ok', description: null, annotations: null, inputSchema: { type: 'object' } },
    { name: 'none', inputSchema: null },
    { name: 'hint', annotations: { readOnlyHint: 'true' }, inputSchema: {} },
    { name: 'other', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
    { name: 'bare' },
    { name: 'text', inputSchema: 'x' },
    { description: 'no name', inputSchema: {} },
    7,
  ]
  const read = toolsOfMcp({ tools }, asked) ?? []
  expect(read.map(({ capability: { id } }) => id).slice(0, 6)).toEqual(
    words('ok none hint other bare text'),
  )
  expect(read.map(({ refused }) => refused === undefined)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect(read[3]?.capability.argsSchema).toMatchObject({ properties: { a: { type: 'string' } } })
  expect(read[4]?.notes.join()).toContain('no `inputSchema`')
  expect(read[5]?.refused).toContain('tools/5/inputSchema')
})

const operations = (paths: JsonObject, more: JsonObject = {}) => {
  return toolsOfOpenApi({ openapi: '3.1.0', info: {}, paths, ...more }) ?? []
}

test('a path that is a reference has the operations of what it names', () => {
  const paths = { '/a': { $ref: '#/components/pathItems/P' }, '/b': { $ref: 'other.yaml#/p' } }
  const pathItems = { P: { get: { operationId: 'one' }, post: { operationId: 'two' } } }
  const [one, two, lost] = operations(paths, { components: { pathItems } })
  expect([one?.capability.id, two?.capability.id]).toEqual(['one', 'two'])
  expect(lost?.refused).toContain('other.yaml#/p')
})

test('no two operations have one id', () => {
  const paths = {
    '/users/{id}': { get: {}, put: { operationId: 'set' } },
    '/users-{id}': { get: {}, put: { operationId: 'set' } },
    '/x': { get: { operationId: 'set_2' } },
  }
  const ids = operations(paths).map(({ capability: { id } }) => id)
  expect(new Set(ids).size).toBe(5)
})

test('one name in two places, and references to other files, refuse their operation alone', () => {
  const id = (place: string, type: string) => ({ name: 'id', in: place, schema: { type } })
  const paths = {
    '/a/{id}': { get: { parameters: [id('path', 'integer'), id('query', 'string')] } },
    '/b': { get: { parameters: [{ $ref: 'other.yaml#/p' }] } },
    '/c': { post: { requestBody: { $ref: 'other.yaml#/b' } } },
    '/d': { get: { parameters: [id('query', 'string')] } },
  }
  const read = operations(paths)
  expect(read.map(({ refused }) => refused ?? '')).toEqual([
    expect.stringContaining('`id`'),
    expect.stringContaining('other.yaml#/p'),
    expect.stringContaining('other.yaml#/b'),
    '',
  ])
})

test('what is refused is printed, and other documents are called by their name', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'tools.json')
  const broken = {
    name: 'b',
    inputSchema: { type: 'object', properties: { a: { pattern: '(?=a)' } } },
  }
  await writeFile(file, JSON.stringify({ tools: [{ name: 'a', inputSchema: {} }, broken] }))
  const { stdout } = await run(['catalog', 'import', file], { cwd: folder })
  expect(stdout).toContain('1 tool of')
  expect(stdout).toContain('refused: its schema cannot be kept: /properties/a/pattern')
  const swagger = join(folder, 'swagger.json')
  await writeFile(swagger, JSON.stringify({ swagger: '2.0', paths: {} }))
  expect((await run(['catalog', 'import', swagger], { cwd: folder })).stderr).toContain(
    'Swagger 2.0 is not read',
  )
  const hooks = join(folder, 'hooks.json')
  await writeFile(hooks, JSON.stringify({ openapi: '3.1.0', info: {}, webhooks: {} }))
  expect((await run(['catalog', 'import', hooks], { cwd: folder })).stderr).toContain(
    'has no `paths`, so it describes nothing that could be called',
  )
  expect((await run(['catalog', 'import', 'x.yaml'], { cwd: folder })).stderr).toContain(
    'YAML is not read',
  )
})

test('no word of a server says what is taken out of its results', async () => {
  const words = { redact: 'none', reveal: ['email'] }
  const tool = {
    ...words,
    name: 't',
    inputSchema: { type: 'object', ...words },
    annotations: { readOnlyHint: true, ...words },
    _meta: { ...words, warrant: words },
  }
  const operation = { operationId: 'o', responses: {}, ...words, 'x-redact': 'none' }
  const paths = { '/o': { get: operation, ...words } }
  const api = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths, ...words }
  const found = [
    ...(toolsOfMcp({ tools: [tool], ...words }, { acceptsHints: true }) ?? []),
    ...(toolsOfOpenApi(api) ?? []),
  ]
  expect(found.map(({ capability }) => capability.id)).toEqual(['t', 'o'])
  for (const { capability } of found) {
    expect(Object.keys(capability)).not.toContain('redact')
    expect(Object.keys(capability)).not.toContain('reveal')
  }
})
