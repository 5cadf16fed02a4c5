// The commands on finished work as programs, on files of cases: every answer to the letter, its
// keys in the order that is promised.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { warrant } from '../../offline/program.ts'

const Vector = z.strictObject({ given: z.unknown(), answer: z.unknown() })

/** The cases of a file: what is given, and the text of the answer or the code of the error. */
async function vectorsIn(name: string) {
  const text = await readFile(join(packageRoot(), 'test/work', name), 'utf8')
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
  [['prose-check'], 'prose.ndjson', 524],
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

test.each([
  [
    ['council'],
    '{"seats":1,"replies":["{\\"verdict\\":\\"approve\\"}"]}',
    '{"seats":1,"replies":[]}',
  ],
  [['url-check'], '{"url":"https://a.example"}', '{"url":"https://localhost"}'],
  [['prose-check'], '{"text":"a","taskType":"custom"}', '{"text":"a","taskType":"writing"}'],
])('%j ends with 3 under --fail if a line does not pass, else with 0', async (args, good, bad) => {
  expect(await warrant([...args, '--fail'], `${good}\n`)).toMatchObject({ code: 0 })
  expect(await warrant([...args, '--fail'], `${good}\n${bad}\n`)).toMatchObject({ code: 3 })
  expect(await warrant([...args, '--fail'], `${bad}\n{}\n`)).toMatchObject({ code: 6 })
  expect(await warrant(args, `${bad}\n`)).toMatchObject({ code: 0 })
})

test('prose-check --details has the line and the matter of a finding, in this order', async () => {
  const text = '# A\n\nsee section B, of 2009-01-01\n\n# C'
  const checks = ['no_empty_sections', 'cross_refs_resolve', 'dates_valid', 'url_reachable']
  const now = '2026-01-01'
  const given = `${JSON.stringify({ text, checks, now })}\n`
  const { answers } = await warrant(['prose-check', '--details'], given)
  expect(answers.trim()).toBe(
    '{"passed":false,"failures":[' +
      '{"check":"no_empty_sections","detail":"empty_section","line":5,"about":"C"},' +
      '{"check":"cross_refs_resolve","detail":"unresolved_reference","line":3,"about":"B"}],' +
      '"warnings":[{"check":"dates_valid","detail":"date_past","line":3,"about":"2009-01-01"},' +
      '{"check":"url_reachable","detail":"not_checked"}]}',
  )
})
