// The rules of the house, executable. Each rule is tried on a planted violation and on its
// neighbour first, so that a rule that no longer sees anything does not pass for a tidy tree.
import { describe, expect, test } from 'vitest'
import { environmentIsReadOnce, jsonIsReadOnce, pureStaysPure } from './tidy/bans.ts'
import { oneRuleChain } from './tidy/chain.ts'
import { hostsAreEntries } from './tidy/hosts.ts'
import { importsOnce, importsOneWay, packagesAtHome } from './tidy/imports.ts'
import { kindsFromTheTable } from './tidy/kinds.ts'
import { factsHoldNoProse } from './tidy/prose.ts'
import { coreKnowsNoSlice } from './tidy/slices.ts'
import { isFinished, isHonest, isNamed, promisesOnly, staysShort } from './tidy/shape.ts'
import { holds, tries } from './tidy/tried.ts'

describe('a file has one name for what it imports', () => {
  tries(importsOnce, [
    ['test/a.ts', `import * as a from '#a/a'\nimport * as b from '#a/b'`],
    ['test/a.ts', `import * as a from '#a/a'\nimport { b } from '#a/a'`],
    ['test/a.ts', `import { a } from '#a/a'\nimport { a as b } from '#b/a'`],
    ['test/a.ts', `import * as a from '#a/a'\nimport * as b from '#a/a'`, 'twice'],
    ['test/a.ts', `import { a } from '#a/a'\nimport { a as b } from '#a/a'`, 'twice'],
  ])
  holds(importsOnce)
})

describe('imports go one way', () => {
  tries(importsOneWay, [
    ['shared/rules/a.ts', `import { b } from '#record/b'`],
    ['shared/rules/a.ts', `import { b } from '#schemas/b'`],
    ['shared/rules/a.ts', `import { b } from './b.ts'`],
    ['shared/rules/x/a.ts', `import { b } from '../b.ts'`],
    ['shared/rules/x/a.ts', `import { b } from '#rules/b'`, 'inside a package'],
    ['shared/rules/a.ts', `import { b } from './b'`, 'with .ts'],
    ['shared/rules/a.ts', `import { b } from '#record/b.ts'`, 'no .ts'],
    ['shared/rules/a.ts', `import { b } from '../ports/b.ts'`, 'cross no border'],
    ['shared/rules/a.ts', `import { b } from '../record/b.ts'`, 'cross no border'],
    ['shared/rules/a.ts', `import { b } from '#state/b'`, 'lower package'],
    ['shared/rules/a.ts', `import type { Log } from '#ports/log'`, 'lower package'],
    ['shared/rules/a.ts', `type Log = import('#ports/log').Log`, 'lower package'],
    ['shared/rules/a.ts', `export { b } from '#ports/log'`, 'lower package'],
    ['shared/rules/a.ts', `await import('#ports/log')`, 'lower package'],
    ['shared/rules/a.ts', `import { b } from '#gone/b'`, 'lower package'],
    ['shared/rules/a.ts', `import { readFileSync } from 'node:fs'`, 'through a port'],
    ['shared/rules/a.ts', `import { createHash } from 'node:crypto'`, 'through a port'],
    ['schemas/a.ts', `import { b } from '#record/b'`, 'lower package'],
    ['schemas/a.ts', `import { writeFileSync } from 'node:fs'`, 'through a port'],
    ['shared/rules/a.ts', `import { b } from '#present/b'`, 'lower package'],
    ['shared/ports/a.ts', `import { b } from '#present/b'`, 'lower package'],
    ['shared/log/a.ts', `import { b } from '#present/b'`, 'lower package'],
    ['shared/runtime/a.ts', `import { b } from '#present/b'`, 'lower package'],
    ['services/workers/policy/decider.ts', `import { b } from '#present/b'`, 'lower package'],
    ['services/cli/run/a.ts', `import { b } from '#present/b'`],
    ['services/client/a.ts', `import { b } from '#present/b'`],
    ['shared/present/a.ts', `import { b } from '#state/b'`],
    ['shared/present/story/a.ts', `import { b } from '../b.ts'`],
    ['shared/present/a.ts', `import { b } from '#runtime/b'`, 'lower package'],
    ['shared/ports/a.ts', `import { b } from '#log/b'`, 'lower package'],
    ['shared/log/a.ts', `import { b } from '#runtime/b'`, 'lower package'],
    ['shared/log/a.ts', `import { b } from '#ports/b'`],
    ['shared/runtime/a.ts', `import { b } from '#workers/stages'`, 'lower package'],
    ['shared/authoring/changes/a.ts', `import { b } from '#record/b'`],
    ['shared/authoring/changes/a.ts', `import { b } from '#runtime/b'`, 'lower package'],
    ['shared/authoring/changes/a.ts', `import { b } from '../plan.ts'`, 'lower package'],
    ['shared/authoring/a.ts', `import { b } from './changes/b.ts'`],
    ['services/workers/policy/decider.ts', `import type { Log } from '#ports/log'`],
    ['services/workers/policy/decider.ts', `import { b } from '#runtime/b'`, 'lower package'],
    ['services/workers/policy/decider.ts', `import { b } from './worker.ts'`, 'lower package'],
    ['services/workers/policy/decider.ts', `import { b } from '#stages/b'`],
    ['services/workers/policy/worker.ts', `import { b } from '#client/b'`, 'lower package'],
    ['services/workers/policy/worker.ts', `import { b } from './decider.ts'`],
    ['services/workers/policy/worker.ts', `import { b } from '#runtime/engine/worker'`],
    ['services/workers/stages.ts', `import { policy } from './policy/decider.ts'`],
    ['services/workers/stages.ts', `import { connect } from '#client/connect'`, 'lower package'],
    ['services/client/a.ts', `import { stages } from '#workers/stages'`],
    ['services/client/a.ts', `import { a } from '#cli/a'`, 'lower package'],
    ['services/cli/run/a.ts', `import { connect } from '#client/connect'`],
    ['services/cli/run/a.ts', `import { a } from '#cli/terminal/a'`],
    ['services/cli/run/a.ts', `import { a } from '../terminal/a.ts'`, 'cross no border'],
    ['services/cli/terminal/a.ts', `import { a } from '#cli/run/a'`, 'lower package'],
    ['services/cli/run/a.ts', `import { given } from '#testing/given'`, 'lower package'],
    ['services/testing/a.ts', `import { connect } from '#client/connect'`],
    ['services/testing/a.ts', `import { a } from '#cli/a'`, 'lower package'],
    ['services/testing/a.ts', `import assert from 'node:assert/strict'`],
    ['services/testing/a.ts', `import { readFile } from 'node:fs/promises'`, 'through a port'],
    ['services/demo/a.ts', `import { connect } from '#client/connect'`],
    ['services/demo/a.ts', `import { b } from '#client/b'`, 'lower package'],
    ['services/console/page/a.ts', `import { b } from '#present/b'`],
    ['services/console/page/a.ts', `import { b } from '#authoring/changes/b'`],
    ['services/console/page/a.ts', `import { b } from '#authoring/b'`, 'lower package'],
    ['services/console/page/auditing/deriving/a.ts', `import { b } from '#replay/b'`],
    ['services/console/page/a.ts', `import { readFileSync } from 'node:fs'`, 'through a port'],
    ['seeds/x/callbacks.ts', `import { a } from './more.ts'`],
    ['seeds/x/callbacks.ts', `import { a } from '#record/a'`, 'lower package'],
    ['test/a.test.ts', `import { a } from '#runtime/a'`],
  ])
  holds(importsOneWay)
})

