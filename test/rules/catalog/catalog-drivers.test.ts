// Drivers are checked when they are written: what can be filled in, where secrets may stand, and
// that no argument says where a request goes or which program runs.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { completedArguments } from '#rules/catalog/arguments'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { catalogDifference } from '#rules/catalog/catalog-operations'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'

const changed = (catalog: Catalog, ...operations: unknown[]) => {
  return applyCatalogChange(catalog, z.array(CatalogOperation).parse(operations))
}

const after = (catalog: Catalog, ...operations: unknown[]): Catalog => {
  const { catalog: made, refused } = changed(catalog, ...operations)
  return made ?? expect.fail(refused.message)
}

const argsSchema = { type: 'object', properties: { to: { type: 'string' } } }
const capability = (driver: object) => ({
  op: 'put',
  collection: 'capabilities',
  entry: { id: 'send', safetyClass: 'WRITE', argsSchema, driver },
})
const set = (...value: object[]) => ({ op: 'set', key: 'servers', value })
const http = { kind: 'http', method: 'POST', url: 'https://crm.example/v1/${args:/to}' }
const mcp = { kind: 'mcp', server: 'files', tool: 'read_file' }
const files = { id: 'files', command: ['npx', 'server'], env: { TOKEN: '${secret:FILES}' } }

describe('the arguments of what a gateway runs', () => {
  const local = { kind: 'local', operation: 'send' } as const
  const properties = {
    to: { type: 'string' },
    copies: { type: 'integer', default: 1 },
    options: { type: 'object', properties: { urgent: { type: 'boolean', default: false } } },
  }
  const schema = { type: 'object', properties, required: ['to', 'copies'] }

  test.each([
    [{ to: 'ann' }, { to: 'ann', copies: 1 }],
    [
      { to: 'ann', copies: 2 },
      { to: 'ann', copies: 2 },
    ],
    [
      { to: 'ann', options: {} },
      { to: 'ann', copies: 1, options: { urgent: false } },
    ],
    // What does not meet the schema stays as it came, and is refused for that.
    [{ copies: 'many' }, { copies: 'many' }],
  ])('%j are completed to %j', (args, completed) => {
    const before = structuredClone(args)
    expect(completedArguments({ argsSchema: schema, driver: local }, args)).toEqual(completed)
    expect(args).toEqual(before)
  })

  test('stay as they are where the agent’s own program runs it', () => {
    expect(completedArguments({ argsSchema: schema }, { to: 'ann' })).toEqual({ to: 'ann' })
  })

  test('are not accepted with a default that would never be filled in', () => {
    const never = { anyOf: [{ type: 'object', properties: { a: { default: 'x' } } }] }
    const entry = { id: 'send', safetyClass: 'READ', argsSchema: never, driver: local }
    const { refused } = changed(emptyCatalog, { op: 'put', collection: 'capabilities', entry })
    expect(refused?.code).toBe('args_schema_invalid')
  })
})

describe('a driver', () => {
  test.each([
    [http, null],
    [{ ...http, headers: { Authorization: 'Bearer ${secret:CRM_TOKEN}' } }, null],
    [{ kind: 'shell', command: ['git', 'log', '${args:/to}'] }, null],
    [{ kind: 'local', operation: 'send' }, null],
    [{ ...http, url: 'https://crm.example/${args:/too}' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'https://crm.example/${args:/to' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'https://${args:/to}/v1' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'https://crm.example.${args:/to}' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'https://me:pw@crm.example/' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'file:///etc/passwd' }, 'capabilities/send/driver/url'],
    [{ ...http, url: 'https://crm.example/?k=${secret:KEY}' }, 'capabilities/send/driver/url'],
    [{ ...http, headers: { 'X-A': '${secret:lower}' } }, 'capabilities/send/driver/headers/X-A'],
    [{ ...http, headers: { 'X-A': '${env:HOME}' } }, 'capabilities/send/driver/headers/X-A'],
    [{ ...http, query: ['too'] }, 'capabilities/send/driver/query'],
    [{ kind: 'shell', command: ['${args:/to}'] }, 'capabilities/send/driver/command/0'],
    [{ kind: 'shell', command: ['a', '${secret:K}'] }, 'capabilities/send/driver/command/1'],
    [{ kind: 'shell', command: ['a'], cwd: 'here' }, 'capabilities/send/driver/cwd'],
    [{ ...mcp, server: 'file' }, 'capabilities/send/driver/server'],
  ])('%j', (driver, at) => {
    const { refused } = changed(after(emptyCatalog, set(files)), capability(driver))
    expect(refused?.at ?? null).toBe(at)
  })

  test('names a server that stays as long as it does', () => {
    const catalog = after(emptyCatalog, set(files), capability(mcp))
    expect(changed(catalog, set()).refused?.code).toBe('still_used')
    expect(changed(catalog, set(files, files)).refused?.code).toBe('server_repeated')
  })

  test('of a server takes no arguments of a call', () => {
    const server = { id: 'files', url: 'https://mcp.example/', headers: { A: '${args:/to}' } }
    expect(changed(emptyCatalog, set(server)).refused?.at).toBe('servers/0/headers/A')
  })

  test('is in the file that would make its catalog, and in the difference of two', () => {
    const catalog = after(emptyCatalog, set(files), capability(mcp))
    const file = CatalogFile.parse(catalogToFile(catalog))
    expect(catalogToFile(catalogFromFile(file).catalog ?? emptyCatalog)).toEqual(file)
    expect(catalogDifference(catalog, file, new Set(['servers']))).toEqual([])
    const between = catalogOperationsBetween(catalog, after(catalog, capability(http), set()))
    expect(between.map((one) => ('key' in one ? one.key : one.op))).toEqual(['put', 'servers'])
  })
})
