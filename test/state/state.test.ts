// The fold by itself: sequences, uses, and what each fact makes of an open intent.
import { beforeEach, expect, test } from 'vitest'
import { MemoryStore } from '#log/memory/log'
import { nameOf } from '#record/names'
import { continues, newSequence, numberOf, take } from '#state/sequence'
import { countUse, noUses, takeNumber, waitForUse } from '#state/slices/uses/uses'
import { foldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Log } from '#ports/log'
import { FakeTime } from '#testing/fake-time'
import { bind, place, say } from '../support/scene.ts'

test('a number continues its sequence only when it is its turn', () => {
  expect([0, 1, 2].map((number) => continues(newSequence, number))).toEqual([false, true, false])
})

test('numbers that were used out of turn are stepped over, in whatever order they came', () => {
  for (const order of [
    [4, 3, 2],
    [2, 3, 4],
    [3, 2, 4],
  ]) {
    const used = order.reduce(take, newSequence)
    expect(used.next).toBe(1)
    expect(take(used, 1).next).toBe(5)
  }
  expect([3, 1].reduce(take, newSequence).next).toBe(2)
  expect([3, 1, 2].reduce(take, newSequence).next).toBe(4)
})

test('a number that is behind the sequence changes nothing', () => {
  const sequence = [1, 2, 3].reduce(take, newSequence)
  expect(take(sequence, 2)).toBe(sequence)
})

test.each(['0', '-1', '01', '1.5', '1e3', '', 'x', '9'.repeat(16), ' 1', '+1'])(
  '`%s` is not a number of a sequence',
  (token) => {
    expect(numberOf(token)).toBe(null)
  },
)

test('numbers of a sequence are whole and exact', () => {
  expect(numberOf(undefined)).toBe(null)
  expect(numberOf('1')).toBe(1)
  expect(numberOf('9'.repeat(15))).toBe(999_999_999_999_999)
})

const limit = { uses: 2, windowMs: 1_000 }

test('the next use waits until the one before the limit is a window old', () => {
  const once = countUse(noUses, 1, 5_000, limit.uses)
  expect(waitForUse(once, limit, 5_000)).toBe(0)
  const twice = countUse(once, 2, 5_400, limit.uses)
  expect(waitForUse(twice, limit, 5_400)).toBe(600)
  expect(waitForUse(twice, limit, 5_999)).toBe(1)
  expect(waitForUse(twice, limit, 6_000)).toBe(0)
})

test('a number that junk has used is no use', () => {
  const uses = countUse(takeNumber(noUses, 1), 2, 5_000, 1)
  expect(uses.sequence.next).toBe(3)
  expect(uses.times).toEqual([5_000])
})

test('as many uses are kept as a limit needs, and no more', () => {
  let uses = noUses
  for (let n = 1; n <= 1_500; n += 1) uses = countUse(uses, n, n, 1)
  expect(uses.times).toHaveLength(1_000)
  expect(uses.times[0]).toBe(501)
  expect(waitForUse(uses, { uses: 1_000, windowMs: 1_000 }, 1_500)).toBe(1)
  let many = noUses
  for (let n = 1; n <= 1_500; n += 1) many = countUse(many, n, n, 1_200)
  expect(many.times).toHaveLength(1_200)
})

let log: Log
beforeEach(() => {
  log = new MemoryStore(new FakeTime()).open()
})

async function folded() {
  const state = newState(place)
  const caches = foldCaches()
  const voids: string[] = []
  for await (const fact of log.read({})) {
    const { void: why } = evolve(state, fact, caches)
    if (why !== null) voids.push(why)
  }
  return { state, caches, voids }
}

async function opened(ulid = 'u1'): Promise<string> {
  return say(log, { intent: { tool: 'look' }, ulid })
}

const refOf = (address: string) => ({ address, agent: 'bot', session: null })

test('an intent is open from its message to its verdict, readable or not', async () => {
  const address = await opened()
  expect([...(await folded()).state.intents.keys()]).toEqual([address])
  await log.append({ name: nameOf(place, 'verdict', address), bytes: Buffer.from('junk') })
  expect((await folded()).state.intents.size).toBe(0)
})

