// Tools that others describe become proposals: nothing is signed, and what may destroy never passes
// for reading.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { argumentFault } from '#rules/catalog/arguments'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { edgeCall } from '#rules/catalog/doors/edge-call'
import { listTools } from '#client/catalog/define'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { toolsOfOpenApi } from '#cli/rules/catalog/tools/propose'
import { proposedAtEdge, proposedLike } from '#cli/rules/catalog/tools/proposed'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const mcpClass = (name: string, annotations: object | undefined, acceptsHints: boolean) => {
  const tools = [{ name, ...(annotations !== undefined && { annotations }) }]
  const [one] = toolsOfMcp({ tools }, { acceptsHints }) ?? []
  return one?.capability.safetyClass
}

test.each([{ readOnlyHint: true }, { destructiveHint: false }, undefined])(
  'no hint makes a class milder unless a person accepts hints: %j',
  (annotations) => {
    expect(mcpClass('read_file', annotations, false)).toBe('DESTRUCTIVE')
    expect(mcpClass('add_note', annotations, false)).toBe('DESTRUCTIVE')
  },
)

describe('the class of a tool of MCP, where hints are accepted', () => {
  test.each([
    ['read_file', undefined, 'DESTRUCTIVE'],
    ['read_file', { readOnlyHint: true }, 'READ'],
    ['get_order', { readOnlyHint: true }, 'READ'],
    ['read_file', { readOnlyHint: false }, 'DESTRUCTIVE'],
    ['read_file', { readOnlyHint: true, destructiveHint: true }, 'DESTRUCTIVE'],
    ['add_note', { destructiveHint: false }, 'WRITE'],
    ['delete_file', { destructiveHint: false }, 'DESTRUCTIVE'],
    ['deleteFile', { readOnlyHint: true }, 'DESTRUCTIVE'],
    ['order_pizza', { readOnlyHint: true }, 'DESTRUCTIVE'],
    ['send_email', { readOnlyHint: true }, 'WRITE'],
  ])('%s %j is %s', (name, annotations, safetyClass) => {
    expect(mcpClass(name, annotations, true)).toBe(safetyClass)
  })
})

const inputSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
}

test('a tool of MCP keeps its schema, closed, and one that cannot be kept is refused', () => {
  const broken = { name: 'b', inputSchema: { type: 'nothing' } }
  const open = { name: 'o', inputSchema: { ...inputSchema, additionalProperties: true } }
  const result = {
    jsonrpc: '2.0',
    id: 1,
    result: { tools: [{ name: 'a', inputSchema }, broken, open] },
  }
  const [one, two, three] = toolsOfMcp(result, { acceptsHints: false }) ?? []
  const { $schema: _, ...schema } = inputSchema
  expect(one?.capability.argsSchema).toEqual({ ...schema, additionalProperties: false })
  expect(two?.capability.argsSchema).toBeUndefined()
  expect(two?.refused).toContain('its schema cannot be kept: /type')
  expect(three?.capability.argsSchema).toMatchObject({ additionalProperties: true })
})

test('the tools of a program with schemas in zod are proposed as those of a server', () => {
  const args = z.object({ path: z.string() })
  const listed = listTools({ read_file: { description: 'Reads.', args }, now: {} })
  const [one, two] = toolsOfMcp(structuredClone(listed), { acceptsHints: false }) ?? []
  expect(one?.capability).toMatchObject({
    id: 'read_file',
    safetyClass: 'DESTRUCTIVE',
    argsSchema: { properties: { path: { type: 'string' } }, additionalProperties: false },
    imported: { from: 'zod', tool: 'read_file' },
  })
  expect(two?.capability.argsSchema).toMatchObject({ additionalProperties: false })
  const other = listTools({ read_file: { description: 'Reads!', args } })
  const [changed] = toolsOfMcp(structuredClone(other), { acceptsHints: false }) ?? []
  expect(changed?.capability.imported.digest).not.toBe(one?.capability.imported.digest)
})