describe('a package is known by one file', () => {
  tries(packagesAtHome, [
    ['shared/log/sqlite/log.ts', `import { Database } from 'libsql'`],
    ['shared/rules/a.ts', `import { Database } from 'libsql'`, 'go through the package'],
    ['services/client/a.ts', `import { Command } from 'commander'`, 'go through the package'],
    ['services/cli/a.ts', `import { Command } from 'commander'`],
    ['shared/rules/a.ts', `import { leftPad } from 'left-pad'`, 'table of packages'],
    ['shared/rules/a.ts', `const pad: unknown = require('left-pad')`, 'table of packages'],
    ['shared/rules/a.ts', `import { b } from '@left/pad/b.js'`, '@left/pad: write'],
    ['shared/rules/a.ts', `import { z } from 'zod'`],
    ['test/a.test.ts', `import { leftPad } from 'left-pad'`],
  ])

  test('and not by a second one', () => {
    const files = new Map([
      ['shared/log/sqlite/log.ts', `import { Database } from 'libsql'`],
      ['shared/log/other.ts', `import { Database } from 'libsql'`],
    ])
    expect(packagesAtHome(files)).toEqual([
      'shared/log/other.ts:1 imports libsql: only shared/log/sqlite/log.ts knows it',
    ])
  })

  holds(packagesAtHome)
})

