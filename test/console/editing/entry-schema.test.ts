// The form of one entry, as its JSON Schema makes it.
import { describe, expect, test } from 'vitest'
import {
  entryFields,
  jsonSchemaOf,
  keptMembers,
} from '#console/page/authoring/editing/entry-schema'
import {
  operationAt,
  schemaAt,
  valueAt,
  type CatalogList,
} from '#console/page/authoring/catalog/places'
import { CatalogFile } from '#schemas/catalog'

const schemaOf = (list: CatalogList) => jsonSchemaOf(schemaAt({ list, index: null }))
const kindsIn = (list: CatalogList, members: object = {}) => {
  const fields = entryFields(schemaOf(list), new Map(Object.entries(members)))
  return fields.map(({ name, kind }) => `${name}: ${kind}`)
}

describe('the fields of an entry', () => {
  test.each(['capabilities', 'principals', 'conditions'] as const)(
    'each have a description: %s',
    (list) => {
      const fields = entryFields(schemaOf(list), new Map())
      const said = fields.map(({ hint, options }) => hint + options.map((one) => one.hint).join(''))
      expect(said.every((text) => text.length > 10)).toBe(true)
    },
  )

  test('are of a kind that can hold what may stand there', () => {
    expect(kindsIn('principals')).toEqual([
      'id: text',
      'roles: lines',
      'attributes: json',
      'owner: text',
      'keys: lines',
      'suspended: tick',
      'via: lines',
      'passkeys: json',
      'identities: json',
      'moving: tick',
      'evaluates: json',
    ])
    const capability = kindsIn('capabilities')
    expect(capability).toContain('safetyClass: choice')
    expect(capability).toContain('minDepth: number')
    expect(capability).toContain('argsSchema: json')
  })

  test('are those of the variant that is chosen', () => {
    expect(kindsIn('conditions', { effect: 'confirm' })).toContain('question: long')
    expect(kindsIn('conditions', { effect: 'deny' })).not.toContain('question: long')
    const members = new Map<string, unknown>([
      ['effect', 'deny'],
      ['question', 'really?'],
      ['whem', 'true'],
    ])
    expect([...keptMembers(schemaOf('conditions'), members).keys()]).toEqual(['effect', 'whem'])
  })
})

const catalog = CatalogFile.parse({
  principals: [{ id: 'bot' }],
  capabilities: [
    {
      id: 'refund',
      safetyClass: 'WRITE',
      conditions: [{ name: 'large', effect: 'deny', when: 'true' }],
    },
  ],
  limits: [
    { capability: 'refund', uses: 20, windowMs: 1_000 },
    { safetyClass: 'READ', uses: 5, windowMs: 1_000 },
  ],
})

describe('the operation that writes a place', () => {
  test('puts a rule into its capability, and takes the last one away with its list', () => {
    const place = { list: 'conditions', index: 0, of: 'refund' } as const
    const value = { name: 'large', effect: 'require', when: 'false' }
    expect(valueAt(catalog, place)).toMatchObject({ name: 'large', effect: 'deny' })
    expect(operationAt(catalog, place, value)).toMatchObject({
      op: 'put',
      entry: { id: 'refund', conditions: [{ ...value, recover: 'never' }] },
    })
    const gone = operationAt(catalog, place, undefined)
    expect(gone).toMatchObject({ op: 'put', entry: { id: 'refund' } })
    expect(gone).not.toHaveProperty('entry.conditions')
  })

  test('writes a list whole, and puts or removes an entry of a collection', () => {
    const limit = { capability: 'land', uses: 1, windowMs: 1_000 }
    const { limits } = catalog
    expect(operationAt(catalog, { list: 'limits', index: 1 }, limit)).toEqual({
      op: 'set',
      key: 'limits',
      value: [limits[0], limit],
    })
    expect(operationAt(catalog, { list: 'limits', index: null }, limit)).toMatchObject({
      value: [...limits, limit],
    })
    expect(operationAt(catalog, { list: 'limits', index: 0 }, undefined)).toMatchObject({
      value: [limits[1]],
    })
    expect(operationAt(catalog, { list: 'principals', index: 0 }, undefined)).toEqual({
      op: 'remove',
      collection: 'principals',
      id: 'bot',
    })
    expect(operationAt(catalog, { whole: 'learning' }, true)).toEqual({
      op: 'set',
      key: 'learning',
      value: true,
    })
  })

  test('is null for what cannot stand there', () => {
    expect(operationAt(catalog, { list: 'limits', index: 0 }, { uses: 1 })).toBeNull()
    expect(operationAt(catalog, { whole: 'defaults' }, 4)).toBeNull()
  })
})
