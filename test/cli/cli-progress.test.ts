// How far long work is, on a terminal: what the line says, how often it is drawn, and that it goes.
import { describe, expect, test } from 'vitest'
import { bindSets } from '#authoring/bind-sets'
import { startRuntime } from '#wiring/open'
import type { Progress } from '#runtime/reporting/progress'
import { rotate } from '#replay/eras/rotate'
import { showProgress } from '#cli/terminal/progress'
import { progressText } from '#cli/terminal/progress'
import { add } from '../support/samples/graph-changes.ts'
import { FakeTime } from '#testing/fake-time'
import { changeGraph, keys, testParts, testRuntime } from '../support/runtime.ts'

const replaying = { doing: 'replaying', of: 'facts' }
const at = (seconds: number, done: number) => ({ at: 1_000 * seconds, done })

test.each([
  [
    'a total',
    { done: 250, total: 1_000 },
    [at(0, 0), at(5, 250)],
    '250 of 1000 facts (25 %), 50 a second, 15 s left',
  ],
  ['no total', { done: 250, total: null }, [at(0, 0), at(5, 250)], '250 facts, 50 a second'],
  [
    'a rate below ten',
    { done: 5, total: 6 },
    [at(0, 0), at(2, 5)],
    '5 of 6 facts (83 %), 2.5 a second, 1 s left',
  ],
  [
    'the last of it',
    { done: 6, total: 6 },
    [at(0, 0), at(2, 6)],
    '6 of 6 facts (100 %), 3 a second',
  ],
  ['almost all', { done: 999, total: 1_000 }, [], '999 of 1000 facts (99 %)'],
  [
    'more than was to come',
    { done: 7, total: 6 },
    [at(0, 0), at(1, 7)],
    '7 of 6 facts (100 %), 7 a second',
  ],
  ['nothing yet', { done: 0, total: 6 }, [at(0, 0)], '0 of 6 facts (0 %)'],
  ['nothing to do', { done: 0, total: 0 }, [at(0, 0)], '0 facts'],
  ['a standstill', { done: 3, total: 6 }, [at(0, 3), at(9, 3)], '3 of 6 facts (50 %)'],
  ['a clock set back', { done: 4, total: 6 }, [at(9, 3), at(0, 4)], '4 of 6 facts (66 %)'],
  [
    'hours',
    { done: 1, total: 7_201 },
    [at(0, 0), at(1, 1)],
    '1 of 7201 facts (0 %), 1 a second, 2 h left',
  ],
])('the line shows %s', (_, progress, samples, said) => {
  expect(progressText({ ...replaying, ...progress }, samples)).toBe(`replaying: ${said}`)
})

function drawn(columns = 80) {
  const time = new FakeTime()
  const lines: string[] = []
  const terminal = { columns, write: (text: string) => void lines.push(text) }
  const shown = showProgress({ terminal, clock: time.clock, timer: time.timer })
  const on = (done: number, doing = 'replaying') => {
    shown.on({ ...replaying, doing, done, total: 100 })
  }
  return { time, lines, on, end: () => shown.end() }
}

test('what ends soon shows nothing', () => {
  const { time, lines, on, end } = drawn()
  on(1)
  time.pass(699)
  on(2)
  end()
  time.pass(10_000)
  expect(lines).toEqual([])
})

test('it is drawn a few times a second, with the newest, and goes at the end', () => {
  const { time, lines, on, end } = drawn()
  for (let done = 0; done < 70; done += 1) {
    on(done)
    time.pass(10)
  }
  expect(lines).toEqual(['\r\u001b[Kreplaying: 69 of 100 facts (69 %), 99 a second, 1 s left'])
  on(70)
  on(71)
  time.pass(199)
  expect(lines).toHaveLength(1)
  time.pass(1)
  expect(lines[1]).toContain(' 71 of 100 ')
  end()
  expect(lines.slice(2)).toEqual(['\r\u001b[K'])
  on(99)
  time.pass(1_000)
  expect(lines).toHaveLength(3)
})

test('it is drawn where timers get no time', () => {
  const { time, lines, on } = drawn()
  on(1)
  time.now += 700
  on(2)
  time.now += 199
  on(3)
  expect(lines).toHaveLength(1)
  time.now += 1
  on(4)
  expect(lines).toHaveLength(2)
})

test('the rate is of what it does now, and of the last seconds', () => {
  const { time, lines, on } = drawn()
  for (let done = 0; done < 90; done += 1) {
    on(done, 'wiping')
    time.pass(200)
  }
  expect(lines.at(-1)).toContain('wiping: 89 of 100 facts (89 %), 5 a second')
  on(0)
  time.pass(200)
  expect(lines.at(-1)).toBe('\r\u001b[Kreplaying: 0 of 100 facts (0 %)')
})

test('it never takes more than its line', () => {
  const { time, lines, on } = drawn(20)
  on(1)
  time.pass(700)
  expect(lines).toEqual(['\r\u001b[Kreplaying: 1 of 100'])
})

test('without a terminal nothing is drawn', () => {
  const time = new FakeTime()
  const shown = showProgress({ terminal: null, clock: time.clock, timer: time.timer })
  shown.on({ ...replaying, done: 1, total: null })
  time.pass(10_000)
  shown.end()
})

describe('who works long reports', () => {
  const root = { id: 'root', privateKey: keys.root }

  async function grown() {
    const { runtime, log } = await testRuntime({ stages: [] })
    for (const each of ['alpha', 'bravo']) await changeGraph(runtime, add(each))
    return { runtime, log }
  }

  test('each fact that a log is folded from, before anything runs on it', async () => {
    const { runtime, log } = await grown()
    const received: Progress[] = []
    const onProgress = (progress: Progress) => void received.push(progress)
    const other = await startRuntime(testParts(log, { parts: { onProgress } }), [])
    const facts = { doing: 'folding the log', of: 'facts', total: 3 }
    expect(received).toEqual([1, 2, 3].map((done) => ({ ...facts, done })))
    await changeGraph(runtime, add('later'))
    await other.follower.reached(4)
    expect(received).toHaveLength(3)
    await other.stop()
  })

  test('each change set of several, by its operations', async () => {
    const { runtime } = await grown()
    const received: string[] = []
    const set = (...names: string[]) => ({ kind: 'graph' as const, operations: names.map(add) })
    await bindSets(runtime, [set('c', 'd'), set('e')], {
      author: root,
      onProgress: ({ doing, of, done, total }) => received.push(`${doing} ${of} ${done}/${total}`),
    })
    expect(received).toEqual(['writing operations 0/3', 'writing operations 2/3'])
    await runtime.stop()
  })

  test('each chunk that a new era opens with', async () => {
    const { runtime } = await grown()
    const received: Progress[] = []
    await rotate(runtime, root, null, { onProgress: (progress) => received.push(progress) })
    expect(received[0]).toMatchObject({ doing: 'carrying over', of: 'chunks', done: 0 })
    const { done, total } = received.at(-1) ?? { done: 0, total: 0 }
    expect(done).toBe(total)
    expect(done).toBeGreaterThan(0)
    await runtime.stop()
  })
})
