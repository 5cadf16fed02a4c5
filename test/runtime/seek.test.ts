// Where a time begins in a log, without reading it: the first fact of that time, of several at one
// time the first of all, and also where an era began with a clock that was set back.
import { expect, test } from 'vitest'
import type { LogReader } from '#ports/log'
import { partLog } from '#replay/backup/part-log'
import { positionSince } from '#runtime/logs/seek'

async function logAt(times: readonly number[], snapshots: Readonly<Record<number, string>> = {}) {
  const facts = async function* () {
    for (const [index, appendedAt] of times.entries()) {
      const position = index + 1
      const name = snapshots[position] ?? `main.1.vlp.bot.-.${position}`
      yield { position, appendedAt, name, bytes: Buffer.from('{}') }
    }
  }
  return partLog(facts())
}

const first = { realm: 'main', era: 1 }

test('it is the first fact that was appended then or later', async () => {
  const log = await logAt([10, 20, 20, 20, 30])
  const of = (time: number) => positionSince(log, first, time)
  expect([await of(0), await of(10), await of(11), await of(20), await of(21)]).toEqual([
    1, 1, 2, 2, 5,
  ])
  expect([await of(30), await of(31)]).toEqual([5, 6])
  expect(await positionSince(await logAt([]), first, 5)).toBe(1)
})

test('few facts are read for it', async () => {
  const log = await logAt(Array.from({ length: 4_096 }, (_, index) => index))
  let read = 0
  const counting: LogReader = {
    ...log,
    async *read(range, names) {
      for await (const fact of log.read(range, names)) {
        read += 1
        yield fact
      }
    },
  }
  expect(await positionSince(counting, first, 3_000)).toBe(3_001)
  expect(read).toBeLessThan(16)
})

test('facts that a wrong clock stamped in the future are found, and those after it was set back', async () => {
  const log = await logAt([10, 900, 901, 901, 50, 60], {
    4: 'main.2.snapshot.1',
    5: 'main.2.snapshot.2',
  })
  const second = { realm: 'main', era: 2 }
  const of = (time: number) => positionSince(log, second, time)
  expect([await of(800), await of(902), await of(55), await of(5)]).toEqual([2, 7, 2, 1])
  const later = await logAt([10, 20, 20, 30, 60], { 3: 'main.2.snapshot.1' })
  expect(await positionSince(later, second, 25)).toBe(4)
})
