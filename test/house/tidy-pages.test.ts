// Pages for people who change the code name what is there.
import { describe, expect, test } from 'vitest'
import { packages } from './tidy/packages.ts'
import {
  packedLinksLead,
  pageHasPackages,
  pagesAreFound,
  pagesNamePaths,
  pagesNameScripts,
} from './tidy/pages.ts'
import { holds } from './tidy/tried.ts'

const tree = (pages: Readonly<Record<string, string>>) => {
  const files = { 'shared/record/json.ts': '', 'package.json': '{"scripts":{"check":"x"}}' }
  return new Map(Object.entries({ ...files, ...pages }))
}

describe('paths', () => {
  const there = ['shared/record/json.ts', 'shared/record/', 'shared/record/<folder>/', 'a/b.ts']
  test.each(there)('`%s` may be named', (path) => {
    expect(pagesNamePaths(tree({ 'README.md': `see \`${path}\`` }))).toEqual([])
  })

  test.each(['shared/record/gone.ts', 'shared/gone/', 'shared/record'])(
    '`%s` is not there',
    (path) => {
      for (const page of ['README.md', 'services/workers/policy/README.md']) {
        const found = pagesNamePaths(tree({ [page]: `see \`${path}\`` }))
        expect(found).toEqual([`${page}: \`${path}\` is not there`])
      }
      expect(pagesNamePaths(tree({ 'CHANGELOG.md': `see \`${path}\`` }))).toEqual([])
    },
  )

  holds(pagesNamePaths)
})

describe('scripts', () => {
  test('must be of the package', () => {
    expect(pagesNameScripts(tree({ 'README.md': '`npm run check`, `npm run -s check`' }))).toEqual(
      [],
    )
    expect(pagesNameScripts(tree({ 'README.md': '`npm run gone`' }))).toEqual([
      'README.md: no script is called `gone`',
    ])
  })

  holds(pagesNameScripts)
})

describe('links of the package', () => {
  const manifest = '{"files":["docs","clients/python/README.md"]}'
  const packed = (pages: Readonly<Record<string, string>>) =>
    new Map(Object.entries({ 'package.json': manifest, ...pages }))

  test('lead to what is packed', () => {
    const pages = {
      'docs/A.md': '[b](B.md#c) [p](../clients/python/README.md) [w](https://a.example)',
    }
    const there = { 'docs/B.md': '', 'clients/python/README.md': '[a](../../docs/A.md)' }
    expect(packedLinksLead(packed({ ...pages, ...there }))).toEqual([])
  })

  test.each(['../schemas/a.ts', 'GONE.md', '../clients/python/src'])(
    'to `%s` leads nowhere',
    (link) => {
      const found = packedLinksLead(packed({ 'docs/A.md': `[a](${link})`, 'schemas/a.ts': '' }))
      expect(found).toEqual([expect.stringContaining('docs/A.md: the package has no')])
    },
  )

  holds(packedLinksLead)
})

describe('the packages', () => {
  const lines = [...packages.values()].map(({ folder }) => `- \`${folder}\`: what it is`)

  test('are on the page, all and in order', () => {
    const page = lines.join('\n')
    expect(pageHasPackages(tree({ 'ARCHITECTURE.md': page }))).toEqual([])
    const [first = '', second = '', ...rest] = lines
    const swapped = [second, first, ...rest].join('\n')
    expect(pageHasPackages(tree({ 'ARCHITECTURE.md': swapped }))).toHaveLength(1)
    const shorter = rest.join('\n')
    expect(pageHasPackages(tree({ 'ARCHITECTURE.md': shorter }))).toHaveLength(2)
  })

  holds(pageHasPackages)
})

describe('pages are found', () => {
  const index = { 'docs/run/README.md': '# Run\n\nFor operators.\n\n- [A](a.md)' }
  const page = '# A\n\nFor operators.'

  test('by their index, and say for whom they are', () => {
    expect(pagesAreFound(tree({ ...index, 'docs/run/a.md': page }))).toEqual([])
    expect(pagesAreFound(tree({ ...index, 'docs/run/b.md': page }))).toEqual([
      'docs/run/b.md is not in docs/run/README.md: list it',
    ])
    expect(pagesAreFound(tree({ ...index, 'docs/run/a.md': '# A\n\nIt runs.' }))).toEqual([
      'docs/run/a.md does not begin with whom it is for',
    ])
  })

  test('and README is read to its end', () => {
    expect(pagesAreFound(tree({ 'README.md': '\n'.repeat(120) }))).toEqual([])
    expect(pagesAreFound(tree({ 'README.md': '\n'.repeat(121) }))).toHaveLength(1)
  })

  holds(pagesAreFound)
})
