// The commands on finished work as programs, on files of cases: every answer to the letter, its
// keys in the order that is promised.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#services/cli/opening/package-root'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { warrant } from '../offline/program.ts'

const Vector = z.strictObject({ given: z.unknown(), answer: z.unknown() })

/** The cases of a file: what is given, and the text of the answer or the code of the error. */
async function vectorsIn(name: string) {
  const text = await readFile(join(packageRoot(), 'test/core/work', name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => Vector.parse(JSON.parse(line)))
}

test.each([
  [['score'], 'score.ndjson', 191],
  [['standing', '--replay'], 'standing.ndjson', 215],
  [['council'], 'council.ndjson', 232],
  [['url-check'], 'urls.ndjson', 802],
  [['prose-check'], 'prose.ndjson', 519],
])('%j answers the cases of %s', async (args, name, casesMin) => {
  const vectors = await vectorsIn(name)
  expect(vectors.length).toBeGreaterThanOrEqual(casesMin)
  const input = vectors.map(({ given }) => `${JSON.stringify(given)}\n`).join('')
  const { code, answers, reported } = await warrant(args, input)
  const lines = answers.trim().split('\n')
  expect(lines.length).toBe(vectors.length)
  const wrong = vectors.flatMap(({ given, answer }, index) => {
    const line = lines[index] ?? ''
    const expected = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const found = typeof answer === 'string' ? JSON.parse(line).error?.code : line
    return found === expected ? [] : [{ line: index + 1, given, expected, answered: line }]
  })
  expect(wrong).toEqual([])
  expect({ code, reported }).toEqual({ code: 6, reported: '' })
})
