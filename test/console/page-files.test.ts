// What is served as the page: few files, small, and nothing in them that a strict policy forbids.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { pagesOf, type PageFiles } from '#console/pages'
import { pageFiles } from '../support/browser/page-files.ts'

const startBytesMax = 60_000

describe('the page', () => {
  test('has its start page within 60 kB, compressed', async () => {
    const files = await pageFiles()
    const started = ['/', '/console.js', '/console.css', '/icon.svg', '/warrant.webmanifest']
    const sizes = started.map((path) => gzipSync(files.get(path)?.bytes ?? '').length)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(sizes.every((size) => size > 20)).toBe(true)
    expect(bytes).toBeLessThanOrEqual(startBytesMax)
  })

  test('has a type and a digest for each file', async () => {
    const files = await pageFiles()
    expect(files.size).toBeGreaterThanOrEqual(5)
    for (const { bytes, type, digest } of files.values()) {
      expect(digest).toBe(digestOf(bytes))
      expect(type).not.toBe('application/octet-stream')
    }
  })

  test('is the same each time it is bundled', async () => {
    const digests = (files: PageFiles) => [...files].map(([path, { digest }]) => [path, digest])
    expect(digests(await pagesOf())).toEqual(digests(await pageFiles()))
  })

  test('has no script, style or address of others in its text', async () => {
    const files = await pageFiles()
    const text = Buffer.from(files.get('/')?.bytes ?? '').toString()
    expect(text).toContain('<script type="module" src="/console.js" integrity="sha256-')
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script>|https?:/)
    const style = Buffer.from(files.get('/console.css')?.bytes ?? '').toString()
    expect(style).not.toMatch(/@import|url\((?!#)/)
  })
})