const openApi = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { operationId: 'getOrder', summary: 'One order' },
      delete: { operationId: 'deleteOrder' },
      put: {
        operationId: 'replaceOrder',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
      },
    },
    '/orders': {
      get: {
        parameters: [
          {
            name: 'limit',
            in: 'query',
            schema: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
      },
      post: { operationId: 'cancelAll' },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Order: {
        type: 'object',
        properties: {
          note: { type: 'string', nullable: true },
          part: { $ref: '#/components/schemas/Order' },
        },
      },
    },
  },
}

test('operations of OpenAPI become tools, by method, name and parameters', () => {
  const tools = toolsOfOpenApi(openApi) ?? []
  const classes = tools.map(({ capability: { id, safetyClass } }) => `${id} ${safetyClass}`)
  expect(classes).toEqual([
    'getOrder READ',
    'replaceOrder WRITE',
    'deleteOrder DESTRUCTIVE',
    'get_orders READ',
    'cancelAll DESTRUCTIVE',
  ])
  const [get, put, , list] = tools.map(({ capability }) => capability.argsSchema)
  expect(get).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] })
  const limit = { type: 'integer', exclusiveMinimum: 0 }
  expect(list?.['properties']).toEqual({ limit, 'X-Trace': { type: 'string' } })
  expect(put).toMatchObject({
    properties: { body: { $ref: '#/$defs/Order' } },
    required: ['id', 'body'],
    additionalProperties: false,
    $defs: {
      Order: {
        properties: { note: { type: ['string', 'null'] }, part: { $ref: '#/$defs/Order' } },
      },
    },
  })
})

describe('an operation of OpenAPI, for a proxy', () => {
  const requestsOf = (document: object) => {
    const written = JSON.stringify({ ...openApi, ...document })
    const tools = toolsOfOpenApi(JSON.parse(written)) ?? []
    return tools.map((tool) => proposedAtEdge(tool)?.capability.requests)
  }

  test('has the requests that are calls of it, and what a proxy knows of one', () => {
    expect(requestsOf({})).toEqual([
      [{ method: 'GET', path: '/orders/{id}' }],
      [{ method: 'PUT', path: '/orders/{id}' }],
      [{ method: 'DELETE', path: '/orders/{id}' }],
      [{ method: 'GET', path: '/orders' }],
      [{ method: 'POST', path: '/orders' }],
    ])
    const [get] = (toolsOfOpenApi(openApi) ?? []).map(proposedAtEdge)
    expect(get).toMatchObject({ notes: ['READ: it is GET'] })
    const { id, safetyClass, argsSchema = {}, requests = [] } = get?.capability ?? expect.fail()
    const capability = { id, safetyClass, argsSchema, requests: [...requests] }
    const { catalog = emptyCatalog, refused } = catalogFromFile({ capabilities: [capability] })
    expect(refused).toBeUndefined()
    const at = { method: 'GET', host: 'shop.example', path: '/orders/17' }
    expect(edgeCall(catalog, at)).toEqual({ tool: 'getOrder', params: { id: '17' } })
    const known = catalog.capabilities.get('getOrder') ?? expect.fail()
    const args = { ...at, params: { id: '17' }, query: { page: ['1', '2'] } }
    expect(argumentFault(known, args)).toBeNull()
    expect(argumentFault(known, { ...args, params: {} })).not.toBeNull()
    expect(argumentFault(known, { ...args, body: {} })).not.toBeNull()
  })

  test.each([
    ['no server', undefined, ['/a/{x_y}']],
    ['a path', [{ url: '/v1/' }], ['/v1/a/{x_y}']],
    ['a host', [{ url: 'https://api.example:8443/v2' }, { url: '/v2' }], ['/v2/a/{x_y}']],
    ['two paths', [{ url: '/v1' }, { url: 'https://x.example' }], ['/v1/a/{x_y}', '/a/{x_y}']],
    ['variables', [{ url: 'https://{zone}.example/v1' }], ['/a/{x_y}']],
    ['nothing that can be read', 'v1', ['/a/{x_y}']],
  ])('begins with the paths of its servers: %s', (_, servers, paths) => {
    const found = requestsOf({ servers, paths: { '/a/{x-y}': { get: {} } } })
    expect(found).toEqual([paths.map((path) => ({ method: 'GET', path }))])
    const own = { '/a/{x-y}': { servers: [{ url: '/zzz' }], get: { servers: servers ?? [] } } }
    const nearest = requestsOf({ servers: [{ url: '/far' }], paths: own })
    expect(nearest).toEqual(servers === undefined ? [[{ method: 'GET', path: '/a/{x_y}' }]] : found)
  })

  test('is looked at again as it was imported', () => {
    const [tool = expect.fail()] = toolsOfOpenApi(openApi) ?? []
    const again = proposedLike({ requests: [{ method: 'GET', path: '/orders/{id}' }] }, tool)
    expect(again.capability.argsSchema).toEqual(tool.edge?.argsSchema)
    expect(proposedLike({}, tool)).toBe(tool)
  })

  test.each(['/files/{name}.json', '/a/', '/a//b', '/{1}', '/ü'])(
    'has none where `%s` cannot be mapped, which is noted',
    (path) => {
      const [tool] = toolsOfOpenApi({ ...openApi, paths: { [path]: { get: {} } } }) ?? []
      const proposed = tool === undefined ? null : proposedAtEdge(tool)
      expect(proposed?.capability).not.toHaveProperty('requests')
      expect(proposed?.notes.at(-1)).toBe(
        `a proxy cannot be asked about \`${path}\`: write its \`requests\` yourself`,
      )
    },
  )
})

