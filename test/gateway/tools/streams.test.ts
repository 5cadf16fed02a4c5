// Parts of an answer as they come: whole, in order, and with a turn for others after each piece.
import { expect, test } from 'vitest'
import { shownAsItComes } from '#gateway/tools/streams'
import { resultValuesMax } from '#rules/drivers/answer-reading'
import { assert } from '#record/fault'
import type { JsonValue } from '#schemas/catalog'
import { callOf } from './driver-conformance.ts'

const secrets = { scrubValue: (value: JsonValue) => value }

function showing(onPart: (part: JsonValue) => void, signal = new AbortController().signal) {
  const call = { ...callOf({ kind: 'local', operation: 'x' }), onPart, signal }
  const shown = shownAsItComes(call, secrets, 'lines')
  assert(shown !== null, 'its parts are taken')
  return shown
}

const lines = Buffer.from('1\n'.repeat(20_000))

test('a flood of parts leaves others their turn, however many such calls there are', async () => {
  let [inTurn, most, all] = [0, 0, 0]
  const others = new AbortController()
  const ticking = (async () => {
    while (!others.signal.aborted) {
      await new Promise(setImmediate)
      inTurn = 0
    }
  })()
  const count = (): void => {
    all += 1
    inTurn += 1
    most = Math.max(most, inTurn)
  }
  const calls = [1, 2, 3].map(() => showing(count))
  for (const call of calls) call.push(lines)
  // Nothing is shown to who still reads.
  expect(all).toBe(0)
  await Promise.all(calls.map((call) => call.end(true)))
  others.abort()
  await ticking
  expect(all).toBe(60_000)
  expect(most).toBeLessThanOrEqual(2_048)
})

test('parts come in order and whole, and the last one without its end', async () => {
  const parts: JsonValue[] = []
  const text = `{"a":"${'x'.repeat(5_000)}"}\nb\nc`
  for (const size of [1, 7, 3_000, text.length]) {
    const call = showing((part) => parts.push(part))
    for (let at = 0; at < text.length; at += size) call.push(Buffer.from(text.slice(at, at + size)))
    await call.end(true)
    expect(parts.splice(0)).toEqual([{ a: 'x'.repeat(5_000) }, 'b\n', 'c'])
  }
  const cut = showing((part) => parts.push(part))
  cut.push(Buffer.from('a\nb'))
  await cut.end(false)
  expect(parts).toEqual(['a\n'])
})

test('nothing more is shown of a call that is aborted, nor more parts than values', async () => {
  const stopping = new AbortController()
  let count = 0
  const aborted = showing(() => {
    count += 1
    if (count === 10) stopping.abort()
  }, stopping.signal)
  aborted.push(lines)
  await aborted.end(true)
  expect(count).toBeLessThanOrEqual(1_024)
  count = 0
  const endless = showing(() => (count += 1))
  for (let at = 0; at < 11; at += 1) endless.push(lines)
  await endless.end(true)
  expect(count).toBe(resultValuesMax)
})

test('what a taker of parts throws comes out at the end', async () => {
  const call = showing(() => {
    throw new Error('it takes none')
  })
  call.push(lines)
  await new Promise(setImmediate)
  await expect(call.end(true)).rejects.toThrow('it takes none')
})
