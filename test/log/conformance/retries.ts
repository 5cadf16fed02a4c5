// Cases of jobs that are redelivered: given back, left over, or out at a worker that died.
import { expect } from 'vitest'
import type { Job } from '#ports/log'
import {
  type Cases,
  never,
  allNotes,
  nameOf,
  entryOf,
  upTo,
  numbered,
  positions,
  gather,
  appendAll,
  workUntil,
} from './cases.ts'

export const retryCases: Cases = {
  'a retried job is redelivered, not early, and counts its attempts': async ({ log }) => {
    await log.append(entryOf(1))
    const attempts: number[] = []
    const waits: number[] = []
    let given = 0
    const work = log.work('q', allNotes, { inFlightMax: 1, signal: never })
    await workUntil(
      work,
      async (job) => {
        attempts.push(job.attempt)
        if (given !== 0) waits.push(Date.now() - given)
        given = Date.now()
        await (job.attempt === 4 ? job.done() : job.retry(60))
      },
      () => attempts.length === 4,
    )
    expect(attempts).toEqual([1, 2, 3, 4])
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(60)
  },

  'a retried job may be redelivered to another worker': async ({ log, harness }) => {
    await log.append(entryOf(1))
    const [job] = await gather(log.work('q', allNotes, { inFlightMax: 1, signal: never }), 1)
    await job?.retry(0)
    const other = await harness.open()
    const [again] = await gather(other.work('q', allNotes, { inFlightMax: 1, signal: never }), 1)
    expect([again?.fact.position, again?.attempt]).toEqual([1, 2])
  },

  'a retried job may be redelivered to a worker that waits already': async ({ log, harness }) => {
    await log.append(entryOf(1))
    const [job] = await gather(log.work('q', allNotes, { inFlightMax: 1, signal: never }), 1)
    const other = await harness.open()
    const waiting = gather(other.work('q', allNotes, { inFlightMax: 2, signal: never }), 2)
    await log.append(entryOf(2))
    await job?.retry(20)
    const seen = await waiting
    // Three replicas may take longer to take the second than the first waits.
    expect(new Set(positions(seen.map((again) => again.fact)))).toEqual(new Set([1, 2]))
  },

  'jobs given back while facts are appended are all redelivered': async ({ log }) => {
    await appendAll(log, numbered(20))
    const options = { inFlightMax: 20, signal: never }
    const jobs: Job[] = []
    let again = 0
    for await (const job of log.work('q', allNotes, options)) {
      if (job.attempt === 2) again += 1
      else jobs.push(job)
      if (again === 20) break
      if (jobs.length < 20 || again > 0) continue
      const given = jobs.map((first, index) => first.retry(index * 2))
      await Promise.all([...given, log.append(entryOf(1, 'other'))])
    }
    expect(jobs).toHaveLength(20)
  },

  'ten thousand waiting jobs hold up no other': async ({ log }) => {
    const count = 10_000
    for (let first = 1; first <= count; first += 1000)
      await appendAll(log, numbered(1000, 'note', first))
    let waiting = 0
    const names = [...allNotes, 'main.1.urgent.*']
    const work = log.work('q', names, { inFlightMax: 64, signal: never })
    const seen: string[] = []
    for await (const job of work) {
      if (job.fact.name.startsWith('main.1.note.')) {
        await job.retry(600_000)
        waiting += 1
        if (waiting === count) await log.append(entryOf(1, 'urgent'))
        continue
      }
      seen.push(job.fact.name)
      await job.done()
      if (seen.length === 100) break
      await log.append(entryOf(seen.length + 1, 'urgent'))
    }
    expect(waiting).toBe(count)
    expect(seen).toEqual(upTo(100).map((index) => nameOf(index, 'urgent')))
  },

  'jobs that are redelivered at once, and for ever, do not keep new ones away': async ({ log }) => {
    await appendAll(log, numbered(50))
    let fresh = 0
    for await (const job of log.work('q', [...allNotes, 'main.1.fresh.*'], {
      inFlightMax: 2,
      signal: never,
    })) {
      if (job.fact.name.startsWith('main.1.fresh.')) fresh += 1
      else if (job.attempt === 2) await log.append(entryOf(job.fact.position, 'fresh'))
      await job.retry(0)
      if (fresh >= 50) break
    }
    expect(fresh).toBe(50)
  },

  'an ended job is never redelivered, not even after it was given back twice': async ({ log }) => {
    await appendAll(log, numbered(2))
    const jobs: Job[] = []
    for await (const job of log.work('q', allNotes, { inFlightMax: 2, signal: never })) {
      jobs.push(job)
      if (jobs.length === 2) break
    }
    for (const job of jobs) {
      await job.done()
      await job.done()
      await job.retry(0)
    }
    await log.append(entryOf(3))
    const [next] = await gather(log.work('q', allNotes, { inFlightMax: 2, signal: never }), 1)
    expect(next?.fact.position).toBe(3)
  },

  'once the signal has aborted others get what no one has seen, and what is out may be ended':
    async ({ log, harness }) => {
      await appendAll(log, numbered(3))
      const stop = new AbortController()
      const jobs: Job[] = []
      for await (const job of log.work('q', allNotes, { inFlightMax: 3, signal: stop.signal })) {
        jobs.push(job)
        stop.abort()
        // The others do not wait until this reader comes back.
        const other = await harness.open()
        const rest = await gather(other.work('q', allNotes, { inFlightMax: 3, signal: never }), 2)
        expect(rest.map((again) => again.fact.position)).toEqual([2, 3])
        expect(rest.map((again) => again.attempt)).toEqual([1, 1])
        await job.done()
      }
      expect(jobs.map((job) => job.fact.position)).toEqual([1])
    },

  'an abort ends a worker that waits': async ({ log }) => {
    const stop = new AbortController()
    const jobs = gather(log.work('q', allNotes, { inFlightMax: 1, signal: stop.signal }))
    await log.append(entryOf(1, 'other'))
    stop.abort()
    expect(await jobs).toEqual([])
  },

  'the jobs of a closed handle are redelivered to another': async ({ log, harness }) => {
    await appendAll(log, numbered(3))
    const jobs: Job[] = []
    for await (const job of log.work('q', allNotes, { inFlightMax: 3, signal: never })) {
      jobs.push(job)
      if (jobs.length === 2) break
    }
    await jobs[0]?.done()
    await log.close()
    const other = await harness.open()
    const rest = await gather(other.work('q', allNotes, { inFlightMax: 3, signal: never }), 2)
    expect(rest.map((job) => job.fact.position).toSorted((a, b) => a - b)).toEqual([2, 3])
    expect(rest.find((job) => job.fact.position === 2)?.attempt).toBe(2)
  },

  'the jobs of a dead worker are redelivered to another, which waits already': async ({
    log,
    harness,
  }) => {
    await appendAll(log, numbered(4))
    const victim = await harness.open()
    const work = victim.work('q', allNotes, { inFlightMax: 3, signal: never })
    const first = await work[Symbol.asyncIterator]().next()
    expect(first.done === true ? undefined : first.value.fact.position).toBe(1)
    const seen: Job[] = []
    const rest = workUntil(
      log.work('q', allNotes, { inFlightMax: 8, signal: never }),
      (job) => (seen.push(job), job.done()),
      () => seen.length === 4,
    )
    await harness.kill(victim)
    await rest
    expect(positions(seen.map((job) => job.fact)).toSorted((a, b) => a - b)).toEqual(upTo(4))
    expect(seen.find((job) => job.fact.position === 1)?.attempt).toBe(2)
  },
}
