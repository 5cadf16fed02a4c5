// Plain words are kept by a list, tried on planted text first.
import { describe, expect, test } from 'vitest'
import { holds, tries } from './tidy/tried.ts'
import { apostrophesAreApostrophes, dialect, pagesAreNarrow, speaksPlainly } from './tidy/words.ts'

/** For each word, text that has it, and beside it plain text that looks like it. */
const planted: readonly (readonly [word: string, has: string, plain: string])[] = [
  ['mend', '// how to mend it', '// a recommendation'],
  ['whoever', '// whoever reads it', '// who ever reads it'],
  ['nobody', "test('nobody asks')", '// no body of a request'],
  ['somebody', '// for everybody', '// every body of a request'],
  ['can not', '// it can not be read', '// it can, not by accident, be read'],
  ['anew', '// writes it anew', '// a newcomer'],
  ['in vain', 'const inVain = 1', '// in vainness'],
  ['taught', 'function isTaught() {}', "run(['proposals', 'teach'])"],
  ['hear', 'const heardAt = 1', '// the heart of it'],
  ['tell', '// is told why', '// it cannot tell'],
  ['he', '// reads his own', '// reads this one'],
  ['laid hands', '// laid hands on it', '// laid out by hand'],
  ['comes again', '// the job comes again', '// it comes, and again'],
  ['is none', '// a number that is none', '// there is none'],
  ['is no number', "'it is no number'", "'it is not a number'"],
  ['spent', '// its name is spent', '// its name is used'],
  ['is said', '// what is said of it', '// she said it'],
  ['series', 'interface Series {}', 'interface Sequence {}'],
  ['an era turns', 'const eraTurns = 1', '// an era, turn by turn'],
  ['call off', 'callOff()', '// call it off'],
  ['is over', 'readonly isOver: boolean', '// this overlaps'],
  ['let go', 'letGo(world)', '// let it go'],
  ['kase', 'const kase = 1', 'const testCase = 1'],
  ['scenery', 'interface Scenery {}', '// a scene'],
  ['looking on', 'lookingOn(job)', '// looking at it'],
  ['bell', 'class Bell {}', '// a label'],
]

describe('plain words', () => {
  test('each word of the list is planted', () => {
    expect(planted.map(([word]) => word)).toEqual(dialect.map(({ word }) => word))
  })

  test.each(planted)('%s: %s', (word, has, plain) => {
    const left = dialect.find((each) => each.word === word)?.left ?? 0
    const found = (text: string): readonly string[] =>
      speaksPlainly(new Map([['shared/rules/a.ts', `${text}\n`.repeat(left + 1)]]))
    expect(found(has)).toContainEqual(expect.stringContaining(`“${word}”`))
    expect(found(plain)).toEqual([])
  })

  test('what quotes them is not read', () => {
    const text = 'anew\n'.repeat(1000)
    expect(speaksPlainly(new Map([['CHANGELOG.md', text]]))).toEqual([])
    expect(speaksPlainly(new Map([['docs/A.md', text]]))).not.toEqual([])
  })

  holds(speaksPlainly)
})

describe('apostrophes', () => {
  tries(apostrophesAreApostrophes, [
    ['shared/rules/a.ts', '// agent`s', 'an apostrophe'],
    ['shared/rules/a.ts', '// agent’s'],
    ['shared/rules/a.ts', '// all `alice`s'],
    ['shared/rules/a.ts', 'const a = `${b}s`'],
  ])
})

describe('pages are narrow', () => {
  tries(pagesAreNarrow, [
    ['docs/A.md', 'x'.repeat(120)],
    ['docs/A.md', 'x'.repeat(121), 'has 121 columns'],
    ['docs/A.md', `| ${'x'.repeat(121)} |`, 'has 125 columns'],
    ['docs/A.md', `<https://example.org/${'x'.repeat(121)}>`],
  ])
  holds(pagesAreNarrow)
})
