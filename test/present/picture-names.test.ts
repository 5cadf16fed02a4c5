// Whatever someone called something, in a picture it is a name: nothing in it is taken for the
// language that the picture is written in, and nothing is hidden.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Picture } from '#present/picture/picture'
import { readBoth } from './picture-reading.ts'
import { count } from '../support/vitest/counts.ts'

const hostile = [
  '"]; click n0 "javascript:alert(1)"',
  'end',
  'graph',
  '<script>alert(1)</script>',
  '<b>loud</b>',
  '\\N \\G \\E \\l \\',
  '&lt; &#34; &amp;',
  '#quot; #35; ﬂ°°34¶ß',
  '%%{init: {"securityLevel": "loose"}}%%',
  '--> n1',
  ']):::missing',
  '|no| n0',
  '`**loud** _soft_`',
  '1. list',
  '- list',
  'fa:fa-trash',
  '$$x^2$$',
  '__proto__',
  'constructor',
  '日本語 ÉCHO שלום',
  '🦊 emoji',
]

/** As they are, and as they are shown. */
const hidden = [
  ['two\nlines', 'two\\u{a}lines'],
  ['\u202egnp.exe', '\\u{202e}gnp.exe'],
  ['zero\u200bwidth', 'zero\\u{200b}width'],
  ['beep\u0007', 'beep\\u{7}'],
  ['\u2066isolated\u2069', '\\u{2066}isolated\\u{2069}'],
  ['half\ud83d', 'half\\u{d83d}'],
] as const

/** A picture of one box of that name, with an edge to itself under a policy of that name. */
function named(name: string): Picture {
  return {
    nodes: [{ name, level: 2, notes: [], state: 'plain' }],
    edges: [
      {
        source: 0,
        target: 0,
        relation: { type: 'APPLIES_TO', sourceDepth: 1, targetDepth: 2 },
        policies: [name],
        state: 'plain',
      },
    ],
    omitted: 0,
  }
}

test.each(hostile)('a name is not what it looks like: %j', async (name) => {
  for (const { boxes, arrows } of await readBoth(named(name))) {
    expect([...boxes]).toEqual([['n0', [name, 'D2']]])
    expect(arrows).toMatchObject([
      { source: 'n0', target: 'n0', lines: ['APPLIES_TO D1 → D2', `policy ${name}`] },
    ])
  }
})

test.each(hidden)('nothing is hidden in a name: %j', async (name, shown) => {
  for (const { boxes } of await readBoth(named(name))) {
    expect(boxes.get('n0')).toEqual([shown, 'D2'])
  }
})

test('a name is a name, whatever it is', async () => {
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 70 })
  await fc.assert(
    fc.asyncProperty(printable, async (name) => {
      for (const { boxes } of await readBoth(named(name))) {
        expect(boxes.get('n0')).toEqual([name, 'D2'])
      }
    }),
    { numRuns: count(200, 60) },
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), async (name) => {
      for (const { boxes, arrows } of await readBoth(named(name))) {
        expect(boxes.size).toBe(1)
        expect(boxes.get('n0')?.at(-1)).toBe('D2')
        expect(arrows).toHaveLength(1)
      }
    }),
    { numRuns: count(200, 60) },
  )
})

test('a long name is cut', async () => {
  for (const { boxes } of await readBoth(named('x'.repeat(81)))) {
    expect(boxes.get('n0')?.[0]).toBe(`${'x'.repeat(79)}…`)
  }
  for (const { boxes } of await readBoth(named('x'.repeat(80)))) {
    expect(boxes.get('n0')?.[0]).toBe('x'.repeat(80))
  }
})
