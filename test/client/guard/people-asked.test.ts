// What a guard reports before people decide: a trace with what is known, then that people are asked
// about the call, or about what is not known; and who asked need not wait for them.
import { expect, test } from 'vitest'
import { Pending } from '#client/pending'
import { learnable, proposed, teach } from '../../support/learning-scene.ts'
import { answer, deletion, erase, look, reason, scene, type Scene } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}

/** A guard of that tool, and what it reports, in order. */
function reporting(on: Scene, tool: string, options: object = {}) {
  const seen: string[] = []
  const guarded = on.bot.guard(tool, () => 'ran', {
    onTrace: ({ verdict, text }) => seen.push(`trace ${verdict?.outcome ?? 'first'}: ${text}`),
    onReview: ({ people }, _, known) => seen.push(`asked ${people.join()}: ${known}`) > 0,
    onLearn: (_waits, intent, known) => seen.push(`learning ${intent}: ${known}`) > 0,
    ...options,
  })
  return { seen, guarded }
}

test('a trace with what is known comes before people are asked, and one with the verdict', async () => {
  const on = await scene(setup)
  const { seen, guarded } = reporting(on, 'erase', {
    onReview(_waits: unknown, intent: string, known: string | null) {
      seen.push(`asked: ${known}`)
      void answer(on, intent)
      return true
    },
  })
  expect(await guarded({}, { justification: reason })).toBe('ran')
  expect(seen).toHaveLength(3)
  expect(seen[0]).toMatch(
    /^trace first: It waits for approval from `olga`[^]*● +delete\n[^]*grounded: all/,
  )
  expect(seen[1]).toMatch(/^asked: [● ]+ delete\n/)
  expect(seen[2]).toMatch(/^trace allow: It is allowed\./)
})

test('and before one who does not wait leaves', async () => {
  const on = await scene(setup)
  const { seen, guarded } = reporting(on, 'erase', { onReview: () => false })
  const waiting = await guarded({}, { justification: reason }).catch((error: unknown) => error)
  if (!(waiting instanceof Pending)) throw new Error('it waits for people')
  expect(seen).toEqual([expect.stringMatching(/^trace first: /)])
  // Asked about later, by another wait: what is known was found before that.
  const redeeming = guarded.redeem(waiting.intent, {
    onReview: (_, intent, known) => {
      seen.push(`again: ${known}`)
      void answer(on, intent)
      return true
    },
  })
  expect(await redeeming).toBe('ran')
  expect(seen.slice(1)).toEqual([
    expect.stringMatching(/^trace first: [^]*grounded: all/),
    expect.stringMatching(/^again: [● ]+ delete\n/),
    expect.stringMatching(/^trace allow: /),
  ])
})

test('that its gaps are asked about is reported once, and what is learnt lets it run', async () => {
  const on = await scene(learnable)
  const { seen, guarded } = reporting(on, 'look', {
    concepts: () => ['moon'],
    onLearn(_waits: unknown, intent: string, known: string | null) {
      seen.push(`learning ${intent}: ${known}`)
      void proposed(on).then((proposal) => teach(on, proposal))
      return true
    },
  })
  expect(await guarded({}, { onGap: 'learn' })).toBe('ran')
  expect(seen).toHaveLength(3)
  expect(seen[0]).toMatch(/^trace first: It waits for learning to close its gaps[^]*✗ +moon\n/)
  expect(seen[1]).toMatch(/^learning bot\.[^]*✗ +moon\n/)
  expect(seen[2]).toMatch(/^trace allow: /)
})

test('who does not wait for learning leaves with what it waits for', async () => {
  const on = await scene(learnable)
  const asking = on.bot.ask(
    { tool: 'look', concepts: ['moon'], onGap: 'learn' },
    { onLearn: () => false },
  )
  await expect(asking).rejects.toMatchObject({ code: 'no_verdict', waits: { for: 'learning' } })
})

test('what onTrace throws before people are asked stops nothing', async () => {
  const on = await scene(setup)
  const onTrace = (): never => {
    throw new Error('of the caller')
  }
  const onReview = (_: unknown, intent: string): boolean => {
    void answer(on, intent)
    return true
  }
  const guarded = on.bot.guard('erase', () => 7, { onTrace, onReview })
  expect(await guarded({}, { justification: reason })).toBe(7)
})
