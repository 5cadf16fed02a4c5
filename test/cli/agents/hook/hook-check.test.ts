// `hook check`: every command of `cases.ndjson` gets the outcome that stands there, evasions among
// them, and the same from a log that was seeded with `seeds/shell`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { given } from '#testing/given'
import { testPublicKey } from '#testing/setup'
import { intent } from '#testing/steps'
import { checkLine, openShellSeed } from '#cli/agents/hook/check'
import { count } from '../../../support/vitest/counts.ts'
import { answersExactly } from '../../offline/program.ts'

const Case = z.strictObject({
  command: z.string(),
  cwd: z.string().optional(),
  outcome: z.enum(['allow', 'ask', 'deny']),
  why: z.string().optional(),
})
const cases = readFileSync(join(import.meta.dirname, 'cases.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Case.parse(JSON.parse(line)))

const seed = await openShellSeed()
const folder = join(import.meta.dirname, '../../../../seeds/shell')
const catalog = JSON.parse(readFileSync(join(folder, 'catalog.json'), 'utf8'))
// Whom it asks can sign.
const principals = catalog.principals.map((one: { readonly id: string }) => {
  return one.id === 'developer' ? { ...one, keys: [testPublicKey('developer')] } : one
})
const setup = {
  graph: JSON.parse(readFileSync(join(folder, 'graph.json'), 'utf8')),
  catalog: { ...catalog, principals },
  agent: 'coding-agent',
}

const check = (command: string, cwd?: string) => {
  const checked = checkLine({ command, ...(cwd !== undefined && { cwd }) }, seed)
  if ('error' in checked) throw new Error(checked.error.message)
  return checked
}

describe('hook check', () => {
  test('every case gets its outcome', () => {
    const wrong = cases.flatMap(({ command, cwd, outcome, why }) => {
      const checked = check(command, cwd)
      const isRight = checked.outcome === outcome && (why === undefined || checked.why === why)
      return isRight ? [] : [{ command, cwd, outcome, checked }]
    })
    expect(wrong).toEqual([])
    expect(cases.length).toBeGreaterThan(900)
  })

  test('a log that has this seed comes to the same', () => {
    const outcomes = { allow: 'allow', deny: 'deny', ask: 'review' }
    const start = given(setup)
    const part = cases.filter((_, at) => at % count(1, 6) === 0)
    for (const { command, cwd } of part) {
      const { outcome, concepts } = check(command, cwd)
      const args = { command, ...(cwd !== undefined && { cwd }) }
      const { verdict, review } = start.when(intent('shell.run', { args, concepts: [...concepts] }))
      const found = review === null ? verdict?.outcome : 'review'
      expect(found, command).toBe(outcomes[outcome])
    }
  })

  test('an agent that leaves the concepts out is asked about', () => {
    const { review } = given(setup).when(intent('shell.run', { args: { command: 'rm -rf /' } }))
    expect(review?.questions).toMatchObject([{ rule: 'unmapped_command' }])
  })

  test('lines go in and out as JSON', async () => {
    await answersExactly(
      ['hook', 'check'],
      [
        [{ command: '' }, '{"outcome":"allow","concepts":[]}'],
        [{ command: 'ls src', cwd: null }, '{"outcome":"allow","concepts":["read.inside"]}'],
        [
          { command: 'ls; frobnicate' },
          '{"outcome":"ask","concepts":["read.inside","unknown.command"],"why":"unknown_command"}',
        ],
        [
          { command: 'sudo rm -rf /' },
          '{"outcome":"deny","concepts":["destroy.inside","destroy.outside","privilege.raise"],' +
            '"why":"destroy_outside"}',
        ],
      ],
    )
  })

  test('what is read again and again, or has more words than anyone writes, is not read', () => {
    const isRead = (command: string) => !check(command).concepts.includes('unparsed.command')
    expect(isRead(`ls ${'a '.repeat(999)}`)).toBe(true)
    expect(isRead(`ls ${'a '.repeat(1_000)}`)).toBe(false)
    const inner = `: '${'x'.repeat(50_000)}'`
    expect(isRead(`bash -c "${inner}"`)).toBe(true)
    expect(isRead('eval '.repeat(900) + inner)).toBe(false)
  })

  test('long and deep commands are answered', () => {
    const shapes = [
      (n: number) => `${'$('.repeat(n)}ls${')'.repeat(n)}`,
      (n: number) => `${'('.repeat(n)}ls${')'.repeat(n)}`,
      (n: number) => `echo ${'{a,b}'.repeat(n)}`,
      (n: number) => 'ls;'.repeat(n),
      (n: number) => `ls ${'a '.repeat(n)}`,
      (n: number) => `${'X=$X$X;'.repeat(n)} ls $X`,
      (n: number) => 'for a in b; do '.repeat(n) + 'ls' + '; done'.repeat(n),
      (n: number) => `bash -c '${'eval '.repeat(n)} ls'`,
      (n: number) => `f() { f; f; }; ${'f;'.repeat(n)}`,
      (n: number) =>
        Array.from({ length: n }, (_, at) => `f${at}(){ f${at + 1}; f${at + 1}; };`).join('') +
        'f0',
      (n: number) => `sed '${'   p'.repeat(n)}!' a`,
      (n: number) => `sed '${'b p q 5 p {}'.repeat(n)}!' a`,
      (n: number) => `awk '${'print "'.repeat(n)}' a`,
      (n: number) => 'if a; then '.repeat(n) + 'X=1' + '; fi'.repeat(n),
    ]
    for (const shape of shapes) {
      for (const size of [10, 100, 3_000]) {
        expect(check(shape(size)).outcome, shape(3)).toMatch(/^(allow|ask|deny)$/)
      }
    }
  })
})
