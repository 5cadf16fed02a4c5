// What people read is as wide as their terminal: lines break between words, tables between cells,
// and nothing that has to be copied is broken.
import { describe, expect, test } from 'vitest'
import { hasColours } from '#cli/terminal/colours'
import { csvLine } from '#cli/terminal/csv'
import { toned } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import { terminalColumns, wrapped } from '#cli/terminal/width'
import { peopleLine } from '#cli/terminal/opening/people-line'

describe('a line that is too long', () => {
  test('goes on below its first word, in the same tone', () => {
    expect(wrapped(['  - one two three'], 20)).toEqual(['  - one two three'])
    expect(wrapped([toned('bad', '    known: alpha beta gamma')], 20)).toEqual([
      toned('bad', '    known: alpha'),
      toned('bad', '    beta gamma'),
    ])
    expect(wrapped(['- alpha beta gamma delta'], 18)).toEqual(['- alpha beta gamma', '  delta'])
  })

  test('never breaks a word, and stays as it is where there is no terminal', () => {
    const word = 'x'.repeat(60)
    expect(wrapped([`trace ${word} now`], 20)).toEqual(['trace', word, 'now'])
    const long = 'a b '.repeat(200)
    expect(wrapped([long], null)).toEqual([long])
    expect(terminalColumns({ columns: 0 })).toBeNull()
    expect(terminalColumns({ columns: 72 })).toBe(72)
  })
})

describe('a table on a narrow terminal', () => {
  const head = ['id', 'what it says']
  const rows = [
    ['one', 'alpha beta gamma delta'],
    ['two', 'short'],
  ]

  test('breaks the widest cells between words', () => {
    expect(tableLines(head, rows, 20)).toEqual([
      toned('strong', 'id   what it says'),
      'one  alpha beta',
      '     gamma delta',
      'two  short',
    ])
  })

  test('becomes a list where its words do not fit beside each other', () => {
    const names = ['first', 'second', 'third']
    const wide = [['a'.repeat(18), 'b'.repeat(18), 'c']]
    expect(tableLines(names, wide, 30)).toEqual([
      `first   ${'a'.repeat(18)}`,
      `second  ${'b'.repeat(18)}`,
      'third   c',
      '',
    ])
  })
})

test('colours are for terminals, unless the environment says otherwise', () => {
  expect(hasColours(true, {})).toBe(true)
  expect(hasColours(true, { TERM: 'dumb' })).toBe(false)
  expect(hasColours(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false)
  expect(hasColours(false, {})).toBe(false)
  expect(hasColours(false, { FORCE_COLOR: '1' })).toBe(true)
  expect(hasColours(true, { FORCE_COLOR: '0' })).toBe(false)
})

test('CSV is quoted where it must be, and holds no formula', () => {
  expect(csvLine(['a', 1, null, true])).toBe('a,1,,true\r\n')
  expect(csvLine(['a,b', 'say "x"', 'two\nlines'])).toBe('"a,b","say ""x""","two\nlines"\r\n')
  expect(csvLine(['=1+1', '@x', '-2', -2])).toBe("'=1+1,'@x,'-2,-2\r\n")
})

describe('a log line at a terminal', () => {
  const line = (fields: object): string => peopleLine(JSON.stringify({ time: 0, ...fields }))

  test('says that agents may come, and where', () => {
    const running = { level: 30, msg: 'stages running', log: 'log.db', realm: 'main' }
    expect(line({ ...running, stages: ['policy'], listen: 'http://127.0.0.1:1' })).toMatch(
      /ready, waiting for agents on log\.db, health at http:\S+ \(policy; Ctrl-C ends it\)\n$/,
    )
  })

  test('says what went wrong and why, and hides no control characters', () => {
    const error = { code: 'log_busy', message: 'x\u001b[2J', cause: { message: 'y' } }
    const said = line({ level: 40, msg: 'log out of reach', error })
    expect(said).toContain('warning: log out of reach: x\\u{1b}[2J (log_busy), since y')
    expect(peopleLine('no json\n')).toBe('no json\n')
  })
})