describe('warrant catalog import', () => {
  let cwd = ''
  beforeEach(async () => {
    cwd = await temporaryFolder()
    await writeFile(
      join(cwd, 'tools.json'),
      JSON.stringify({ tools: [{ name: 'a', inputSchema }] }),
    )
  })

  test('prints what it would add and why, without a log or a key', async () => {
    const ran = await run(['catalog', 'import', 'tools.json'], { cwd, isBare: true })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('1 tool of tools.json: a proposal; nothing was written')
    expect(ran.stdout).toContain('a  DESTRUCTIVE: its server does not say that it only reads')
    const proposed = JSON.parse(ran.stdout.slice(ran.stdout.indexOf('{')))
    expect(proposed.capabilities).toMatchObject([{ id: 'a', safetyClass: 'DESTRUCTIVE' }])
  })

  test('maps the requests of an OpenAPI document, and of nothing else', async () => {
    await writeFile(join(cwd, 'shop.json'), JSON.stringify(openApi))
    const importing = ['catalog', 'import', '--requests']
    const ran = await run([...importing, 'shop.json'], { cwd, isBare: true })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const proposed = JSON.parse(ran.stdout.slice(ran.stdout.indexOf('{\n')))
    expect(proposed.capabilities[0]).toMatchObject({
      id: 'getOrder',
      requests: [{ method: 'GET', path: '/orders/{id}' }],
      imported: { from: 'openapi' },
    })
    expect(catalogFromFile(proposed).refused).toBeUndefined()
    await writeFile(join(cwd, 'catalog.json'), '{}')
    for (const file of ['tools.json', 'catalog.json']) {
      const other = await run([...importing, file], { cwd, isBare: true })
      expect(other.code).toBe(2)
      expect(other.stderr).toContain('leave --requests out')
    }
  })

  test('writes what a folder lacks into its catalog, which then can be planned', async () => {
    expect((await run(['init'], { cwd })).code).toBe(0)
    const args = ['catalog', 'import', 'tools.json', '--into', 'warrant', '--json']
    const tried = await run([...args, '--dry-run'], { cwd, isBare: true })
    expect(JSON.parse(tried.stdout)).toMatchObject({ added: [{}], into: null })
    const first = JSON.parse((await run(args, { cwd, isBare: true })).stdout)
    expect(first).toMatchObject({ added: [{ capability: { id: 'a' } }], left: 0 })
    const again = JSON.parse((await run(args, { cwd, isBare: true })).stdout)
    expect(again).toMatchObject({ added: [], left: 1 })
    const catalog = JSON.parse(await readFile(join(cwd, 'warrant/catalog.json'), 'utf8'))
    expect(catalog.capabilities).toHaveLength(2)
    expect(catalog.$schema).toContain('catalog.json')
    const planned = await run(['plan', 'warrant', '--check'], { cwd })
    expect(planned).toMatchObject({ code: 5, stderr: '' })
    expect(planned.stdout).toContain('+ capability a')
  })
})