describe('what must be pure', () => {
  tries(pureStaysPure, [
    ['shared/rules/a.ts', 'Date.now()', 'the time comes in'],
    ['shared/rules/a.ts', 'new Date()', 'the time comes in'],
    ['shared/rules/a.ts', 'Date()', 'the time comes in'],
    ['shared/rules/a.ts', 'new Date(5).toISOString()'],
    ['shared/rules/a.ts', 'Date.parse(text)'],
    ['shared/rules/a.ts', 'new Date(5).getHours()', 'UTC form'],
    ['shared/rules/a.ts', 'new Date(5).getUTCHours()'],
    ['shared/rules/a.ts', 'performance.now()', 'the time comes in'],
    ['shared/rules/a.ts', 'Math.random()', 'derive it from a digest'],
    ['shared/rules/a.ts', 'Math.max(1, 2)'],
    ['shared/rules/a.ts', `import { randomUUID } from 'node:crypto'`, 'derive it from a digest'],
    ['shared/rules/a.ts', `import { randomBytes } from 'node:crypto'`, 'derive it from a digest'],
    ['shared/rules/a.ts', 'crypto.randomUUID()', 'derive it from a digest'],
    ['shared/rules/a.ts', 'process.env.HOME', 'through a port'],
    ['shared/rules/a.ts', 'job.process()'],
    ['shared/rules/a.ts', 'const a = { process: 1 }'],
    ['shared/rules/a.ts', 'a.localeCompare(b)', 'code units'],
    ['shared/rules/a.ts', 'a.toLocaleLowerCase()', 'code units'],
    ['shared/rules/a.ts', 'a.toLowerCase()'],
    ['shared/rules/a.ts', 'new Intl.Collator()', 'code units'],
    ['shared/rules/a.ts', 'setTimeout(f, 1)', 'a wait is a fact'],
    ['shared/rules/a.ts', 'await fetch(url)', 'through a port'],
    ['shared/rules/a.ts', 'console.log(1)', 'return it'],
    ['services/workers/policy/decider.ts', 'Date.now()', 'the time comes in'],
    ['services/workers/policy/worker.ts', 'Date.now()'],
    ['shared/present/a.ts', 'Date.now()', 'the time comes in'],
    ['schemas/a.ts', 'Date.now()', 'the time comes in'],
    ['seeds/x/callbacks.ts', 'Math.random()', 'derive it from a digest'],
    ['shared/system/clock.ts', 'Date.now()'],
  ])
  holds(pureStaysPure)
})

describe('the environment', () => {
  tries(environmentIsReadOnce, [
    ['services/cli/a.ts', `process.env['HOME']`, 'reads the environment'],
    ['services/cli/a.ts', `process['env']`, 'reads the environment'],
    ['services/cli/a.ts', 'const { env, stdout } = process', 'reads the environment'],
    ['services/cli/a.ts', `import { env } from 'node:process'`, 'reads the environment'],
    ['services/cli/a.ts', 'const { stdout } = process'],
    ['services/cli/a.ts', 'process.argv'],
    ['shared/wiring/environment.ts', 'process.env'],
    ['test/a.test.ts', 'process.env'],
  ])
  holds(environmentIsReadOnce)
})

describe('JSON', () => {
  tries(jsonIsReadOnce, [
    ['shared/log/a/b.ts', 'JSON.parse(text)', 'take parseJson'],
    ['services/cli/a.ts', 'list.map(JSON.parse)', 'take parseJson'],
    ['services/cli/a.ts', 'JSON.stringify(value)'],
    ['shared/record/json.ts', 'JSON.parse(text)'],
    ['test/a.test.ts', 'JSON.parse(text)'],
  ])
  holds(jsonIsReadOnce)
})

describe('one chain of rules judges', () => {
  const judging = `import { judge } from '#rules/chain/judge'`
  tries(oneRuleChain, [
    ['services/workers/policy/decider.ts', judging],
    ['services/workers/policy/decider.ts', '', 'does not import judge'],
    [
      'services/workers/policy/decider.ts',
      `import type { judge } from '#rules/chain/judge'`,
      'does not',
    ],
    ['services/workers/policy/decider.ts', `import { judge } from './judge.ts'\nlet a`],
    ['services/workers/confirmation/decider.ts', '', 'does not import judge'],
    ['services/cli/offline/decide.ts', '', 'does not import judge'],
    ['shared/present/explain.ts', '', 'does not import Judgement'],
    ['shared/present/explain.ts', `import type { Judgement } from './judge.ts'`],
    ['shared/rules/a.ts', `import { reasonCodes } from '#schemas/reasons'`, 'imports reasonCodes'],
    ['shared/rules/a.ts', `import type { ReasonCode } from '#schemas/reasons'`],
    ['shared/rules/a.ts', 'const order = ["declined", "ungrounded", "withdrawn"]', 'in an order'],
    ['shared/rules/a.ts', 'const two = ["declined", "ungrounded"]'],
    ['services/a/b.ts', 'export function judge() {}', 'another judge'],
    ['services/a/b.ts', 'const a = 1; export { a as judge }', 'another judge'],
    ['services/a/b.ts', 'const judge = () => 1'],
  ])
  holds(oneRuleChain)
})

