// A callback module must be one file whose digest covers all that runs: what reaches for another is
// found wherever it hides, and what only looks like it is left alone.
import { describe, expect, test } from 'vitest'
import { exportedNames, moduleUrl } from '#runtime/callbacks/module'
import { Fault } from '#record/fault'

/** The message of the fault that the module is refused with, or null. */
function refusalOf(source: string): string | null {
  try {
    moduleUrl(source)
    return null
  } catch (error) {
    if (error instanceof Fault && error.code === 'callbacks_invalid') return error.message
    throw error
  }
}

const check = 'export const check = () => ({ passed: true })'

describe('a module that reaches for another is refused', () => {
  test.each([
    ['an import', `import { readFileSync } from 'node:fs'`],
    ['a bare import', `import 'node:fs'`],
    ['an import of types and more', `import { type Stats, statSync } from 'node:fs'`],
    ['a dynamic import', `const x = async () => import('node:fs')`],
    ['one in a template literal', 'const x = () => `${import("node:fs")}`'],
    ['one deep in template literals', 'const x = () => `a ${`b ${import("node:fs")}`}`'],
    ['one behind a regular expression that holds a quote', `const q = /"/; import('node:fs') // "`],
    ['one behind a regular expression that opens a comment', `const q = /[/*]/; import('node:fs')`],
    ['one behind a division', `const q = 1 / 2; const x = import('node:fs') / 2`],
    ['one with a comment within', `const x = () => import/* */('node:fs')`],
    ['one in a default', `const x = (a = import('node:fs')) => a`],
    ['one in a class', `class A { static { import('node:fs') } }`],
    ['one as a decorated tag', 'const x = (t: any) => t`${import("node:fs")}`'],
    ['all exports of another', `export * from 'node:fs'`],
    ['all exports of another, named', `export * as fs from 'node:fs'`],
    ['an export of another', `export { readFileSync } from 'node:fs'`],
    ['an export of another over lines', `export {\n  readFileSync\n}\nfrom 'node:fs'`],
    ['an empty export of another', `export {} from 'node:fs'`],
    ['what a module knows of itself', `const x = () => import.meta.url`],
    ['the same in a template literal', 'const x = () => `${import.meta.url}`'],
  ])('%s', (_, line) => {
    expect(refusalOf(`${line}\n${check}`)).toMatch(/must be one file/)
  })
})

test.each([
  `import type { Nothing } from './nothing'`,
  `export type { Nothing } from './nothing'`,
  `const x = "import('node:fs')"`,
  `// import 'node:fs'`,
  `/* import('node:fs') */`,
  'const x = `import("node:fs")`',
  `const x = /import('node:fs')/`,
  `const x = { import: 1 }.import`,
  `function x() { return new.target }`,
  `const y = 1; export { y as z }`,
])('what only looks like it is left alone: %s', (line) => {
  expect(refusalOf(`${line}\n${check}`)).toBe(null)
})

test.each([
  ['what is no TypeScript', 'const x = {\n  a: 1\n  b: 2 }', 'line 3, column 3'],
  ['what ends too early', 'export const check = (', 'line 1, column 23'],
  ['what is more than types', 'const x = 1\nenum A { B }', 'line 2, column 1'],
  ['an import', `const x = 1\n  import('node:fs')`, 'line 2, column 3'],
])('the refusal of %s names the place', (_, source, place) => {
  const message = refusalOf(source)
  expect(message).toContain(place)
  expect(message).not.toContain('[object')
})

test('the names of exported functions are found by the tree', () => {
  const source = `
    export const a = (): boolean => true, b = () => true
    export async function c() {}
    function d() {}
    export { d as e, d as 'f' }
    const text = \`
export const no = 1\`
    // export const neither = 1`
  expect(exportedNames(source).toSorted()).toEqual(['a', 'b', 'c', 'e', 'f'])
})
