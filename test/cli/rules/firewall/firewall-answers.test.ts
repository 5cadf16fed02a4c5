// `redact` and `frame` as programs: every answer to the letter, keys in the order that is promised.
import { describe, expect, test } from 'vitest'
import { answersExactly, warrant } from '../../offline/program.ts'

describe('redact', () => {
  test('answers with the value and what was done where', async () => {
    await answersExactly(
      ['redact'],
      [
        [{ value: { to: 'ann@example.com' } }, redacted('{"to":"[REDACTED]"}', ['/to'])],
        [{ value: 'nothing here' }, '{"value":"nothing here","warnings":[]}'],
        [{ value: 4_111_111_111_111_111 }, redacted('"[REDACTED]"', [''])],
        [
          { value: { 'ann@example.com': 1, 'bob@example.com': 2 } },
          redacted('{"[REDACTED]":1,"[REDACTED]#2":2}', ['/[REDACTED]', '/[REDACTED]#2']),
        ],
        [
          { value: { a: 1, b: 2 }, allowedFields: ['a'] },
          '{"value":{"a":1},"warnings":[{"code":"field_dropped","path":"/b"}]}',
        ],
        [{ value: { a: 1 }, allowedFields: [], maxDepth: null }, redacted('{"a":1}', [])],
        [
          { value: { a: {} }, maxDepth: 1 },
          '{"value":{"a":"[REDACTED: nested data beyond depth limit]"},' +
            '"warnings":[{"code":"depth","path":"/a"}]}',
        ],
        [{ value: null }, '{"value":null,"warnings":[]}'],
      ],
    )
  })

  test('answers a line that it cannot read with an error, and the others', async () => {
    const lines = ['{}', '{"value":1,"maxDepth":-1}', '{"value":1,"x":2}', '{', '{"value":1}']
    const { code, answers } = await warrant(['redact'], lines.join('\n'))
    const codes = answers
      .trim()
      .split('\n')
      .map((line) => {
        const { error } = JSON.parse(line)
        return error === undefined ? 'value' : `${error.code} ${error.line}`
      })
    expect(codes).toEqual([
      'line_invalid 1',
      'line_invalid 2',
      'line_invalid 3',
      'not_json 4',
      'value',
    ])
    expect(code).toBe(6)
  })

  function redacted(value: string, paths: readonly string[]): string {
    const warnings = paths.map((path) => ({ code: 'field_redacted', path }))
    return `{"value":${value},"warnings":${JSON.stringify(warnings)}}`
  }
})

describe('frame', () => {
  const value = [{ id: 1 }, { id: 2 }]

  test('is a summary where no mode is given', async () => {
    const facts = '["Total rows: 2","Top keys: id","id: min=1.00, max=2.00, avg=1.50"]'
    await answersExactly(
      ['frame'],
      [[{ value }, `{"mode":"summary","facts":${facts},"handle":{"rows":2},"warnings":[]}`]],
    )
  })

  test('is a table of the rows that are allowed', async () => {
    await answersExactly(
      ['frame', '--mode', 'table'],
      [
        [
          { value },
          '{"mode":"table","table":[{"id":1},{"id":2}],"handle":{"rows":2},"warnings":[]}',
        ],
        [
          { value, constraints: { max_rows: 1, other: true } },
          '{"mode":"table","table":[{"id":1}],"handle":{"rows":2},' +
            '"warnings":[{"code":"rows","path":""}]}',
        ],
      ],
    )
  })

  test('is a handle, or all of it for administrators', async () => {
    await answersExactly(
      ['frame', '--mode', 'handle_only'],
      [[{ value }, '{"mode":"handle_only","handle":{"rows":2},"warnings":[]}']],
    )
    await answersExactly(
      ['frame', '--mode', 'raw'],
      [
        [
          { value, roles: ['admin'] },
          '{"mode":"raw","raw":[{"id":1},{"id":2}],"handle":null,"warnings":[]}',
        ],
        [
          { value: 1 },
          '{"mode":"summary","facts":["1"],"handle":{"rows":1},' +
            '"warnings":[{"code":"mode","path":""}]}',
        ],
      ],
    )
  })

  test('of constraints that no rule writes is an error of that line', async () => {
    const line = '{"value":1,"constraints":{"max_rows":"abc"}}'
    const { code, answers } = await warrant(['frame'], `${line}\n{"value":1}\n`)
    expect(answers).toContain('"code":"line_invalid","message":"constraints/max_rows: ')
    expect(answers).toContain('"facts":["1"]')
    expect(code).toBe(6)
  })

  test('of an unknown mode is an error of usage', async () => {
    const { code, answers } = await warrant(['frame', '--mode', 'all'], '{"value":1}\n')
    expect(answers).toBe('')
    expect(code).toBe(2)
  })
})
