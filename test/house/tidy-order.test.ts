// The order of folders, executable: each rule is tried on a planted violation and on its neighbour.
import { describe, expect, test } from 'vitest'
import { pureStaysPure } from './tidy/bans.ts'
import { importsOneWay } from './tidy/imports.ts'
import {
  chains,
  foldersPointDown,
  foldersStaySmall,
  halvesMatch,
  namesMeanOneThing,
  noCircles,
  stemsAreUnique,
} from './tidy/order.ts'
import { holds, tries } from './tidy/tried.ts'
import { readTree } from './tidy/tree.ts'

describe('folders point down', () => {
  tries(foldersPointDown, [
    ['shared/core/graph/a.ts', `import { b } from '../catalog/b.ts'`],
    ['shared/core/catalog/a.ts', `import { b } from '../graph/b.ts'`, 'above `catalog`'],
    ['shared/core/catalog/a.ts', `import { b } from '#core/graph/b'`, 'above `catalog`'],
    ['shared/core/catalog/a.ts', `import type { B } from '../graph/b.ts'`, 'above `catalog`'],
    ['shared/core/catalog/a.ts', `type B = import('../graph/b.ts').B`, 'above `catalog`'],
    ['shared/core/catalog/a.ts', `await import('../graph/b.ts')`, 'above `catalog`'],
    ['shared/core/catalog/a.ts', `import { b } from './b.ts'`],
    ['shared/core/other/a.ts', `import { b } from '../kernel/b.ts'`, 'no place in the chain'],
    ['shared/core/state/a.ts', `import { b } from './fold/b.ts'`, 'above `.`'],
    ['shared/core/state/fold/a.ts', `import { b } from '../b.ts'`],
    ['shared/core/state/fold/a.ts', `import { b } from '../eras/b.ts'`],
    ['shared/runtime/engine/a.ts', `import { b } from '../wiring/b.ts'`, 'above `engine`'],
    ['shared/runtime/wiring/a.ts', `import { b } from '../engine/b.ts'`],
    ['shared/adapters/sqlite/a.ts', `import { b } from '../log/b.ts'`],
    ['shared/adapters/sqlite/a.ts', `import { b } from '../memory/b.ts'`, 'imports no other'],
    ['shared/adapters/jetstream/a.ts', `import { b } from '../nats/b.ts'`],
    ['shared/adapters/nats/a.ts', `import { b } from '../jetstream/b.ts'`, 'above `nats`'],
  ])
  holds(foldersPointDown)

  test('and every folder of the chains is there', () => {
    const paths = [...readTree().keys()]
    for (const [layer, chain] of chains) {
      for (const folder of chain.filter((one) => one !== '.')) {
        expect(paths.some((path) => path.startsWith(`${layer}${folder}/`))).toBe(true)
      }
    }
  })
})

describe('no file imports itself round a circle', () => {
  const circle = (back: string) =>
    new Map([
      ['shared/core/kernel/a.ts', `import { b } from './b.ts'`],
      ['shared/core/kernel/b.ts', back],
    ])

  test.each([
    [`import { a } from './a.ts'`],
    [`import type { A } from './a.ts'`],
    [`import { a } from '#core/kernel/a'`],
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

  test('fifteen files are no drawer, sixteen are', () => {
    expect(foldersStaySmall(folder(25))).toEqual([])
    expect(foldersStaySmall(folder(26))).toEqual(['test/x has 26 files: at most 25'])
  })

  holds(foldersStaySmall)
})

describe('a file is called like no other of its layer', () => {
  test('wherever it lies', () => {
    const files = new Map([
      ['shared/core/graph/change.ts', ''],
      ['shared/core/catalog/change.ts', ''],
      ['shared/runtime/authoring/change.ts', ''],
    ])
    expect(stemsAreUnique(files)).toEqual([expect.stringContaining('is called like')])
  })

  holds(stemsAreUnique)
})

describe('a name means one thing', () => {
  const two = (second: string) =>
    new Map([
      ['shared/core/kernel/a.ts', 'export const Draft = 1\nexport type Draft = number'],
      ['shared/core/graph/b.ts', second],
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
  const folder = 'shared/core/platform'
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
      [`${folder}/a-node.ts`, `import { b } from '../kernel/b.ts'`],
      ['shared/core/kernel/b.ts', `import { a } from '#platform/a'`],
    ])
    expect(noCircles(files)).toEqual([expect.stringContaining('is a circle')])
  })

  holds(halvesMatch)
})

describe('what only Node has', () => {
  tries(importsOneWay, [
    ['shared/core/kernel/crypto/private-key.ts', `import { sign } from 'node:crypto'`],
    ['shared/core/platform/a-node.ts', `import { createHash } from 'node:crypto'`],
    ['shared/core/platform/a-node.ts', `import { readFileSync } from 'node:fs'`, 'through a port'],
    ['shared/core/platform/a-browser.ts', `import { hash } from 'node:crypto'`, 'through a port'],
    ['shared/core/platform/a-node.ts', `import { a } from '../kernel/a.ts'`, 'cross no border'],
    ['shared/core/a.ts', `import { a } from '#platform/a'`],
    ['shared/runtime/a.ts', `import { a } from '#platform/a'`],
    ['shared/present/a.ts', `import { a } from '#platform/a'`, 'lower layer'],
  ])

  tries(pureStaysPure, [
    ['shared/core/a.ts', `Buffer.from('a')`, 'a browser has none'],
    ['shared/core/a.ts', 'const a = (bytes: Buffer) => bytes', 'a browser has none'],
    ['shared/core/platform/a-node.ts', `Buffer.from('a')`],
    ['shared/core/platform/a-browser.ts', `Buffer.from('a')`, 'a browser has none'],
  ])
})
