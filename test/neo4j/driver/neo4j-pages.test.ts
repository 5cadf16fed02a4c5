// Pages come one after the other until one is not full: no row is left out and none comes twice.
import { expect, test } from 'vitest'
import type { CypherRow, RunCypher } from '#neo4j/driver/link'
import { inPages } from '#neo4j/driver/held'

/** Rows with these keys, asked for as a query would be. */
function table(keys: readonly (number | string)[]) {
  let pages = 0
  const run: RunCypher = (_, { after, pageMax } = {}) => {
    pages += 1
    const begin = keys.findIndex((key) => Number(key) > Number(after))
    const rest = begin < 0 ? [] : keys.slice(begin, begin + Number(pageMax))
    return Promise.resolve(rest.map((key): CypherRow => ({ page: key })))
  }
  return { run, asked: () => pages }
}

test.each([
  { rows: 0, pages: 1 },
  { rows: 499, pages: 1 },
  { rows: 500, pages: 2 },
  { rows: 501, pages: 2 },
  { rows: 1_000, pages: 3 },
])('$rows rows come in $pages pages', async ({ rows, pages }) => {
  const numbers = Array.from({ length: rows }, (_, index) => index)
  for (const [keys, after] of [[numbers, -1] as const, [numbers.map(String), '-1'] as const]) {
    const { run, asked } = table(keys)
    const found: unknown[] = []
    for await (const row of inPages(run, 'MATCH', {}, after)) found.push(row['page'])
    expect(found).toEqual(keys)
    expect(asked()).toBe(pages)
  }
})