describe('a file is one idea', () => {
  const lines = (count: number, line = '// line') => `${line}\n`.repeat(count)
  const body = (count: number) => `function f() {\n${lines(count - 2)}}\n`
  tries(staysShort, [
    ['seeds/x/callbacks.ts', lines(501)],
    ['shared/rules/a.ts', lines(500)],
    ['shared/rules/a.ts', lines(501), 'more than one idea'],
    ['shared/rules/a.ts', body(70)],
    ['shared/rules/a.ts', body(71), 'a function of 71 lines'],
    ['test/a.test.ts', `describe('x', () => {\n${lines(100)}})`],
    ['test/a.test.ts', `test('x', () => {\n${lines(100)}})`, 'a function of 102 lines'],
    ['shared/rules/a.ts', `// ${'x'.repeat(97)}`],
    ['shared/rules/a.ts', `// ${'x'.repeat(98)}`, 'has 101 columns'],
    ['test/a.test.ts', `  test.each(cases)('${'x'.repeat(98)}', () => {})`, 'columns'],
    ['test/a.test.ts', `  test('${'x'.repeat(98)}', () => {})`],
  ])
  holds(staysShort)
})

describe('types are honest', () => {
  tries(isHonest, [
    ['a/b.ts', 'const a = ["x"] as const'],
    ['a/b.ts', 'const a = {} satisfies object'],
    ['a/b.ts', `import { b as c } from './b.ts'`],
    ['a/b.ts', 'const a = b as string', 'casts'],
    ['a/b.ts', 'const a = <string>b', 'casts'],
    ['a/b.ts', 'const a: any = 1', 'says any'],
    ['a/b.ts', 'const a = b!', 'says !'],
    ['a/b.ts', 'const a = !b'],
    ['a/b.ts', 'export default 1', 'a name'],
    ['a/b.ts', 'const a = 1; export { a as default }', 'a name'],
    ['vitest.config.ts', 'export default 1'],
    ['a/b.ts', `export * from './c.ts'`, 'exports all'],
  ])
  holds(isHonest)
})

describe('a file is finished', () => {
  const later = ['TO', 'DO'].join('')
  tries(isFinished, [
    ['a/b.ts', `// ${later}: fix`, 'do it'],
    ['a/b.ts', `const a = '${later}'`],
    ['a/b.test.ts', `test.skip('x', f)`, 'a test runs'],
    ['a/b.test.ts', `describe.only('x', f)`, 'a test runs'],
    ['a/b.test.ts', `test.each([1]).only('x', f)`, 'a test runs'],
    ['a/b.test.ts', `test('x', f)`],
    ['a/b.ts', 'rows.skip(1)'],
  ])
  holds(isFinished)
})

describe('a file has a name and a first sentence', () => {
  const opened = '// What it is for, and what it must never do.\n'
  tries(isNamed, [
    ['a/b-c.ts', opened],
    ['a/b.test.ts', opened],
    ['a/b.ts', `#!/usr/bin/env node\n${opened}`],
    ['a/b.ts', `/** What it is for, and what not. */\n`],
    ['a/B.ts', opened, 'kebab-case'],
    ['a/b_c.ts', opened, 'kebab-case'],
    ['aB/c.ts', opened, 'kebab-case'],
    ['a/utils.ts', opened, 'has no meaning'],
    ['a/b.ts', `const a = 1\n${opened}`, 'open it'],
    ['a/b.ts', '// b\n', 'open it'],
    ['a/b.ts', '', 'open it'],
  ])
  holds(isNamed)
})

describe('a port promises', () => {
  tries(promisesOnly, [
    ['shared/ports/a.ts', 'export interface A { now(): number }'],
    ['shared/ports/a.ts', 'export const bytesMax = 5'],
    ['shared/ports/a.ts', 'export function f() {}', 'does something'],
    ['shared/ports/a.ts', 'export const f = () => 1', 'does something'],
    ['shared/ports/a.ts', 'export class A {}', 'does something'],
    ['shared/rules/a.ts', 'export function f() {}'],
  ])
  holds(promisesOnly)
})

