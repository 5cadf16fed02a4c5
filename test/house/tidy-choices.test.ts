// The words that lost are planted into texts that people read, and beside them what is not read.
import { describe, expect, test } from 'vitest'
import { choices, speaksTheChosenWords } from './tidy/choices.ts'
import { wordsPage } from './tidy/papers.ts'
import { holds, tries, tree } from './tidy/tried.ts'

/** For each word that won: a page with what lost, and beside it one that means something else. */
const planted: Readonly<Record<string, readonly [lost: string, other: string]>> = {
  tool: ['Each capability has a class.', 'A level is 2 capabilities, 3 constraints.'],
  intent: ['Requests wait for people.', 'HTTP requests come from browsers.'],
}

test('each choice is planted', () => {
  expect(Object.keys(planted)).toEqual(choices.map(({ word }) => word))
})

describe('in pages', () => {
  tries(
    speaksTheChosenWords,
    Object.entries(planted).flatMap(([word, [lost, other]]) => [
      ['docs/rules/a.md', lost, `write ${word}`],
      ['docs/rules/a.md', other],
    ]),
  )
  tries(speaksTheChosenWords, [
    ['docs/rules/a.md', 'first\nthen a capability', 'a.md:2 has “capability”'],
    ['docs/rules/a.md', 'the member `capability` of a file'],
    ['docs/rules/a.md', '```\na capability\n```'],
    ['docs/rules/a.md', '[a tool](firewall.md#by-capability)'],
    ['docs/run/a.md', 'A request without a token is refused.'],
    [wordsPage, 'not a capability'],
    ['CHANGELOG.md', 'not a capability'],
  ])
})

describe('in what doors say', () => {
  tries(speaksTheChosenWords, [
    ['services/cli/a.ts', `const help = 'of a capability'`, 'write tool'],
    ['shared/present/a.ts', 'const text = `${id} is no capability`', 'write tool'],
    ['shared/present/a.ts', 'const text = `the ${id}, a capability`\n', 'write tool'],
    ['services/console/page/a.tsx', 'const a = <p>Each capability</p>', 'write tool'],
    ['schemas/a.ts', `const at = Text.describe('The capability that it is')`, 'write tool'],
    ['shared/present/a.ts', `const text = 'the request waits'`, 'write intent'],
    ['services/http/a.ts', `const text = 'the request waits'`],
    ['services/cli/a.ts', `const key = 'capability'`],
    ['services/cli/a.ts', 'const key = `capability ${id}`'],
    ['services/cli/a.ts', 'const text = `no tool \\`capability\\``'],
    ['services/cli/a.ts', '// each capability has a class'],
    ['services/cli/a.ts', 'const capability = 1'],
  ])
})

test('the page of words has each word that won', () => {
  const rows = (tree.get(wordsPage) ?? '').split('\n').map((line) => line.split('|')[1]?.trim())
  expect(rows).toEqual(expect.arrayContaining(choices.map(({ word }) => word)))
})

describe('in the tree', () => {
  holds(speaksTheChosenWords)
})
