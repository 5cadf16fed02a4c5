// Cases of what is followed: every fact once and in order, until the signal aborts.
import { expect } from 'vitest'
import type { Fact } from '#ports/log'
import {
  type Cases,
  never,
  entryOf,
  upTo,
  numbered,
  plain,
  positions,
  gather,
  appendAll,
} from './cases.ts'

export const followCases: Cases = {
  'every fact comes once and in order while two handles append': async ({ log, harness }) => {
    const other = await harness.open()
    await appendAll(log, numbered(100))
    const followed = [log, other].map((handle) => gather(handle.follow(1, never), 1100))
    const writers = [log, other].map(async (handle, which) => {
      for (let burst = 0; burst < 50; burst += 1) {
        await appendAll(handle, numbered(10, `kind${which}`, burst * 10))
      }
    })
    await Promise.all(writers)
    const facts = await gather(log.read({}))
    for (const seen of await Promise.all(followed)) {
      expect(positions(seen)).toEqual(upTo(1100))
      expect(seen.map(plain)).toEqual(facts.map(plain))
    }
  },

  'a follower may begin in the middle, before the first, or beyond the end': async ({
    log,
    harness,
  }) => {
    await appendAll(log, numbered(5))
    expect(positions(await gather(log.follow(4, never), 2))).toEqual([4, 5])
    expect(positions(await gather(log.follow(0, never), 2))).toEqual([1, 2])
    const beyond = gather(log.follow(8, never), 2)
    await appendAll(await harness.open(), numbered(4, 'later'))
    expect(positions(await beyond)).toEqual([8, 9])
  },

  'a follower that is far behind what others have appended catches up': async ({
    log,
    harness,
  }) => {
    await log.append(entryOf(0))
    const other = await harness.open()
    await appendAll(other, numbered(5000))
    expect(positions(await gather(log.follow(1, never), 5001))).toEqual(upTo(5001))
    await appendAll(other, numbered(5000, 'later'))
    expect(positions(await gather(log.follow(5002, never), 5000))).toEqual(upTo(10_001, 5002))
  },

  'a slow follower misses nothing that came meanwhile': async ({ log }) => {
    await appendAll(log, numbered(3))
    const seen: Fact[] = []
    for await (const fact of log.follow(1, never)) {
      seen.push(fact)
      if (fact.position < 40) await appendAll(log, numbered(10, `burst${fact.position}`))
      if (seen.length === 403 - 10) break
    }
    expect(positions(seen)).toEqual(upTo(393))
  },

  'what is here already is given without a wait, in the same order': async ({ log }) => {
    await appendAll(log, numbered(40))
    const stop = new AbortController()
    const facts = log.follow(1, stop.signal)
    const [seen, atOnce]: [Fact[], Fact[]] = [[], []]
    for await (const first of facts) {
      seen.push(first)
      let fact = facts.ready?.()
      for (; fact !== undefined && seen.length < 30; fact = facts.ready?.()) {
        seen.push(fact)
        atOnce.push(fact)
      }
      if (fact !== undefined) seen.push(fact)
      if (seen.length < 30) continue
      stop.abort()
      expect(facts.ready?.()).toBeUndefined()
    }
    expect(positions(seen)).toEqual(upTo(seen.length))
    expect(atOnce.length).toBeGreaterThan(0)
  },

  'it ends when the signal aborts, waiting or not, and not before': async ({ log }) => {
    await appendAll(log, numbered(3))
    const early = new AbortController()
    early.abort()
    expect(await gather(log.follow(1, early.signal))).toEqual([])
    const busy = new AbortController()
    const seen: Fact[] = []
    for await (const fact of log.follow(1, busy.signal)) {
      seen.push(fact)
      if (fact.position === 2) busy.abort()
    }
    expect(positions(seen)).toEqual([1, 2])
    const waiting = new AbortController()
    const rest: Fact[] = []
    for await (const fact of log.follow(3, waiting.signal)) {
      rest.push(fact)
      // It waits for the next, and the signal aborts meanwhile.
      setTimeout(() => waiting.abort(), 0)
    }
    expect(positions(rest)).toEqual([3])
  },
}
