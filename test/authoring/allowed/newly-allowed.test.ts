// What a change of rules newly lets through: what is shown really happens, and where it claims
// that all of it is shown, no call drawn at random is let through besides.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newlyAllowed } from '#authoring/allowed/newly'
import type { Rules } from '#authoring/allowed/guards'
import { letThrough, witnessOutcome, type LetThrough } from '#replay/what-if/let-through'
import { stages } from '#workers/stages'
import { count, seedMeant } from '../../support/vitest/counts.ts'
import { change, request, rulesOf } from './random-rules.ts'

const judging = {
  stages,
  callbacks: { run: () => Promise.reject(new Error('no callback is asked here')) },
  at: Date.UTC(2026, 0, 1, 9),
}

const seen = (before: Rules, after: Rules): Promise<LetThrough> => {
  return letThrough(before, after, newlyAllowed(before, after), judging)
}

const seed = seedMeant === undefined ? {} : { seed: seedMeant }

test('where it says that all ways are shown, no request at random takes another', async () => {
  const counts = { exact: 0, none: 0, ways: 0, newly: 0 }
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.array(request, { minLength: 25, maxLength: 25 }),
      async (drawn, requests) => {
        const [before, after] = [rulesOf(drawn.before), rulesOf(drawn.after)]
        fc.pre(before !== null && after !== null)
        if (before === null || after === null) return
        const found = await seen(before, after)
        for (const { witness } of found.ways) {
          expect((await witnessOutcome(before, witness, judging)).outcome).not.toBe('allow')
          expect((await witnessOutcome(after, witness, judging)).outcome).toBe('allow')
        }
        counts.ways += found.ways.length
        if (!found.isExact) return
        counts.exact += 1
        if (found.ways.length === 0) counts.none += 1
        for (const one of requests) {
          if ((await witnessOutcome(after, one, judging)).outcome !== 'allow') continue
          if ((await witnessOutcome(before, one, judging)).outcome === 'allow') continue
          counts.newly += 1
          const like = found.ways.filter(({ agents }) => agents.includes(one.agent))
          expect({ one, like: like.length }).not.toMatchObject({ like: 0 })
        }
      },
    ),
    { numRuns: count(160, 16), endOnFailure: true, ...seed },
  )
  // Neither is so only because nothing was exact, or nothing was let through.
  expect(Math.min(counts.none, counts.ways, counts.newly)).toBeGreaterThan(0)
})
