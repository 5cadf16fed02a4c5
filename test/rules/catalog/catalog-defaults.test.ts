// What a catalog sets of the built-in rules: read, refused with its place, written back, compared,
// and carried from one era to the next.
import { describe, expect, test } from 'vitest'
import { CatalogFile } from '#schemas/catalog'
import { builtInRules } from '#schemas/rules/built-in'
import { excessOver, overlaid } from '#authoring/changes/overlay'
import type { Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogChanges, catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { catalogDifference } from '#rules/catalog/catalog-operations'
import { catalogText } from '#state/eras/genesis'

function catalogOf(file: object): Catalog {
  const { catalog, refused } = catalogFromFile(file)
  if (catalog === undefined) throw new Error(refused.message)
  return catalog
}

const defaults = { rolesFor: { WRITE: ['editor'] }, tenantFor: [] }

describe('a file', () => {
  test.each([
    [{ rolesfor: {} }, 'defaults', 'no such key: `rolesfor`; did you mean `rolesFor`?'],
    [{ rolesFor: { WRTE: [] } }, 'defaults/rolesFor', 'did you mean `WRITE`?'],
    [{ rolesFor: { WRITE: 'x' } }, 'defaults/rolesFor/WRITE', '[] where none is needed'],
    [{ rolesFor: { WRITE: null } }, 'defaults/rolesFor/WRITE', '[] where none is needed'],
    [{ tenantFor: ['PPI'] }, 'defaults/tenantFor/0', 'one of PII, PCI'],
    [{ tenantFor: ['NONE'] }, 'defaults/tenantFor/0', 'one of PII, PCI'],
    [{ justificationFor: null }, 'defaults/justificationFor', '[] where none is needed'],
    [{ justificationCharacters: 0 }, 'defaults/justificationCharacters', '`justificationFor: []`'],
    [{ justificationCharacters: 1.5 }, 'defaults/justificationCharacters', 'a whole number'],
    [{ maxRows: 0 }, 'defaults/maxRows', ''],
    [{ limits: { READ: { uses: 5 } } }, 'defaults/limits/READ/windowMs', ''],
    [{ serviceFactor: 101 }, 'defaults/serviceFactor', 'from 1 to 100'],
  ])('with %j is refused at %s', (wrong, at, message) => {
    const { refused } = catalogFromFile({ defaults: wrong })
    expect(refused).toMatchObject({ code: 'catalog_invalid', at })
    expect(refused?.message).toContain(message)
  })

  test('holds what is set, and nothing where nothing is', () => {
    expect(catalogToFile(catalogOf({ defaults })).defaults).toEqual(defaults)
    expect(catalogToFile(catalogOf({}))).not.toHaveProperty('defaults')
    expect(catalogToFile(catalogOf({ defaults: {} }))).not.toHaveProperty('defaults')
  })

  test('that says every rule as it is built in comes to the same', () => {
    expect(catalogOf({ defaults: builtInRules }).defaults).toEqual(builtInRules)
  })
})

describe('a change', () => {
  const plain = catalogOf({})
  const set = catalogOf({ defaults })

  test('is reported by its key, and back again', () => {
    expect(catalogChanges(plain, set)).toEqual([
      { collection: null, id: 'defaults', before: {}, after: defaults },
    ])
    for (const [from, to] of [
      [plain, set],
      [set, plain],
    ] as const) {
      const operations = catalogOperationsBetween(from, to)
      expect(operations).toEqual([{ op: 'set', key: 'defaults', value: to.defaults }])
      expect(applyCatalogChange(from, operations).catalog?.defaults).toEqual(to.defaults)
    }
  })

  test('is made by a file that names it, and by no other', () => {
    const none = CatalogFile.parse({})
    const named = new Set(['defaults'])
    expect(catalogDifference(set, none, new Set())).toEqual([])
    expect(catalogDifference(set, none, named)).toEqual([{ op: 'set', key: 'defaults', value: {} }])
    expect(catalogDifference(plain, none, named)).toEqual([])
    expect(catalogDifference(set, CatalogFile.parse({ defaults }), named)).toEqual([])
  })

  test('of the conditions goes with a file that names them as none', () => {
    const conditions = [{ name: 'a', when: 'true', effect: 'deny' }]
    const ruled = catalogOf({ conditions })
    const gone = catalogDifference(ruled, CatalogFile.parse({}), new Set(['conditions']))
    expect(gone).toEqual([{ op: 'set', key: 'conditions', value: [] }])
  })

  test('takes a list from the file as it is, and keeps the rules that the file lacks', () => {
    const stored = { defaults: { rolesFor: { WRITE: ['writer'] }, maxRows: 5 } }
    const file = { defaults: { rolesFor: { WRITE: ['editor'] } } }
    const over = overlaid(stored, file)
    expect(over).toEqual({ defaults: { rolesFor: { WRITE: ['editor'] }, maxRows: 5 } })
    expect(excessOver(over, file)).toEqual([{ path: ['defaults', 'maxRows'], value: 5 }])
  })
})

test('the text of a catalog has what is set, and is as ever where nothing is', () => {
  expect(catalogText(catalogOf({ defaults }))).toContain('"defaults":{"rolesFor"')
  expect(catalogText(catalogOf({}))).not.toContain('defaults')
})
