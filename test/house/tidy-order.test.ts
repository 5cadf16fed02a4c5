// The order of folders, executable: each rule is tried on a planted violation and on its neighbour.
import { describe, expect, test } from 'vitest'
import {
  chains,
  foldersPointDown,
  foldersStaySmall,
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
    expect(foldersStaySmall(folder(15))).toEqual([])
    expect(foldersStaySmall(folder(16))).toEqual(['test/x has 16 files: at most 15'])
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
