// Facts of several logs by time: page by page in either order none is left out or comes twice, and
// no page reads more than it may.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers } from '#record/pattern'
import { newState } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { factsByTime, type LookedFor } from '#operations/finding/by-time'
import type { Realm, RealmLog } from '#operations/realm'
import { factFilters } from '#schemas/operations/facts'
import { filterNames } from '#present/auditing/filters'

interface Reading {
  count: number
}

function logOf(times: readonly number[], cell: number, reading: Reading): RealmLog {
  const facts = times
    .toSorted((one, other) => one - other)
    .map((appendedAt, index): Fact => {
      const name = `main-${cell}.1.verdict.bot.-.${index}`
      return { position: index + 1, appendedAt, name, bytes: new Uint8Array() }
    })
  const log: LogReader = {
    get: (name) => Promise.resolve(facts.find((fact) => fact.name === name)),
    head: () => Promise.resolve({ position: facts.length, appendedAt: 0 }),
    async *read({ from = 1, to = facts.length } = {}, names) {
      for (const fact of facts.slice(from - 1, to)) {
        if (names?.some((name) => covers(name, fact.name)) === false) continue
        reading.count += 1
        yield await Promise.resolve(fact)
      }
    },
  }
  const state = { ...newState({ realm: `main-${cell}`, era: 1 }), position: facts.length }
  return { log, state, cell }
}

const names = () => undefined

async function pageOf(realm: Realm, looked: LookedFor, limit: number) {
  const reading = await factsByTime(realm, looked)
  const found: Fact[] = []
  for await (const { fact } of reading.facts) {
    found.push(fact)
    if (found.length === limit) break
  }
  return { found, next: reading.next() }
}

const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 40 })
const drawn = fc.record({
  logs: fc.array(times, { minLength: 1, maxLength: 3 }),
  newestFirst: fc.boolean(),
  limit: fc.integer({ min: 1, max: 12 }),
  lookedMax: fc.integer({ min: 1, max: 60 }),
})

test('each comes once on all pages, in the order of time', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ logs, newestFirst, limit, lookedMax }) => {
      const all = logs.map((each, cell) => logOf(each, cell, { count: 0 }))
      const realm = { logs: all, now: 0, stages: () => Promise.resolve([]) }
      const found: Fact[] = []
      let cursor: string | undefined
      do {
        expect(found.length).toBeLessThanOrEqual(logs.flat().length)
        const page = await pageOf(realm, { newestFirst, cursor, lookedMax, names }, limit)
        found.push(...page.found)
        cursor = page.next === null ? undefined : String(page.next)
      } while (cursor !== undefined)
      expect(new Set(found.map(({ name }) => name)).size).toBe(logs.flat().length)
      const inOrder = logs.flat().toSorted((one, other) => one - other)
      const wanted = newestFirst ? inOrder.toReversed() : inOrder
      expect(found.map(({ appendedAt }) => appendedAt)).toEqual(wanted)
    }),
  )
})

test('a page ends where it has looked at enough, and what is passed over counts too', async () => {
  const reading = { count: 0 }
  const many = Array.from({ length: 20_000 }, (_, index) => index)
  const realm = { logs: [logOf(many, 0, reading)], now: 0, stages: () => Promise.resolve([]) }
  const looked = { newestFirst: true, cursor: undefined, lookedMax: 600 }
  const first = await factsByTime(realm, { ...looked, names })
  for await (const { fact } of first.facts) expect(fact.position).toBeGreaterThan(0)
  expect(first.hasStopped()).toBe(true)
  expect(reading.count).toBe(512 + 1_024)
  expect(first.next()).toBe('c0.18465')
  const other = await factsByTime(realm, { ...looked, names: () => ['main-0.1.vlp.>'] })
  for await (const { fact } of other.facts) expect(fact).toBeUndefined()
  expect([other.hasStopped(), reading.count]).toEqual([true, 512 + 1_024])
})

test('the console has each filter that facts have', () => {
  expect(filterNames.toSorted()).toEqual(Object.keys(factFilters).toSorted())
})
