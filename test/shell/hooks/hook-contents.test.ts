// What people are shown of contents: an excerpt or the difference, never a secret, and in few words
// why there is none.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Length } from '#platform/bytes'
import { contentBytesMax, shownContents } from '#shell/hooks/hook-contents'
import type { JsonObject } from '#schemas/catalog'
import type { HookTool } from '#shell/hooks/tool-table'

const write: HookTool = { capability: 'file.write', writes: 'path', new: 'content' }
const edit: HookTool = {
  capability: 'file.write',
  reads: 'path',
  writes: 'path',
  old: 'gone',
  new: 'come',
  edits: 'edits',
}
const patch: HookTool = { capability: 'file.write', patch: 'input' }

const shown = (entry: HookTool, args: JsonObject, before: string | null = null) =>
  shownContents(entry, args, { before, isSecret: false, heredocs: [] })?.shown

test('a new file is shown whole, and one that is there by the lines that differ', () => {
  expect(shown(write, { content: 'a\nb\n' })).toEqual({ excerpt: '+a\n+b' })
  expect(shown(write, { content: 'a\nc\n' }, 'a\nb\n')).toEqual({
    excerpt: '@@ line 2 @@\n-b\n+c',
  })
})

test('an edit is shown where it is in the file, or by its texts', () => {
  const one = { gone: 'b', come: 'c' }
  expect(shown(edit, one, 'a\nb\n')).toEqual({ excerpt: '@@ line 2 @@\n-b\n+c' })
  expect(shown(edit, one, 'elsewhere')).toEqual({ excerpt: '-b\n+c' })
  expect(shown(edit, one)).toEqual({ excerpt: '-b\n+c' })
  const more = { edits: [one, { gone: 'a', come: '' }] }
  expect(shown(edit, more, 'a\nb\n')).toEqual({ excerpt: '@@ line 1 @@\n-a\n-b\n+\n+c' })
  expect(shown(edit, more)).toEqual({ excerpt: '-b\n+c\n-a' })
})

test('a patch is shown as it is', () => {
  expect(shown(patch, { input: '*** Update File: a\n+x' })).toEqual({
    excerpt: '*** Update File: a\n+x',
  })
})

test('nothing of a secret is shown, of what is no text, and of what is too large', () => {
  const key = 'AKIAIOSFODNN7EXAMPLE'
  expect(shown(write, { content: `key=${key}` })).toEqual({ unseen: 'secret' })
  expect(shown(edit, { gone: 'b', come: 'c' }, `b ${key}`)).toEqual({ unseen: 'secret' })
  const secret = { before: null, isSecret: true, heredocs: [] }
  expect(shownContents(write, { content: 'a' }, secret)).toEqual({
    shown: { unseen: 'secret' },
    whole: null,
  })
  expect(shown(write, { content: 'a\u0000b' })).toEqual({ unseen: 'binary' })
  expect(shown(write, { content: 'x'.repeat(contentBytesMax) })).toHaveProperty('excerpt')
  expect(shown(write, { content: 'x'.repeat(contentBytesMax + 1) })).toEqual({
    unseen: 'too_large',
  })
})

test('an edit that would make a huge file is shown by its texts', () => {
  const huge = { gone: 'a', come: 'b'.repeat(100_000) }
  expect(shown(edit, huge, 'a'.repeat(100_000))?.excerpt?.startsWith('-a\n+b')).toBe(true)
})

test('an excerpt has at most four kilobytes, and says how much is left out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const content = `${text}${'ä '.repeat(3_000)}`
      const { excerpt, unseen } = shown(write, { content }) ?? {}
      if (unseen !== undefined) return
      expect(utf8Length(excerpt ?? '')).toBeLessThanOrEqual(4_096)
      expect(excerpt).toMatch(/\n\[\d+ more bytes\]$/)
    }),
  )
})