test('what a message opened is kept until its verdict, and then released', async () => {
  const address = await opened()
  const { state, caches } = await folded()
  const { knownConstraints } = state.catalog
  const { position } = state.intents.get(address) ?? { position: 0 }
  expect(caches.messages.peek(position, { knownConstraints, rules: 1 })?.request?.tool).toBe('look')
  // The last one may stay, so there is another.
  await opened('u2')
  await log.append({ name: nameOf(place, 'verdict', address), bytes: Buffer.from('junk') })
  expect((await folded()).caches.messages.peek(position, { knownConstraints, rules: 1 })).toBe(
    undefined,
  )
})

test('a fact about an intent that is not open is void', async () => {
  const address = 'bot.-.u1'
  for (const [kind, rest] of [
    ['grounding', '.1'],
    ['hold', '.1'],
    ['resume', '.1'],
    ['review', ''],
    ['decision', '.olga'],
    ['withdrawal', ''],
  ] as const) {
    await bind(log, kind, `${nameOf(place, kind, address)}${rest}`, { intent: refOf(address) })
  }
  const { state, voids } = await folded()
  expect(voids).toHaveLength(6)
  expect(state.intents.size).toBe(0)
})

test('names of no kind, of another realm or another era are void', async () => {
  for (const name of [
    'main.1.verdict.x',
    'main.1.plan.a',
    'other.1.vlp.a.b.c',
    'main.2.vlp.a.b.c',
  ]) {
    await log.append({ name, bytes: Buffer.from('{}') })
  }
  const { state, voids } = await folded()
  expect(voids).toHaveLength(4)
  expect(state.intents.size).toBe(0)
  expect(state.position).toBe(4)
})

test('a fact that was written under another name, or as another kind, is void', async () => {
  const address = await opened()
  const other = await opened('u2')
  await bind(log, 'withdrawal', nameOf(place, 'withdrawal', address), { intent: refOf(address) })
  const fact = await log.get(nameOf(place, 'withdrawal', address))
  const bytes = fact?.bytes ?? Buffer.of()
  await log.append({ name: nameOf(place, 'withdrawal', other), bytes })
  await bind(log, 'withdrawal', nameOf(place, 'review', other, 1), { intent: refOf(other) })
  const { state, voids } = await folded()
  expect(voids).toEqual([
    expect.stringContaining('calls itself'),
    expect.stringContaining('its type is'),
  ])
  expect(state.intents.get(address)?.withdrawn).toBe('withdrawal')
  expect(state.intents.get(other)).toMatchObject({ withdrawn: null, review: null })
})

test('a withdrawal that names another intent than its own is void', async () => {
  const [address, other] = [await opened(), await opened('u2')]
  await bind(log, 'withdrawal', nameOf(place, 'withdrawal', address), { intent: refOf(other) })
  const { state, voids } = await folded()
  expect(voids).toHaveLength(1)
  for (const intent of state.intents.values()) expect(intent.withdrawn).toBe(null)
})

test('no one withdraws for another agent', async () => {
  const address = await opened()
  const forged = { ...refOf(address), agent: 'mallory' }
  await bind(log, 'withdrawal', nameOf(place, 'withdrawal', address), { intent: forged })
  const { state, voids } = await folded()
  expect(voids).toEqual(['it is another agent’s'])
  expect(state.intents.get(address)?.withdrawn).toBe(null)
})

test.each([
  ['nested a hundred thousand levels deep', `{"data":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
  ['nested without end', `{"data":${'['.repeat(1e5)}`],
  ['of a hundred thousand keys', `{${Array.from({ length: 2e4 }, (_, n) => `"k${n}":1`).join()}}`],
  ['with a hostile key', '{"__proto__":{"withdrawnAt":1},"data":{}}'],
  ['with half a character', '{"data":{"why":"\\ud800"}}'],
  ['that is no UTF-8', Buffer.of(0xff, 0xfe)],
  ['that is empty', ''],
])('a fact %s is void, and the fold goes on', async (_, bytes) => {
  const address = await opened()
  const names = ['withdrawal', 'review', 'verdict'] as const
  for (const kind of names) {
    await log.append({ name: nameOf(place, kind, address), bytes: Buffer.from(bytes) })
  }
  await log.append({ name: 'main.1.catalog.1', bytes: Buffer.from(bytes) })
  await log.append({ name: 'main.1.graph.1', bytes: Buffer.from(bytes) })
  await log.append({ name: 'main.1.rate.bot.look.1', bytes: Buffer.from(bytes) })
  const { state, voids } = await folded()
  expect(voids).toHaveLength(5)
  expect(state.position).toBe(7)
})
