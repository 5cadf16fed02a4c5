// The order of folders, executable: each rule is tried on a planted violation and on its neighbour.
import { describe, expect, test } from 'vitest'
import { pureStaysPure } from './tidy/bans.ts'
import { importsOneWay } from './tidy/imports.ts'
import {
  driversStandAlone,
  foldersPointDown,
  foldersStaySmall,
  halvesMatch,
  namesMeanOneThing,
  noCircles,
  stemsAreUnique,
} from './tidy/order.ts'
import { orderHolds, packages, packagesCanBeRead } from './tidy/packages.ts'
import { holds, tries } from './tidy/tried.ts'

describe('folders of a package point down', () => {
  const two = (back: string) =>
    new Map([
      ['shared/rules/catalog/a.ts', `import { b } from '../budgets/b.ts'`],
      ['shared/rules/budgets/b.ts', back],
    ])

  test.each([
    `import { a } from '../catalog/a.ts'`,
    `import type { A } from '../catalog/other.ts'`,
    `type A = import('../catalog/a.ts').A`,
    `await import('../catalog/a.ts')`,
  ])('%s', (back) => {
    const found = foldersPointDown(two(back))
    expect(found.length).toBeGreaterThan(1)
    expect(found).toContainEqual(expect.stringContaining('as well'))
  })

  test('while a chain does', () => {
    expect(foldersPointDown(two(`import { d } from '../drivers/d.ts'`))).toEqual([])
  })

  holds(foldersPointDown)
})

describe('a driver imports no other', () => {
  tries(driversStandAlone, [
    ['shared/log/sqlite/a.ts', `import { b } from '../b.ts'`],
    ['shared/log/sqlite/a.ts', `import { b } from '../memory/b.ts'`, 'imports no other'],
    ['shared/log/jetstream/a.ts', `import { b } from '../nats/b.ts'`],
    ['shared/log/nats/a.ts', `import { b } from '../jetstream/b.ts'`, 'imports no other'],
    ['shared/gateway/a.ts', `import { b } from './tools/b.ts'`],
  ])
  holds(driversStandAlone)
})

describe('packages', () => {
  type Row = readonly [name: string, more: { readonly on: readonly string[] }]
  const record: Row = ['record', { on: [] }]
  const rules: Row = ['rules', { on: ['record'] }]
  const work: Row = ['work', { on: ['record', 'rules'] }]

  test('import those before them', () => {
    expect(orderHolds(packages)).toEqual([])
    expect(orderHolds(new Map([record, rules, work]))).toEqual([])
  })

  test('so a circle of two is found', () => {
    const back: Row = ['rules', { on: ['record', 'work'] }]
    const circle = new Map([record, back, work])
    expect(orderHolds(circle)).toEqual([expect.stringContaining('rules may import work')])
    expect(orderHolds(new Map([['a', { on: ['a'] }]]))).toHaveLength(1)
  })

  test('have a page, and are no more than one reads', () => {
    const long = new Map([['shared/record/a.ts', '\n'.repeat(12_001)]])
    const found = packagesCanBeRead(long)
    expect(found).toContain('shared/record/ has 12001 lines: at most 12000')
    expect(found).toContain('shared/record/README.md is not there: write what it is for')
    const page = new Map([['shared/record/README.md', '\n'.repeat(100)]])
    expect(packagesCanBeRead(page)).toContain('shared/record/README.md has more than 100 lines')
  })

  holds(packagesCanBeRead)
})

describe('no file imports itself round a circle', () => {
  const circle = (back: string) =>
    new Map([
      ['shared/record/a.ts', `import { b } from './b.ts'`],
      ['shared/record/b.ts', back],
    ])

  test.each([
    [`import { a } from './a.ts'`],
    [`import type { A } from './a.ts'`],
    [`import { a } from '#record/a'`],
    [`const a = () => import('./a.ts')`],
    [`type A = import('./a.ts').A`],
  ])('%s', (back) => {
    expect(noCircles(circle(back))).toEqual([expect.stringContaining('is a circle')])
  })

  test('while a chain is not a circle', () => {
    expect(noCircles(circle(`import { c } from './c.ts'`))).toEqual([])
  })

  holds(noCircles)
})

