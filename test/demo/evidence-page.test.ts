// The page of what was counted of recorded work: it is made of the figures that are kept, README
// says no others, and those of data that is in the repository are counted here again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evidencePage, figuresFile, figuresIn, pageFile } from '../../bench/evidence/page.ts'
import { placeOf, tables } from '../../bench/evidence/tables.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const figures = figuresIn(read(figuresFile))

test('the page is made of the figures that were counted last', () => {
  expect(read(pageFile)).toBe(evidencePage(figures))
})

test('README names no other figures than the page', () => {
  const rows = read('README.md').match(/^\| .*\d of \d.*$/gm) ?? []
  expect(rows).toHaveLength(3)
  const counted = Object.values(figures).flat().join('\n')
  for (const [, count = '', of = ''] of rows.join('\n').matchAll(/(\d+) of (\d+)/g)) {
    const said = new RegExp(
      `\\b${count} (?:allowed|stopped)\\b.* of ${of}$|, ${count} of ${of} `,
      'm',
    )
    expect(counted).toMatch(said)
  }
})

const here = tables.filter(({ folder }) => folder === undefined)

test.each(here)('what is in the repository comes to what the page says: $title', async (table) => {
  expect(await table.count(placeOf(table, undefined) ?? '')).toEqual(figures[table.id])
})
