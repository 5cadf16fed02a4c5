// The loop under the offline commands: order, places of bad lines, and how little it holds.
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { answerEachLine } from '#cli/terminal/lines'

const lineBytesMax = 1_000
const echo = (value: unknown): object => ({ value })

/** Takes what is written, and says that it did when it is let. */
function sink() {
  const written: string[] = []
  const waiting: (() => void)[] = []
  let held = false
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      written.push(text)
      if (held) waiting.push(done)
      else done()
    },
  })
  const hold = (): void => {
    held = true
  }
  const release = (): void => {
    held = false
    for (const done of waiting.splice(0)) done()
  }
  return { output, hold, release, text: () => written.join(''), writes: () => written.length }
}

async function* bytesOf(...chunks: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk))
}

describe('the answers', () => {
  test('stand in the order of the lines, wherever the chunks end', async () => {
    const { output, text } = sink()
    const input = bytesOf('1\n2', '2\n', '\n', '3')
    const { badLines } = await answerEachLine({ input, output, lineBytesMax, answer: echo })
    expect(text()).toBe('{"value":1}\n{"value":22}\n{"value":3}\n')
    expect(badLines).toBe(0)
  })

  test('are nothing for nothing', async () => {
    const { output, writes } = sink()
    expect(await answerEachLine({ input: bytesOf(), output, lineBytesMax, answer: echo })).toEqual({
      badLines: 0,
    })
    expect(writes()).toBe(0)
  })

  test('have the error of a bad line in its place, with its number', async () => {
    const { output, text } = sink()
    const input = bytesOf('1\n\n{\n', `"${'x'.repeat(lineBytesMax)}"\n`, '{"a":1,"a":2}\n5')
    const { badLines } = await answerEachLine({ input, output, lineBytesMax, answer: echo })
    expect(text()).toBe(
      [
        '{"value":1}',
        '{"error":{"code":"not_json","message":"it is not JSON","line":3}}',
        '{"error":{"code":"too_large","message":"it is larger than allowed","line":4}}',
        '{"error":{"code":"duplicate_key",' +
          '"message":"an object has the same key twice","line":5}}',
        '{"value":5}',
        '',
      ].join('\n'),
    )
    expect(badLines).toBe(3)
  })

  test('of a judge that refuses a line get the number too', async () => {
    const { output, text } = sink()
    const answer = (value: unknown): object =>
      value === 2 ? { error: { code: 'odd', message: 'it is two' } } : echo(value)
    const { badLines } = await answerEachLine({
      input: bytesOf('1\n2\n'),
      output,
      lineBytesMax,
      answer,
    })
    expect(text()).toBe('{"value":1}\n{"error":{"code":"odd","message":"it is two","line":2}}\n')
    expect(badLines).toBe(1)
  })
})

describe('the pace', () => {
  test('gives anyone who asks line by line each answer before the next question', async () => {
    const { output, text } = sink()
    const seen: string[] = []
    async function* conversation(): AsyncGenerator<Uint8Array, void, undefined> {
      for (const question of ['1\n', '2\n']) {
        yield await Promise.resolve(Buffer.from(question))
        seen.push(text())
      }
    }
    await answerEachLine({ input: conversation(), output, lineBytesMax, answer: echo })
    expect(seen).toEqual(['{"value":1}\n', '{"value":1}\n{"value":2}\n'])
  })

  test('is that of the reader: nothing more is read while an answer is being written', async () => {
    const { output, hold, release, writes } = sink()
    let read = 0
    async function* many(): AsyncGenerator<Uint8Array, void, undefined> {
      for (read = 1; read <= 100; read += 1) yield await Promise.resolve(Buffer.from(`${read}\n`))
    }
    hold()
    const all = answerEachLine({ input: many(), output, lineBytesMax, answer: echo })
    await expect.poll(writes).toBe(1)
    expect(read).toBe(1)
    release()
    await all
    expect(writes()).toBe(100)
  })

  test('holds no more than a write of answers to one chunk of many lines', async () => {
    const { output, hold, release, writes } = sink()
    const long = 'x'.repeat(900)
    let answered = 0
    const answer = (): object => {
      answered += 1
      return { long }
    }
    hold()
    const input = bytesOf('1\n'.repeat(10_000))
    const all = answerEachLine({ input, output, lineBytesMax, answer })
    await expect.poll(writes).toBe(1)
    expect(answered).toBeLessThan(100)
    release()
    await all
    expect(answered).toBe(10_000)
  })

  test('ends at the first answer that no one takes', async () => {
    let read = 0
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      for (;;) {
        read += 1
        yield await Promise.resolve(Buffer.from('1\n'))
      }
    }
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('closed')) })
    output.on('error', () => {})
    const all = answerEachLine({ input: endless(), output, lineBytesMax, answer: echo })
    await expect(all).rejects.toThrow('closed')
    expect(read).toBe(1)
  })
})
