// What gates find and come to: only `fail` refutes, and what proves nothing is no success.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContract } from '#work/verification/contract-reading'
import { filesGate } from '#work/verification/files-gate'
import { conclusionOf, gateResult, type GateOutcome } from '#work/verification/gates'
import { coversPath } from '#work/verification/path-pattern'
import { linkTarget, type LeftOutEntry } from '#work/verification/snapshot'
import { isSteering } from '#work/verification/steering'
import { grammarOf } from '#work/verification/syntax-gate'
import { TaskClaim } from '#schemas/work/contract'

const gates = (...outcomes: readonly GateOutcome[]) => {
  return outcomes.map((outcome) => gateResult('files', outcome))
}

test.each<[readonly GateOutcome[], string]>([
  [[], 'unverified'],
  [['skipped', 'skipped'], 'unverified'],
  [['pass', 'skipped'], 'verified'],
  [['pass', 'inconclusive'], 'unverified'],
  [['pass', 'error'], 'unverified'],
  [['pass', 'error', 'fail'], 'refuted'],
  [['inconclusive', 'fail'], 'refuted'],
])('%j is %s', (outcomes, verification) => {
  expect(conclusionOf(gates(...outcomes)).verification).toBe(verification)
})

test('a council that no model could ask leaves the work unverified', () => {
  const council = gateResult('council', 'skipped', { code: 'no_model' })
  expect(conclusionOf([...gates('pass'), council]).verification).toBe('unverified')
})

test('the first gate that fails is named, with its layer', () => {
  const failed = [gateResult('files', 'pass'), gateResult('structure', 'fail')]
  expect(conclusionOf(failed)).toMatchObject({ gateFailed: 'structure', layerFailed: 'structural' })
})

test.each([
  ['*.py', 'a.py', true],
  ['*.py', 'a/b.py', false],
  ['**/*.py', 'a.py', true],
  ['**/*.py', 'a/b/c.py', true],
  ['a/**', 'a/b', true],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/y', false],
  ['[ab].?', 'b.c', true],
  ['[a-c]x', 'bx', true],
  ['[!a]x', 'ax', false],
  ['[x', '[x', true],
  ['a*b*c', 'aXbYbc', true],
  ['a*b*c', 'aXbYb', false],
  ['?', '😀', true],
])('%s on %s is %s', (pattern, path, covered) => {
  expect(coversPath(pattern, path)).toBe(covered)
})

test('patterns that are written to take long are answered', () => {
  // Tried in each way that there is, the sun would be out before.
  expect(coversPath('a*'.repeat(500), 'a'.repeat(1_000))).toBe(true)
  expect(coversPath('**/'.repeat(300) + 'z', 'a/'.repeat(500) + 'b')).toBe(false)
})

test('a pattern of plain characters covers itself alone', () => {
  const plain = fc.stringMatching(/^[a-z./]{1,20}$/)
  fc.assert(fc.property(plain, plain, (one, other) => coversPath(one, other) === (one === other)))
})

const file = (bytes: number) => ({ bytes, digest: 'sha256:0', isExecutable: false })
const none: readonly LeftOutEntry[] = []

test.each([
  [{ requiredFiles: ['a.py'] }, [], 'pass', []],
  [{ requiredFiles: ['b.py'] }, [], 'fail', ['missing']],
  [{ requiredFiles: ['empty.py'] }, [], 'fail', ['empty']],
  [{ requiredFiles: ['*.py'] }, [], 'fail', ['empty']],
  [{ requiredFiles: ['a.py'], minFileSize: 3 }, [], 'pass', []],
  [{ requiredFiles: ['a.py'], minFileSize: 4 }, [], 'fail', ['too_small']],
  [{ requiredFiles: ['out'] }, [], 'fail', ['link_outside']],
  [{ requiredFiles: ['folder'] }, [], 'fail', ['missing']],
  [{}, [], 'skipped', []],
  [{}, ['a.py'], 'pass', []],
  [{}, ['b.py'], 'fail', ['claimed_missing']],
  [{}, ['/etc/passwd'], 'fail', ['claimed_outside']],
  [{}, ['../a.py'], 'fail', ['claimed_outside']],
  [{}, ['empty.py'], 'fail', ['empty']],
  [{}, ['out'], 'fail', ['link_outside']],
])('files: %j with the claim %j', (rest, filesCreated, outcome, codes) => {
  const { contract } = readContract({ taskId: 'T', objective: 'o', ...rest })
  const files = new Map([
    ['a.py', file(3)],
    ['empty.py', file(0)],
    ['folder/a', file(1)],
  ])
  const leftOut = [...none, { path: 'out', why: 'link_outside' as const }]
  const claim = TaskClaim.parse({ status: 'success', filesCreated })
  const result = filesGate(contract, claim, { files, leftOut })
  expect(result.outcome).toBe(outcome)
  expect(result.findings.map(({ code }) => code)).toEqual(codes)
})

test.each([
  ['conftest.py', true],
  ['a/Conftest.py', true],
  ['node_modules/x/index.js', true],
  ['pytest/__init__.py', true],
  ['pytest_helper.py', false],
  ['src/config.py', false],
])('%s steers tests: %s', (path, steers) => {
  expect(isSteering(path, [])).toBe(steers)
  expect(isSteering(path, ['**'])).toBe(false)
})

test('links lead where the folder says, and never out of it', () => {
  const links = new Map([
    ['a/one', '../b/two'],
    ['b/two', 'three'],
    ['out', '../x'],
    ['root', '/etc/passwd'],
    ['round', 'round'],
  ])
  expect(linkTarget('a/one', links)).toBe('b/three')
  for (const path of ['out', 'root', 'round']) expect(linkTarget(path, links)).toBeNull()
})

test('no parser is kept for what may hold comments', () => {
  expect(grammarOf('a/tsconfig.build.json')).toBeNull()
  expect(grammarOf('a.JSON')).toBe('json')
  expect(grammarOf('constructor')).toBeNull()
  expect(grammarOf('a.constructor')).toBeNull()
})
