import { mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readTree } from '../house/tidy/tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { siteFiles } from '../../docs/site/build.ts'
import { rendered } from '../../docs/site/markdown.ts'
import { pagesIn, placeOf } from '../../docs/site/pages.ts'

let files: ReadonlyMap<string, string | Uint8Array>
beforeAll(async () => {
  files = await siteFiles()
})

const textOf = (place: string): string => String(files.get(place) ?? '')

test('every page of the documentation is on the site, and no link leads nowhere', () => {
  const pages = [...readTree().keys()].filter((path) => /^docs\/.+\.md$/.test(path))
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.filter((path) => !files.has(placeOf(path)))).toEqual([])
  const dead = [...files].flatMap(([from, content]) => {
    if (!from.endsWith('.html')) return []
    const links = [...String(content).matchAll(/ (?:href|src)="([^"]*)"/g)]
    return links.flatMap(([, link = '']) => {
      const { origin, pathname, hash } = new URL(link, `http://site/${from}`)
      const target = decodeURIComponent(pathname.slice(1))
      const isOurs = origin === 'http://site'
      const id = hash === '' ? '' : ` id="${decodeURIComponent(hash.slice(1))}"`
      return !isOurs || (textOf(target).includes(id || '') === true && files.has(target))
        ? []
        : [`${from}: ${link}`]
    })
  })
  expect(dead).toEqual([])
})

/** What would load from elsewhere, or stands where the policy of the site refuses it. */
const loading: Readonly<Record<string, RegExp>> = {
  '.html': new RegExp(
    '<(?:link|script|img|iframe|source|object|embed)\\b[^>]*//[^>]*>' +
      '|<style\\b|<script>| style="| on\\w+="',
    'g',
  ),
  '.css': /https?:|url\(|@import/g,
  // The names of schemas are addresses as well, which no one asks.
  '.js': /XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|\bimport\(["'`]http/g,
}

test('nothing is loaded from elsewhere, and no page has a script or a style of its own', () => {
  const wrong = [...files].flatMap(([place, content]) => {
    const text = String(content)
    return [...text.matchAll(loading[extname(place)] ?? /$^/g)].map(([found]) => {
      return `${place}: ${found}`
    })
  })
  expect(wrong).toEqual([])
  for (const [place, content] of files) {
    if (place.endsWith('.html')) expect(String(content)).toContain("default-src 'none'")
  }
})

test('HTML of a page is shown as text, and no link runs something', () => {
  const { html } = rendered('# A\n\n<script>x()</script> [b](javascript:x()) `<i>`', (link) => link)
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<script')
  expect(html).not.toContain('href="javascript')
})

test.each([
  ['[b](gone.md)', 'there is no `gone.md`'],
  ['[b](#gone)', 'no such heading'],
  ['[b](../out.md)', 'there is no `../out.md`'],
])('a page with %s stops the build', async (text, message) => {
  const root = await temporaryFolder()
  await mkdir(root, { recursive: true })
  await writeFile(join(root, 'README.md'), `# A\n\n${text}\n`)
  expect(() => pagesIn(root)).toThrow(message)
})

test('a picture from elsewhere stops the build', () => {
  expect(() => rendered('![a](https://example.org/a.png)', (link) => link)).toThrow('picture')
})
