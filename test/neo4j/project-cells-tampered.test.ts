// Whatever a hand does to the part of a cell in a projection, a check finds it and a rebuild undoes
// it.
import { describe, expect, test } from 'vitest'
import type { ProjectionLink } from '#neo4j/driver/writes'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { asked, check, checked, project, same, stand } from './project-cells-stand.ts'
import { foundWhile, unfound as unfoundIn } from './project-tamperings.ts'
import { codeOf, testVenue } from './project-venue.ts'

describe.skipIf(!hasNeo4j)('a hand in two cells', () => {
  const { link } = testVenue()

  const byHand = (cypher: string) => link.write((run) => run(cypher))

  const intent = 'MATCH (i:Intent {cell: 1})'
  const named: readonly (readonly [string, string, object])[] = [
    ['an outcome', `${intent} SET i.outcome = 'allow'`, { of: 'intent', cell: 1, what: 'differs' }],
    ['an intent gone', `${intent} DETACH DELETE i`, { of: 'intent', cell: 1, what: 'missing' }],
    [
      'an intent moved',
      `${intent} SET i.cell = 0, i.position = 99`,
      { of: 'intent', cell: 0, what: 'extra' },
    ],
    ['an intent of no cell', `${intent} REMOVE i.cell`, { of: 'intent', what: 'missing' }],
    ['an intent more', 'CREATE (:Intent {cell: 7, position: 1})', { of: 'count', name: 'Intent' }],
    ['a cell more', 'CREATE (:Cell {cell: 2, realm: "x", from: 0, reached: 0})', { of: 'count' }],
    [
      'what a cell says',
      'MATCH (c:Cell {cell: 1}) SET c.position = 1',
      { of: 'mark', name: 'Cell 1' },
    ],
    ['a primitive', 'MATCH (p:Primitive {key: "payout"}) SET p.strict = 4', { of: 'primitive' }],
  ]

  test('a check finds whatever one thing it is, names it, and a rebuild undoes it', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    for (const cell of [0, 1]) await asked(at, cell, 'pay')
    await project(at, link)
    const inside = (within: ProjectionLink) => check(at, within)
    for (const [what, cypher, reported] of named) {
      const found = await foundWhile(link, { cypher }, inside)
      expect(found, what).toMatchObject({ standing: 'differs' })
      expect(found, what).toMatchObject({
        first: expect.arrayContaining([expect.objectContaining(reported)]),
      })
    }
    expect((await unfoundIn(link, inside)).unfound).toEqual([])
    for (const [, cypher] of named) await byHand(cypher)
    await link.auto('DROP CONSTRAINT cell_number')
    expect((await checked(at, link)).first).toContainEqual(
      expect.objectContaining({ of: 'schema', name: 'cell_number' }),
    )
    await project(at, link, { rebuild: true })
    expect(await checked(at, link)).toMatchObject(same)
  })

  test('a cell that is not there, or is another, is found and demands a rebuild', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    await byHand("MATCH (c:Cell {cell: 0}) SET c.realm = 'x-c0'")
    expect(await check(at, link)).toMatchObject({ standing: 'broken', cell: 0 })
    expect(await codeOf(project(at, link))).toBe('projection_broken')
    await byHand('MATCH (c:Cell {cell: 0}) DELETE c')
    expect(await check(at, link)).toMatchObject({ standing: 'broken', cell: 0 })
    expect(await codeOf(project(at, link))).toBe('projection_broken')
    await project(at, link, { rebuild: true })
    await byHand("MATCH (c:Cell {cell: 1}) SET c.digest = 'sha256:0', c.reached = c.reached - 1")
    expect(await check(at, link)).toMatchObject({ standing: 'other_log', cell: 1 })
    expect(await codeOf(project(at, link))).toBe('projection_strayed')
    await project(at, link, { rebuild: true })
    expect(await checked(at, link)).toMatchObject(same)
  })
})
