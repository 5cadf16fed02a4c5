// Cases of what is worked: each covered fact is a job, for one worker at a time.
import { expect } from 'vitest'
import type { Job, Log } from '#ports/log'
import {
  type Cases,
  never,
  allNotes,
  nameOf,
  entryOf,
  upTo,
  numbered,
  plain,
  codeOf,
  gather,
  appendAll,
  workUntil,
} from './cases.ts'

export const queueCases: Cases = {
  'a queue or pattern without a proper name is refused': async ({ log }) => {
    const options = { inFlightMax: 1, signal: never }
    for (const queue of ['', 'a b', 'a.b', 'q'.repeat(65)]) {
      expect(await codeOf(gather(log.work(queue, allNotes, options)))).toBe('queue_invalid never')
    }
    expect(await codeOf(gather(log.work('q', ['a..b'], options)))).toBe('pattern_invalid never')
  },

  'a queue that is worked by other names is refused': async ({ log, harness }) => {
    await log.append(entryOf(1))
    const options = { inFlightMax: 1, signal: never }
    const [job] = await gather(log.work('q', [...allNotes, 'main.1.a.>'], options), 1)
    await job?.done()
    const other = await harness.open()
    expect(await codeOf(gather(other.work('q', allNotes, options)))).toBe('queue_differs never')
    await log.append(entryOf(2))
    const [next] = await gather(other.work('q', ['main.1.a.>', ...allNotes], options), 1)
    expect(next?.fact.position).toBe(2)
  },

  'each covered fact is a job once, oldest first, with its exact bytes': async ({ log }) => {
    await appendAll(log, [...numbered(30), ...numbered(5, 'other'), ...numbered(30, 'note', 31)])
    const jobs: Job[] = []
    const work = log.work('q', allNotes, { inFlightMax: 7, signal: never })
    await workUntil(
      work,
      (job) => (jobs.push(job), job.done()),
      () => jobs.length === 60,
    )
    expect(jobs.map((job) => job.fact.name)).toEqual(upTo(60).map((index) => nameOf(index)))
    expect(jobs.every((job) => job.attempt === 1)).toBe(true)
    const facts = await gather(log.read({}, allNotes))
    expect(jobs.map((job) => plain(job.fact))).toEqual(facts.map(plain))
  },

  'facts of before and after the queue began are jobs, no matter who appended them': async ({
    log,
    harness,
  }) => {
    const other = await harness.open()
    await appendAll(other, numbered(20))
    const seen: number[] = []
    const work = log.work('q', allNotes, { inFlightMax: 3, signal: never })
    await workUntil(
      work,
      async (job) => {
        seen.push(job.fact.position)
        await job.done()
        if (job.fact.position === 20) await other.append(entryOf(21))
        if (job.fact.position === 21) await log.append(entryOf(22))
      },
      () => seen.length === 22,
    )
    expect(seen).toEqual(upTo(22))
  },

  'several workers on two handles share the jobs, and none has one twice': async ({
    log,
    harness,
  }) => {
    const other = await harness.open()
    const done: number[] = []
    const stop = new AbortController()
    const worker = (handle: Log): Promise<void> =>
      workUntil(
        handle.work('q', allNotes, { inFlightMax: 4, signal: stop.signal }),
        async (job) => {
          done.push(job.fact.position)
          await job.done()
          if (done.length === 400) stop.abort()
        },
        () => false,
      )
    const workers = [log, log, other, other].map(worker)
    await Promise.all([appendAll(log, numbered(200)), appendAll(other, numbered(200, 'note', 201))])
    await Promise.all(workers)
    expect(done.toSorted((a, b) => a - b)).toEqual(upTo(400))
  },

  'two workers may both be at work while neither has ended its job': async ({ log, harness }) => {
    await appendAll(log, numbered(2))
    const options = { inFlightMax: 1, signal: never }
    const other = await harness.open()
    const [one] = await gather(log.work('q', allNotes, options), 1)
    const [two] = await gather(other.work('q', allNotes, options), 1)
    expect([one?.fact.position, two?.fact.position]).toEqual([1, 2])
  },

  'no more than inFlightMax are out at one worker': async ({ log }) => {
    await appendAll(log, numbered(40))
    const out = new Set<Job>()
    let most = 0
    let count = 0
    for await (const job of log.work('q', allNotes, { inFlightMax: 5, signal: never })) {
      out.add(job)
      most = Math.max(most, out.size)
      count += 1
      if (count === 40) break
      if (out.size < 5) continue
      for (const done of out) await done.done()
      out.clear()
    }
    expect(most).toBe(5)
  },

  'a worker that has all it may gets the next when it ends one, and not before': async ({
    log,
    harness,
  }) => {
    await appendAll(log, numbered(3))
    const jobs = log.work('q', allNotes, { inFlightMax: 2, signal: never })[Symbol.asyncIterator]()
    const one = await jobs.next()
    await jobs.next()
    const third = jobs.next()
    const other = await harness.open()
    // The other worker gets the third: so it was not given to the first in advance.
    const [theirs] = await gather(other.work('q', allNotes, { inFlightMax: 1, signal: never }), 1)
    expect(theirs?.fact.position).toBe(3)
    await log.append(entryOf(4))
    if (one.done !== true) await one.value.done()
    const given = await third
    expect(given.done === true ? undefined : given.value.fact.position).toBe(4)
  },

  'two queues each have every job': async ({ log }) => {
    await appendAll(log, numbered(10))
    for (const queue of ['one', 'two']) {
      const seen: number[] = []
      const work = log.work(queue, allNotes, { inFlightMax: 2, signal: never })
      await workUntil(
        work,
        (job) => (seen.push(job.fact.position), job.done()),
        () => seen.length === 10,
      )
      expect(seen).toEqual(upTo(10))
    }
  },
}
