// A large graph in parts: few enough to draw, each small enough to draw, nothing left out, and
// always the same.
import { expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { overviewOf, partNamed } from '#present/picture/overview'
import { GraphFile } from '#schemas/graph'

/** Towns with streets: each street leads to its town, each town to the next. */
function towns(count: number, streets: number) {
  const relatum = (target: string, type = 'APPLIES_TO') => ({ type, target, targetDepth: 0 })
  const primitives = Array.from({ length: count }, (_, town) => [
    {
      name: `town ${town}`,
      depths: [{ level: 0, relata: [relatum(`town ${(town + 1) % count}`, 'INCLUDES')] }],
    },
    ...Array.from({ length: streets }, (__, street) => ({
      name: `street ${town} ${street}`,
      depths: [
        { level: 0, relata: [relatum(`town ${town}`)] },
        { level: 1, properties: { is: 'a street' } },
      ],
    })),
  ])
  return graphFromFile(GraphFile.parse({ primitives: primitives.flat() }))
}

test('towns with their streets are the parts, and what leads between them is counted', () => {
  const graph = towns(4, 23)
  const { parts, links, levels, types, apart } = overviewOf(graph)
  expect(parts.map(({ count }) => count).reduce((sum, one) => sum + one, 0) + apart).toBe(96)
  expect(parts[0]?.name).toMatch(/^town /)
  expect(levels).toEqual([
    { level: 0, count: 4 },
    { level: 1, count: 92 },
  ])
  expect(types).toEqual([
    { type: 'APPLIES_TO', count: 92 },
    { type: 'INCLUDES', count: 4 },
  ])
  for (const { from, to } of links)
    expect([from === to, from < 48, to < 48]).toEqual([false, true, true])
})

test('ten thousand concepts come to few parts, each of which can be drawn', () => {
  const graph = towns(100, 99)
  const overview = overviewOf(graph)
  const { parts, links, apart } = overview
  expect([parts.length <= 48, links.length <= 72]).toEqual([true, true])
  expect(parts.every(({ count }) => count <= 250)).toBe(true)
  const shown = parts.reduce((sum, { count }) => sum + count, 0)
  expect(shown + apart).toBe(10_000)
  expect(shown).toBeGreaterThan(9_500)
  expect(JSON.stringify(overview).length).toBeLessThan(64_000)
  const [largest] = parts
  expect(partNamed(graph, largest?.name ?? '').length).toBe(largest?.count)
  expect(overviewOf(graph)).toEqual(overview)
})

test('a name that no part has leads to nothing, and an empty graph has no parts', () => {
  expect(partNamed(towns(2, 2), 'street 0 1')).toEqual([])
  expect(overviewOf(graphFromFile({ primitives: [] }))).toMatchObject({ parts: [], apart: 0 })
})
