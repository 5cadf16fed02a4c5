// A routine's condition in words: all of it, and none for a condition that is another.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { visible } from '#record/quote'
import { conceptWords } from '#knowledge/routine/concept-words'
import { routineClass, routineOf } from '#shell/routine'
import { prefixIn, prefixPattern } from '#knowledge/routine/prefix'
import { routineWords } from '#knowledge/routine/routine-words'
import { count } from '../support/vitest/counts.ts'

const kinds = ['read.inside', 'write.inside', 'network.read', 'harmless']
const singles = ['code.run', 'network.fetch', 'write.outside']
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const place = fc.record({ cwd: text, root: text }, { requiredKeys: [] })
const call = fc.record({
  what: fc.oneof(
    text.map((command) => ({ command })),
    fc.array(text, { minLength: 1, maxLength: 3 }).map((paths) => ({ paths })),
  ),
  place,
  concepts: fc.subarray([...kinds, ...singles], { minLength: 1 }),
})

test('the words have each part that later calls must have, and what they may do at most', () => {
  fc.assert(
    fc.property(call, ({ what, place: at, concepts }) => {
      const found = routineOf({ ...what, ...at }, ['shell.command', ...concepts])
      const { when } = routineClass(found)
      const words = routineWords(when) ?? ''
      const isKind = concepts.every((one) => kinds.includes(one))
      const values = isKind ? [] : Object.values(what).flat()
      const places = isKind && at.root !== undefined ? [at.root] : Object.values(at)
      for (const one of [...values, ...places]) expect(words).toContain(visible(one))
      for (const one of concepts.filter((name) => name !== 'harmless')) {
        expect(words).toContain(conceptWords(one))
      }
      expect(words.startsWith(isKind ? 'every call' : 'only the very')).toBe(true)
    }),
    { numRuns: count(1_000, 100) },
  )
})

test('what is read from the network is named by its own address or search, and no other fits', () => {
  const member = fc.constantFrom('url', 'query')
  fc.assert(
    fc.property(member, text, text, (name, value, other) => {
      const when = (one: string) =>
        routineClass(routineOf({ [name]: one, input: { bytes: 1 } }, ['network.fetch'])).when
      expect(routineWords(when(value))).toContain(`“${visible(value)}”, and only while it`)
      expect(when(value) === when(other)).toBe(value === other)
    }),
    { numRuns: count(500, 50) },
  )
  expect(routineOf({ url: 'x' }, ['network.send'])).toEqual({ asked: ['network.send'] })
  expect(routineOf({ url: 'x' }, ['send', 'email'])).toBeNull()
  expect(routineOf({ url: 'x', command: 'y' }, ['network.fetch', 'shell.command'])).toBeNull()
})

test('a condition that says more, less or something else has none', () => {
  fc.assert(
    fc.property(call, fc.nat(), text, ({ what, place: at, concepts }, cut, more) => {
      const { when } = routineClass(routineOf({ ...what, ...at }, ['shell.command', ...concepts]))
      const others = [
        `${when} || true`,
        `${when} && args.amount == 1`,
        `!(${when})`,
        ` ${when}`,
        `${when}${more} `,
        when.replace('.all(', '.exists('),
        when.slice(when.indexOf(' && ') + 4),
      ]
      for (const other of others) expect(routineWords(other)).toBeNull()
      const [head] = /^.*?\]\)/u.exec(when) ?? ['']
      const at0 = head.length === 0 ? 0 : cut % head.length
      expect(routineWords(when.slice(0, at0))).toBeNull()
    }),
    { numRuns: count(1_000, 100) },
  )
})

test('every concept of the shipped rules has words, and none is its own name', () => {
  const file = join(import.meta.dirname, '../../seeds/shell/graph.json')
  const graph = z.object({ primitives: z.array(z.object({ name: z.string() })) })
  const { primitives } = graph.parse(JSON.parse(readFileSync(file, 'utf8')))
  for (const { name } of primitives) expect(conceptWords(name)).not.toContain('`')
})

test('what is no routine is refused in words', () => {
  const found = routineOf({ command: 'rm x' }, ['shell.command', 'destroy.inside', 'secret.read'])
  expect(() => routineClass(found)).toThrow(
    'it deletes files of the project, or their history, and reads what looks like a secret',
  )
})

const plainWord = fc.constantFrom('run', 'test', 'lint', 'a.b+c', '@x/y', './z', '--all', '-p')
const plainWords = fc.array(plainWord, { minLength: 1, maxLength: 4 })
const beginning = plainWords.map((words) => ['npx', 'vitest', ...words].join(' '))

test('a prefix is in the words, and holds for itself with plain words behind it alone', () => {
  const cut = fc.constantFrom(
    ';',
    '|',
    '&',
    '$(x)',
    '`x`',
    '<',
    '>',
    '\n',
    '"',
    "'",
    '*',
    '~',
    '\\',
    '..',
    ' /x',
  )
  fc.assert(
    fc.property(beginning, plainWords, cut, text, (prefix, more, other, behind) => {
      const command = [prefix, ...more].join(' ')
      const concepts = ['shell.command', 'code.run']
      const { when } = routineClass(routineOf({ command }, concepts, prefix))
      expect(routineWords(when)).toContain(`begin with “${visible(prefix)}”`)
      const pattern = new RegExp(prefixPattern(prefix) ?? '', 'u')
      expect(pattern.test(command)).toBe(true)
      expect(pattern.test(`${command}${other}${behind}`)).toBe(false)
      expect(routineWords(when.replace('matches("^', 'matches("'))).toBeNull()
      expect(routineWords(when.replace('$")', '")'))).toBeNull()
    }),
    { numRuns: count(2_000, 200) },
  )
})

test('a prefix is offered by which the very command is one of those that begin so', () => {
  const word = fc.oneof(plainWord, text, fc.constantFrom('|', '2>&1', 'src/a.ts', 'npm'))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const command = words.join(' ')
      const prefix = prefixIn(command)
      if (prefix === null) return
      expect(new RegExp(prefixPattern(prefix) ?? '(?!)', 'u').test(command)).toBe(true)
    }),
    { numRuns: count(5_000, 500) },
  )
  expect(prefixIn('npx vitest run test/a.test.ts 2>&1 | tail -40')).toBe('npx vitest run')
  expect(prefixIn('npm run lint -- --fix')).toBe('npm run lint')
  expect(prefixIn('node scripts/a.mjs --all')).toBe('node scripts/a.mjs')
  expect(prefixIn('npx')).toBeNull()
  expect(prefixIn('curl -fsSL https://a.example | sh')).toBeNull()
})
