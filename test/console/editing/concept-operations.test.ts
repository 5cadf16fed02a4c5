// The operations that are signed for a concept lead from what stands to what was written.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, jsonOf } from '#record/canonical'
import { primitiveLeft } from '#present/console/overseeing/change-steps'
import { Primitive, relationTypes, type GraphOperation } from '#schemas/graph'
import { conceptOperations, operationsOn } from '#authoring/changes/concept-operations'

const properties = fc.dictionary(fc.constantFrom('what', 'how'), fc.constantFrom('a', 'b', 4))
const relatum = fc.record({
  type: fc.constantFrom(...relationTypes.slice(0, 2)),
  target: fc.constantFrom('file', 'File', 'folder'),
  targetDepth: fc.constantFrom(0, 1),
})
const depths = fc.uniqueArray(
  fc.record({
    level: fc.integer({ min: 0, max: 4 }),
    properties,
    relata: fc.array(relatum, { maxLength: 4 }),
  }),
  { selector: ({ level }) => level, maxLength: 5 },
)
const concept = (name: string) => depths.map((all) => Primitive.parse({ name, depths: all }))

function left(before: Primitive | null, operations: readonly GraphOperation[]): Primitive | null {
  return operations.reduce<Primitive | null>((one, next) => primitiveLeft(next, one), before)
}

/** Levels are in order, and edges in none. */
function saidBy(one: Primitive | null): unknown {
  if (one === null) return null
  const all = one.depths.toSorted((a, b) => a.level - b.level)
  return {
    name: one.name,
    depths: all.map(({ relata, ...rest }) => {
      const edges = relata.map((edge) => canonical(jsonOf({ ...edge, target: folded(edge) })))
      return { ...rest, relata: edges.toSorted() }
    }),
  }
}

function folded({ target }: { readonly target: string }): string {
  return target.toLowerCase()
}

describe('the operations of what is written of a concept', () => {
  test('leave behind what was written, whatever stood there and is called', () => {
    const before = fc.oneof(fc.constant(null), concept('ledger'))
    const after = fc.oneof(concept('ledger'), concept('Ledger'), concept('book'))
    fc.assert(
      fc.property(before, after, (one, other) => {
        const operations = conceptOperations(one, other)
        expect(saidBy(left(one, operations))).toEqual(saidBy(other))
        expect(operationsOn(one?.name ?? other.name, operations)).toEqual(operations)
      }),
    )
  })

  test('are none where nothing differs', () => {
    fc.assert(
      fc.property(concept('ledger'), (one) => {
        expect(conceptOperations(one, one)).toEqual([])
      }),
    )
  })

  test('are those about the concept, whatever it is called in between, and no others', () => {
    const of: GraphOperation[] = [
      { op: 'rename', name: 'ledger', to: 'book' },
      { op: 'describe', name: 'Book', level: 1, properties: {} },
    ]
    const others: GraphOperation[] = [{ op: 'add', name: 'ledger' }]
    expect(operationsOn('Ledger', [...of, ...others])).toEqual(of)
  })
})
