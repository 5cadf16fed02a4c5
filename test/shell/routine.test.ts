// The routine that a call of a coding agent is: which later calls a grant for it would fit, judged
// by the condition that is signed, over the calls of a developer's day.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkLine, openShellSeed } from '#cli/agents/hook/check'
import { conditionHolds, conditionProblem } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { routineOf } from '#shell/routine'
import { count, seedMeant } from '../support/vitest/counts.ts'

const seed = await openShellSeed()
const argsType = typeOfArguments(seed.catalog.capabilities.get('shell.run')?.argsSchema ?? {})
const root = '/srv/shop'

interface Called {
  readonly args: Readonly<Record<string, string>>
  readonly concepts: readonly string[]
}

function called(command: string, at = root): Called {
  const checked = checkLine({ command, cwd: at, root: at }, seed)
  if ('error' in checked) throw new Error(checked.error.message)
  return { args: { command, cwd: at, root: at }, concepts: ['shell.command', ...checked.concepts] }
}

function routine({ args, concepts }: Called) {
  return routineOf(args, concepts)
}

/** Whether a grant for the routine of the one would fit the other. */
function fits(one: Called, other: Called): boolean {
  const found = routine(one)
  if (found === null || 'asked' in found) return false
  const holds = conditionHolds(found.when, {
    args: other.args,
    argsType,
    capability: {
      id: 'shell.run',
      safetyClass: 'WRITE',
      sensitivity: 'NONE',
      tags: [],
      concepts: [],
    },
    principal: { id: 'coding-agent', roles: [], attributes: {} },
    owner: null,
    intent: { goal: '', justification: '', session: 's1', scope: {}, constraints: {} },
    grounding: { grounded: true, concepts: other.concepts },
    now: 0,
    evidence: () => [],
  })
  return holds === true
}

interface PlacedCall {
  readonly of: { readonly command: string }
  readonly cwd: string | undefined
  readonly root: string | undefined
}

const day = readFileSync(join(import.meta.dirname, '../data/field/developer-day.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => z.looseObject({ command: z.string(), right: z.string() }).parse(JSON.parse(line)))

test('writing in the project is a routine for other writing there, and for no more', () => {
  const written = called('mkdir -p src/a && cp x.ts src/a/')
  expect(fits(written, called('sed -i s/a/b/ src/x.ts'))).toBe(true)
  expect(fits(written, called('ls'))).toBe(true)
  for (const command of [
    'npm test',
    'rm -r src',
    'git push',
    'cat .env > x',
    'echo x > ~/notes.txt',
    'echo x > .git/hooks/pre-commit',
    'echo x > .claude/settings.json',
    'curl https://example.com > x',
    'nosuch x > y',
  ]) {
    expect({ command, fits: fits(written, called(command)) }).toEqual({ command, fits: false })
  }
  expect(fits(written, called('sed -i s/a/b/ src/x.ts', '/srv/other'))).toBe(false)
})

test('what runs code is a routine for the very same command in the same folder', () => {
  const tested = called('npm test')
  expect(fits(tested, called('npm test'))).toBe(true)
  expect(fits(tested, called('npm test; id'))).toBe(false)
  expect(fits(tested, called('npm test', '/srv/other'))).toBe(false)
  const quoted = called(String.raw`node -e 'console.log("a\n", "\u2028")'`)
  expect(fits(quoted, called(quoted.args['command'] ?? ''))).toBe(true)
})

test.each([
  ['rm x', 'destroy.inside'],
  ['git push', 'network.send'],
  ['cat .env', 'secret.read'],
  ['nosuch', 'unknown.command'],
  ['sudo ls', 'privilege.raise'],
  ['kill 7', 'process.end'],
])('%s is asked about each time', (command, concept) => {
  expect(routine(called(command))).toEqual({ asked: expect.arrayContaining([concept]) })
})

test('a call of another tool, and one that no table has, have no routine', () => {
  expect(routineOf({ to: 'ann@example.org' }, ['send', 'email'])).toBeNull()
  expect(routineOf({ command: 'ls' }, ['deploy'])).toBeNull()
  expect(routineOf({ paths: ['x'], command: 'ls' }, ['shell.command', 'read.inside'])).toBeNull()
  expect(routineOf(['command'], ['shell.command'])).toBeNull()
  expect(routineOf({ paths: ['x'] }, ['shell.command'])).toEqual({ asked: [] })
})

test('of any two calls of a day, one fits the other only where it stands for no more', () => {
  const calls = day.map((call) => ({ ...call, ...called(call.command) }))
  const one = fc.constantFrom(...calls)
  fc.assert(
    fc.property(one, one, (first, second) => {
      const found = routine(first)
      if (found === null || 'asked' in found) return
      expect(conditionProblem(found.when, argsType)).toBeNull()
      expect(fits(first, first)).toBe(true)
      if (!fits(first, second)) return
      expect(second.right).not.toBe('deny')
      const more = second.concepts.filter((concept) => !first.concepts.includes(concept))
      expect(more.filter((concept) => !['harmless', 'read.inside'].includes(concept))).toEqual([])
    }),
    { numRuns: count(20_000, 500), ...(seedMeant !== undefined && { seed: seedMeant }) },
  )
})

test('no call fits the routine of one in another project, whichever folders they name', () => {
  const folder = fc.option(fc.constantFrom('/srv/shop', '/srv/shop/src', '/srv/other'), {
    nil: undefined,
  })
  const call = fc.record({ of: fc.constantFrom(...day), cwd: folder, root: folder })
  const placed = ({ of: { command }, ...places }: PlacedCall) => {
    const checked = checkLine({ command, ...places }, seed)
    if ('error' in checked) throw new Error(checked.error.message)
    const args = JSON.parse(JSON.stringify({ command, ...places }))
    return { args, concepts: ['shell.command', ...checked.concepts] }
  }
  fc.assert(
    fc.property(call, call, (one, other) => {
      const [first, second] = [placed(one), placed(other)]
      const found = routine(first)
      if (found === null || 'asked' in found) return
      expect(conditionProblem(found.when, argsType)).toBeNull()
      expect(fits(first, first)).toBe(true)
      if (fits(first, second)) expect(other.root ?? other.cwd).toBe(one.root ?? one.cwd)
    }),
    { numRuns: count(20_000, 500), ...(seedMeant !== undefined && { seed: seedMeant }) },
  )
})

test('a command is agreed to as it is, whatever it holds that a condition could read', () => {
  const part = fc.constantFrom(
    '"',
    '\\',
    "'",
    ' || true || "',
    '\n',
    '\u2028',
    '\u202E',
    'npm',
    '\0',
  )
  const command = fc.array(fc.oneof(part, fc.string({ unit: 'binary' }))).map((all) => all.join(''))
  fc.assert(
    fc.property(command, command, (one, other) => {
      const concepts = ['shell.command', 'code.run']
      const first = { args: { command: one, cwd: root, root }, concepts }
      const second = { args: { command: other, cwd: root, root }, concepts }
      expect(fits(first, first)).toBe(true)
      expect(fits(first, second)).toBe(one === other)
    }),
    { numRuns: count(20_000, 500), ...(seedMeant !== undefined && { seed: seedMeant }) },
  )
})