describe('a folder stays small', () => {
  const folder = (count: number) =>
    new Map(Array.from({ length: count }, (_, index) => [`test/x/${index}.ts`, '']))

  test('twenty-five files are no drawer, one more is', () => {
    expect(foldersStaySmall(folder(25))).toEqual([])
    expect(foldersStaySmall(folder(26))).toEqual(['test/x has 26 files: at most 25'])
  })

  holds(foldersStaySmall)
})

describe('a file is called like no other of its package', () => {
  test('wherever it lies', () => {
    const files = new Map([
      ['shared/knowledge/graph/change.ts', ''],
      ['shared/rules/catalog/change.ts', ''],
      ['shared/authoring/change.ts', ''],
    ])
    expect(stemsAreUnique(files)).toEqual([expect.stringContaining('is called like')])
  })

  holds(stemsAreUnique)
})

describe('a name means one thing', () => {
  const two = (second: string) =>
    new Map([
      ['shared/record/a.ts', 'export const Draft = 1\nexport type Draft = number'],
      ['shared/knowledge/graph/b.ts', second],
    ])

  test.each([
    'export interface Draft {}',
    'export type Draft = string',
    'export const Draft = 2',
    'export function Draft() {}',
    'export class Draft {}',
  ])('%s', (second) => {
    expect(namesMeanOneThing(two(second))).toEqual([expect.stringContaining('exports Draft as')])
  })

  test.each(['interface Draft {}', `export { Draft } from './a.ts'`, 'export type Drafts = 1'])(
    '%s is another thing, or the same',
    (second) => {
      expect(namesMeanOneThing(two(second))).toEqual([])
    },
  )

  holds(namesMeanOneThing)
})

describe('the halves of the platform', () => {
  const folder = 'shared/record/platform'
  const pair = (node: string, browser: string) =>
    new Map([
      [`${folder}/a-node.ts`, node],
      [`${folder}/a-browser.ts`, browser],
    ])

  test('export the same names, which are no two things', () => {
    const files = pair('export const a = 1', 'export const a = 1')
    expect(halvesMatch(files)).toEqual([])
    expect(namesMeanOneThing(files)).toEqual([])
  })

  test('lack nothing that the other has', () => {
    const one = 'export const a = 1'
    const both = `${one}\nexport function b() {}`
    const lacking = expect.stringContaining('lacks b')
    expect(halvesMatch(pair(both, one))).toEqual([lacking])
    expect(halvesMatch(pair(one, both))).toEqual([lacking])
  })

  test('come in pairs', () => {
    for (const end of ['node', 'browser']) {
      const files = new Map([[`${folder}/a-${end}.ts`, 'export const a = 1']])
      expect(halvesMatch(files)).toEqual([expect.stringContaining('has no twin')])
    }
    expect(halvesMatch(new Map([[`${folder}/a.ts`, 'export const a = 1']]))).toEqual([])
  })

  test('are not where the others look: a circle through one is seen', () => {
    const files = new Map([
      [`${folder}/a-node.ts`, `import { b } from '../b.ts'`],
      ['shared/record/b.ts', `import { a } from '#platform/a'`],
    ])
    expect(noCircles(files)).toEqual([expect.stringContaining('is a circle')])
  })

  holds(halvesMatch)
})

describe('what only Node has', () => {
  tries(importsOneWay, [
    ['shared/record/crypto/private-key.ts', `import { sign } from 'node:crypto'`],
    ['shared/record/platform/a-node.ts', `import { createHash } from 'node:crypto'`],
    [
      'shared/record/platform/a-node.ts',
      `import { readFileSync } from 'node:fs'`,
      'through a port',
    ],
    ['shared/record/platform/a-browser.ts', `import { hash } from 'node:crypto'`, 'through a port'],
    ['shared/record/platform/a-node.ts', `import { a } from '../a.ts'`, 'lower package'],
    ['shared/rules/a.ts', `import { a } from '#platform/a'`],
    ['shared/runtime/a.ts', `import { a } from '#platform/a'`],
    ['shared/present/a.ts', `import { a } from '#platform/a'`, 'lower package'],
  ])

  tries(pureStaysPure, [
    ['shared/rules/a.ts', `Buffer.from('a')`, 'a browser has none'],
    ['shared/rules/a.ts', 'const a = (bytes: Buffer) => bytes', 'a browser has none'],
    ['shared/record/platform/a-node.ts', `Buffer.from('a')`],
    ['shared/record/platform/a-browser.ts', `Buffer.from('a')`, 'a browser has none'],
  ])
})
