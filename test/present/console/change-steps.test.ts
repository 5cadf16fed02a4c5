// What a change set is shown to change: field by field against what stands, in the order of its
// operations, whatever it writes over.
import { describe, expect, test } from 'vitest'
import { catalogSteps, conceptsNamedBy, graphSteps } from '#present/console/overseeing/change-steps'
import { shownChange } from '#present/console/overseeing/member-changes'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'
import { GraphOperation, Primitive } from '#schemas/graph'

const catalog = CatalogFile.parse({
  principals: [{ id: 'bot', owner: 'ann', roles: ['reader', 'writer'], suspended: true }],
  groups: [{ id: 'people', members: ['ann', 'bob'] }],
  capabilities: [
    {
      id: 'refund',
      safetyClass: 'WRITE',
      conditions: [
        { name: 'small', effect: 'deny', when: 'args.cents < 1' },
        { name: 'large', effect: 'deny', when: 'args.cents > 100' },
      ],
    },
  ],
  learning: true,
})

const primitives = Primitive.array().parse([
  { name: 'file', depths: [{ level: 0 }, { level: 1, properties: { what: 'bytes', size: 4 } }] },
  { name: 'delete', depths: [{ level: 0, relata: [edge('APPLIES_TO', 'file')] }] },
])

function edge(type: string, target: string) {
  return { type, target, targetDepth: 1 }
}

function shownOf(...operations: readonly unknown[]) {
  return catalogSteps(catalog, CatalogOperation.array().parse(operations)).map(shownChange)
}

function graphShown(...operations: readonly unknown[]) {
  return graphSteps(primitives, GraphOperation.array().parse(operations)).map(shownChange)
}

const put = (collection: string, entry: object) => ({ op: 'put', collection, entry })

describe('a put into the catalog', () => {
  test('shows each field that it changes, and none that stays', () => {
    const [refund] = catalog.capabilities
    const [small] = refund?.conditions ?? []
    const large = { name: 'large', effect: 'deny', when: 'args.cents > 5000' }
    const entry = { ...refund, safetyClass: 'DESTRUCTIVE', conditions: [small, large] }
    expect(shownOf(put('capabilities', entry))).toEqual([
      {
        how: 'changed',
        members: [
          { at: 'safetyClass', before: 'WRITE', now: 'DESTRUCTIVE' },
          { at: 'conditions.large.when', before: 'args.cents > 100', now: 'args.cents > 5000' },
        ],
      },
    ])
  })

  test('that takes out the first of a list shows that one alone', () => {
    const entry = { id: 'people', members: ['bob', 'cid'] }
    expect(shownOf(put('groups', entry))[0]?.members).toEqual([
      { at: 'members.ann', before: 'ann', now: null },
      { at: 'members.cid', before: null, now: 'cid' },
    ])
  })

  test('that only turns the order of a list shows the places', () => {
    const entry = { id: 'people', members: ['bob', 'ann'] }
    expect(shownOf(put('groups', entry))[0]).toMatchObject({
      how: 'changed',
      members: [{ at: 'members.0' }, { at: 'members.1' }],
    })
  })

  test('of what is there as it is written changes nothing', () => {
    expect(shownOf(put('groups', catalog.groups[0] ?? {}))).toEqual([{ how: 'same', members: [] }])
  })

  test('lifts no suspension', () => {
    const entry = { id: 'bot', owner: 'ann', roles: ['reader'], suspended: false }
    expect(shownOf(put('principals', entry))[0]?.members).toEqual([
      { at: 'roles.writer', before: 'writer', now: null },
    ])
  })

  test('is shown against what an operation before it leaves', () => {
    const before = put('groups', { id: 'people', members: ['ann'] })
    const after = put('groups', { id: 'people', members: ['ann', 'dora'] })
    const gone = { op: 'remove', collection: 'groups', id: 'people' }
    expect(shownOf(before, after)[1]?.members).toEqual([
      { at: 'members.dora', before: null, now: 'dora' },
    ])
    expect(shownOf(gone, after).map(({ how }) => how)).toEqual(['removed', 'added'])
  })
})

test('what is removed is shown whole, and what is not there is removed by nothing', () => {
  const [gone, none] = shownOf(
    { op: 'remove', collection: 'groups', id: 'people' },
    { op: 'remove', collection: 'groups', id: 'no-one' },
  )
  expect(gone).toEqual({
    how: 'removed',
    members: [{ at: '', before: '{"id":"people","members":["ann","bob"]}', now: null }],
  })
  expect(none?.how).toBe('same')
})

test('a setting is shown from what to what, and a suspension too', () => {
  const shown = shownOf(
    { op: 'set', key: 'learning', value: false },
    { op: 'set', key: 'defaults', value: { maxRows: 5 } },
    { op: 'unsuspend', id: 'bot' },
  )
  expect(shown.map(({ how }) => how)).toEqual(['changed', 'added', 'changed'])
  expect(shown[0]?.members).toEqual([{ at: '', before: 'true', now: 'false' }])
  expect(shown[2]?.members).toEqual([{ at: 'suspended', before: 'true', now: 'false' }])
})

describe('a change of the graph', () => {
  test('that describes a level again shows what of it stays no more', () => {
    const properties = { what: 'bytes with a name' }
    expect(graphShown({ op: 'describe', name: 'File', level: 1, properties })).toEqual([
      {
        how: 'changed',
        members: [
          { at: 'depths.D1.properties.what', before: 'bytes', now: 'bytes with a name' },
          { at: 'depths.D1.properties.size', before: '4', now: null },
        ],
      },
    ])
  })

  test('shows edges by where they lead, and a name that is another', () => {
    const relatum = edge('REQUIRES', 'file')
    const [relate, unrelate, rename, erase] = graphShown(
      { op: 'relate', name: 'delete', level: 0, relatum },
      { op: 'unrelate', name: 'delete', level: 0, type: 'APPLIES_TO', target: 'FILE' },
      { op: 'rename', name: 'delete', to: 'erase' },
      { op: 'erase', name: 'erase', level: 0 },
    )
    expect(relate?.members).toMatchObject([{ at: 'depths.D0.relata.REQUIRES file', before: null }])
    expect(unrelate?.members).toMatchObject([{ at: 'depths.D0.relata.APPLIES_TO file', now: null }])
    expect(rename?.members).toEqual([{ at: 'name', before: 'delete', now: 'erase' }])
    expect(erase?.members).toMatchObject([{ at: 'depths.D0', now: null }])
  })

  test('names the concepts that it says something of once each', () => {
    const twice = GraphOperation.array().parse([
      { op: 'add', name: 'moon' },
      { op: 'describe', name: 'moon', level: 0, properties: {} },
    ])
    expect(conceptsNamedBy(twice)).toEqual(['moon'])
    expect(graphSteps([], twice).map((step) => shownChange(step).how)).toEqual(['added', 'changed'])
  })
})
