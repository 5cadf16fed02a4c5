import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineDepthMax, readLines, writeLine, type NdjsonLine } from '#record/ndjson'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

async function linesOf(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  lineBytesMax = 1000,
): Promise<readonly NdjsonLine[]> {
  const lines: NdjsonLine[] = []
  for await (const line of readLines(chunks, { lineBytesMax })) lines.push(line)
  return lines
}

/** Each line as its number and what came of it. */
async function read(text: string, lineBytesMax?: number): Promise<readonly unknown[]> {
  const lines = await linesOf([utf8(text)], lineBytesMax)
  return lines.map(({ line, value, error }) => [line, error === undefined ? value : error.code])
}

describe('a bad line', () => {
  test.each([
    ['{"a":1', 'not_json'],
    ['hello', 'not_json'],
    ['NaN', 'not_json'],
    ['{"a":-Infinity}', 'not_json'],
    ['{"a":1}{"a":2}', 'not_json'],
    ["{'a':1}", 'not_json'],
    ['\u00a0', 'not_json'],
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"__proto__":1}', 'unsafe_key'],
    ['"\\ud800"', 'lone_surrogate'],
    ['1e400', 'number_out_of_range'],
    ['['.repeat(lineDepthMax + 1) + ']'.repeat(lineDepthMax + 1), 'too_deep'],
  ])('%s is an error with its number, and the rest is read', async (bad, code) => {
    expect(await read(`1\n${bad}\n3\n`)).toEqual([
      [1, 1],
      [2, code],
      [3, 3],
    ])
  })

  test('of bytes that are no UTF-8 costs only itself', async () => {
    const lines = await linesOf([Uint8Array.of(0x22, 0xff, 0x22, 0x0a, 0x31)])
    expect(lines).toEqual([
      { line: 1, error: { code: 'not_utf8', message: 'it is not UTF-8' } },
      { line: 2, value: 1 },
    ])
  })

  test('of a byte order mark is the first line alone', async () => {
    expect(await read('\ufeff1\n2\n')).toEqual([
      [1, 'not_json'],
      [2, 2],
    ])
  })

  test('over the limit is released, and one at the limit is read', async () => {
    const sized = (bytes: number): string => `"${'a'.repeat(bytes - 2)}"`
    expect(await read(`${sized(21)}\n${sized(20)}\n${sized(5000)}`, 20)).toEqual([
      [1, 'too_large'],
      [2, 'a'.repeat(18)],
      [3, 'too_large'],
    ])
  })
})

test('a line that never ends takes no more memory than its limit', async () => {
  const chunk = new Uint8Array(1 << 20).fill(0x61)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  function* endless(): Generator<Uint8Array> {
    for (let megabytes = 0; megabytes < 256; megabytes += 1) {
      most = Math.max(most, process.memoryUsage().arrayBuffers)
      yield chunk
    }
    yield utf8('\n7')
  }
  const lines = await linesOf(endless(), 1 << 21)
  expect(lines.map(({ line, value, error }) => [line, error?.code ?? value])).toEqual([
    [1, 'too_large'],
    [2, 7],
  ])
  expect(most - before).toBeLessThan(64 << 20)
})

test('blank lines are skipped and counted, and the last line needs no end', async () => {
  expect(await read('\n \t\r\n1\r\n\r\n"a"')).toEqual([
    [3, 1],
    [5, 'a'],
  ])
  expect(await read('')).toEqual([])
  expect(await read('\n\n')).toEqual([])
})

test('only a line feed ends a line', async () => {
  const value = 'a\u2028b\u2029c\u0085d'
  expect(await read(`"${value}"\n`)).toEqual([[1, value]])
  expect(await read('1\r2')).toEqual([[1, 'not_json']])
  expect(await read('1\f2')).toEqual([[1, 'not_json']])
})

test('the deepest line is read', async () => {
  const deepest = '['.repeat(lineDepthMax) + ']'.repeat(lineDepthMax)
  expect(await read(deepest)).toEqual([[1, JSON.parse(deepest)]])
})

test('chunks may be cut anywhere and may come in their own time', async () => {
  const text = '{"naïve":"😀"}\n\nbad\n[1,2]'
  const whole = await linesOf([utf8(text)])
  async function* slowly(): AsyncGenerator<Uint8Array> {
    for (const byte of utf8(text)) yield await Promise.resolve(Uint8Array.of(byte))
  }
  expect(await linesOf(slowly())).toEqual(whole)
})

test('a line longer than its chunks is put together whole', async () => {
  const value = Array.from({ length: 2000 }, (_, index) => index)
  const bytes = utf8(`${JSON.stringify(value)}\n8`)
  const chunks = Array.from({ length: 20 }, (_, index) =>
    bytes.subarray(index * 700, (index + 1) * 700),
  )
  expect(await linesOf(chunks, 20_000)).toEqual([
    { line: 1, value },
    { line: 2, value: 8 },
  ])
})

test('what is written is one line for every reader, however it splits', () => {
  const written = writeLine({ a: 'x\u2028\u2029\u0085\u000b\f\u001c\n\r' })
  expect(written).toBe('{"a":"x\\u2028\\u2029\\u0085\\u000b\\f\\u001c\\n\\r"}\n')
  expect(() => writeLine(undefined)).toThrow('broken invariant')
})

test('values that are written are read again, and in whatever chunks', async () => {
  const separated = fc.string({
    unit: fc.constantFrom('\u2028', '\u2029', '\u0085', '\n', '"', '😀'),
  })
  const value = fc.oneof(fc.jsonValue(), separated, fc.dictionary(separated, separated))
  const sound = value.filter((json) => !JSON.stringify(json).includes('__proto__'))
  await fc.assert(
    fc.asyncProperty(fc.array(sound), fc.integer({ min: 1, max: 50 }), async (values, size) => {
      const bytes = utf8(values.map(writeLine).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const lines = await linesOf(chunks, 100_000)
      const again = JSON.stringify(values)
      expect(JSON.stringify(lines.map((line) => line.value))).toBe(again)
    }),
  )
})
