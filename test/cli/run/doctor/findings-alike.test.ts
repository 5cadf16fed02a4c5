// Many streams and queues of one finding are one line of the table, and each that is not well is
// named; programs get each finding.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failure, ok, warning } from '#health/doctor/finding'
import { findingLines } from '#cli/run/doctor/run'

function textsOf(findings: Parameters<typeof findingLines>[1]): readonly string[] {
  return findingLines('the log', findings).map((line) =>
    typeof line === 'string' ? line : line.text,
  )
}

test('of many that are well there is the first and a count, of others each name', () => {
  const streams = Array.from({ length: 18 }, (_, n) => ok('intake', 'as it was made', `in-${n}`))
  const fix = 'look with more'
  const queues = ['a', 'b', 'c'].map((about) => warning('queue', 'not seen', { about, fix }))
  const torn = failure('stream', 'it is not there', { about: 'log', fix: 'make it' })
  const lines = textsOf([...streams, torn, ...queues])
  expect(lines.filter((line) => line.includes('as it was made'))).toHaveLength(1)
  expect(lines.join('\n')).toMatch(/ok +intake +in-0 and 17 more +as it was made/)
  expect(lines.join('\n')).toMatch(/warning +queue +a, b, c +not seen/)
  expect(lines).toContain('  queue of a, b, c: look with more')
  expect(lines).toContain('  stream of log: make it')
  expect(lines.at(-1)).toBe('the log: 1 failed, 3 warnings')
})

test('nothing that is not well is left out', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{4}$/), { maxLength: 9 })
  fc.assert(
    fc.property(names, names, (bad, good) => {
      const fix = 'do it'
      const all = [
        ...bad.map((about) => failure('mirror', 'short', { about, fix })),
        ...good.map((about) => ok('mirror', 'short', about)),
      ]
      const text = textsOf(all).join(' ')
      for (const name of bad) expect(text).toContain(name)
    }),
  )
})
