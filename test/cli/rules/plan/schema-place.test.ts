// Where a file of a seed folder says that its schema is: wherever the program was installed, an
// editor finds a file there.
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { schemaPlace } from '#cli/rules/plan/schema-place'

const folder = '/srv/ann/shop/warrant'

test.each([
  ['a project', '/srv/ann/shop/node_modules/warrant-runtime'],
  ['a workspace around it', '/srv/ann/node_modules/warrant-runtime'],
  ['a clone', '/srv/ann/shop'],
])('of %s it is a path from the folder', (_, root) => {
  const place = schemaPlace(folder, 'catalog', root)
  expect(place).toMatch(/^\.\.\//)
  expect(resolve(folder, place)).toBe(`${root}/schemas/generated/catalog.json`)
})

test('of a global installation it is the address of the file', () => {
  const place = schemaPlace(folder, 'graph', '/usr/lib/node_modules/warrant-runtime')
  expect(fileURLToPath(place)).toBe(
    '/usr/lib/node_modules/warrant-runtime/schemas/generated/graph.json',
  )
})

test('of what npx has for a while it is where the project will have it', () => {
  const root = '/srv/ann/.npm/_npx/46344b/node_modules/warrant-runtime'
  expect(schemaPlace(folder, 'graph', root)).toBe(
    '../node_modules/warrant-runtime/schemas/generated/graph.json',
  )
})
