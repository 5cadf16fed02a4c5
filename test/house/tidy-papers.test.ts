// What stands beside the code keeps its rules too: the README, the lock file, the pages, the
// words.
import { describe, expect, test } from 'vitest'
import {
  belongsToNoMachine,
  dependenciesAreExplained,
  lockIsWhole,
  lockNamesNoHost,
  readmeKeepsCommands,
  speaksTheWords,
  wordsNotSaid,
} from './tidy/papers.ts'
import { holds, named, tries, type Case } from './tidy/tried.ts'

describe('the papers', () => {
  const first = 'npm ci && npm run demo'
  tries(readmeKeepsCommands, [
    ['README.md', `${first} and npm ci && npm test`],
    ['README.md', first, 'npm ci && npm test'],
  ])
  const folder = ['', 'home', 'ann'].join('/')
  tries(belongsToNoMachine, [
    ['docs/a.md', `see ${folder}`, 'a path of one machine'],
    ['docs/a.md', `see the folder .${folder}`],
    ['docs/a.md', `https://example.org${folder}`],
    ['a.png', `see ${folder}`],
  ])
  tries(lockNamesNoHost, [
    ['package-lock.json', '{ "integrity": "sha512-x" }'],
    ['package-lock.json', '{ "resolved": "x" }', 'names a registry'],
    ['extras/package-lock.json', '{ "resolved": "x" }', 'names a registry'],
  ])
  const whole = { 'node_modules/a': { optionalDependencies: { '@a/linux': '1' } } }
  tries(lockIsWhole, [
    ['package-lock.json', JSON.stringify({ packages: whole }), 'needs @a/linux'],
    ['extras/package-lock.json', JSON.stringify({ packages: whole }), 'needs @a/linux'],
    ['package-lock.json', JSON.stringify({ packages: { ...whole, 'node_modules/@a/linux': {} } })],
  ])
  tries(dependenciesAreExplained, [
    ['package.json', '{ "dependencies": { "left-pad": "1" } }', '`left-pad` does for us'],
    ['package.json', '{ "devDependencies": { "left-pad": "1" } }', '`left-pad` does for us'],
    ['extras/package.json', '{ "dependencies": { "left-pad": "1" } }', '`left-pad` does for us'],
  ])
  holds(readmeKeepsCommands)
  holds(belongsToNoMachine)
  holds(lockNamesNoHost)
  holds(lockIsWhole)
  holds(dependenciesAreExplained)
})

describe('the page of words', () => {
  const table = [
    '| Term | Means | Not |',
    '|---|---|---|',
    '| fact | what is so | `record`, a `row` |',
    '| gateway | what carries out | `proxy` |',
  ].join('\n')

  test('replaces words', () => {
    expect([...wordsNotSaid(table)]).toEqual([
      ['record', 'fact'],
      ['row', 'fact'],
      ['proxy', 'gateway'],
    ])
  })

  const spoken: readonly Case[] = [
    ['shared/rules/a.ts', 'const newRecord = 1', 'say fact'],
    ['shared/rules/a.ts', 'const rows = 1'],
    ['shared/rules/a.ts', 'const recorded = 1'],
    ['shared/rules/a.ts', 'const proxyFor = 1', 'say gateway'],
    ['shared/rules/a.ts', 'const watched = new Proxy({}, {})'],
    ['shared/rules/row-a.ts', '', 'say fact'],
    ['test/a.ts', 'const record = 1'],
  ]
  test.each(spoken.map(named))('is spoken: $path: $text', ({ path, text, says }) => {
    const found = speaksTheWords(
      new Map([
        ['docs/reference/words.md', table],
        [path, text],
      ]),
    )
    expect(found).toEqual(says === undefined ? [] : [expect.stringContaining(says)])
  })

  holds(speaksTheWords)
})