describe('facts hold no prose', () => {
  const says = 'give a code'
  tries(factsHoldNoProse, [
    ['shared/stages/a.ts', `const why = 'it came too late'`, says],
    ['shared/stages/a.ts', 'const why = `${count} bytes`', says],
    ['shared/stages/a.ts', `const why = 'too_late'`],
    ['shared/stages/a.ts', 'const key = `${era} ${name}`'],
    ['shared/stages/a.ts', `throw new Fault('x', 'it came too late')`],
    ['shared/stages/a.ts', `assert(late, 'it came too late')`],
    ['shared/stages/a.ts', `function f() { return 'it came too late' }`, says],
    ['shared/state/decision.ts', `function f() { return 'it came too late' }`],
    ['shared/state/a.ts', `const f = () => (late ? 'it came too late' : null)`],
    ['shared/state/a.ts', `const why = 'it came too late'`, says],
    ['shared/rules/chain/a.ts', `const why = { message: 'no such tool' }`, says],
    ['shared/rules/catalog/a.ts', `const why = 'no such tool'`],
    ['services/workers/policy/decider.ts', `const why = 'no such tool'`, says],
    ['services/workers/policy/worker.ts', `const why = 'no such tool'`],
    ['shared/messages/learning/task.ts', `const why = 'no such tool'`],
  ])
  holds(factsHoldNoProse)
})

describe('the core of the fold knows no slice', () => {
  const through = 'let the slice say it'
  tries(coreKnowsNoSlice, [
    ['shared/state/fold/a.ts', `import { b } from '../slices/work/b.ts'`, through],
    ['shared/state/eras/a.ts', `export { b } from '../slices/b.ts'`, through],
    ['shared/state/a.ts', `const b = await import('./slices/work/b.ts')`, through],
    ['shared/state/a.ts', `import { allSlices } from './slices/list.ts'`],
    ['shared/state/a.ts', `import type { B } from './slices/work/b.ts'`],
    ['shared/state/slices/work/a.ts', `import { b } from '../budgets/b.ts'`],
    ['shared/stages/a.ts', `import { b } from '#state/slices/work/b'`],
  ])
  holds(coreKnowsNoSlice)
})

describe('the table of kinds answers', () => {
  tries(kindsFromTheTable, [
    ['shared/runtime/a.ts', `if (parts.kind === 'rate') count()`, 'asks for `rate`'],
    ['shared/runtime/a.ts', `if ('rate' !== parts?.kind) count()`, 'asks for `rate`'],
    ['shared/runtime/a.ts', `if (kind === 'rate') count()`, 'asks for `rate`'],
    ['shared/runtime/a.ts', `if (stage.name === 'learning') learn()`, 'asks for `learning`'],
    ['shared/runtime/a.ts', `switch (parts.kind) { case 'rate': count() }`, 'asks for `rate`'],
    ['shared/runtime/a.ts', `const watched = new Set(['rate', 'asked'])`, 'lists kinds'],
    ['shared/runtime/a.ts', `const watched = new Set(['rate', 'weight'])`],
    ['shared/runtime/a.ts', `if (kinds[parts.kind].about === 'use') count()`],
    ['shared/runtime/a.ts', `if (gap.kind === 'DEPTH') count()`],
    ['shared/runtime/a.ts', `if (role === 'reviewer') count()`],
    ['shared/state/a.ts', `if (parts.kind === 'rate') count()`],
    ['shared/present/a.ts', `if (parts.kind === 'rate') count()`],
    ['services/workers/policy/decider.ts', `if (draft.kind === 'rate') count()`],
  ])
  holds(kindsFromTheTable)
})

describe('what a coding agent is, its entry says', () => {
  tries(hostsAreEntries, [
    ['services/cli/agents/hook/a.ts', `if (host.name === 'codex') look()`, 'names codex'],
    ['services/http/a.ts', `switch (host) { case 'cursor': answer() }`, 'names cursor'],
    ['shared/shell/hooks/a.ts', `const files = { gemini: 'settings.json' }`, 'names gemini'],
    ['services/cli/a.ts', `import { codex } from '#shell/hooks/hosts/codex'`, 'one of the hosts'],
    ['shared/shell/hooks/a.ts', `import { codex } from './hosts/codex.ts'`, 'one of the hosts'],
    ['services/cli/a.ts', `import { hosts } from '#shell/hooks/hosts/hosts'`],
    ['services/cli/a.ts', `import type { Host } from '#shell/hooks/hosts/host'`],
    ['services/cli/a.ts', `const example = 'warrant hook run --for gemini --offline'`],
    ['services/console/a.ts', `const page = { cursor: next }`],
    ['shared/shell/hooks/hosts/codex.ts', `export const codex = { name: 'codex' }`],
  ])
  holds(hostsAreEntries)
})
