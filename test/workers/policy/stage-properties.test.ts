// Whatever agents say: each intent comes to one verdict, no stage gives up, and the log replays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { holdMsMax } from '#workers/policy/decider'
import {
  answer,
  anyArgs,
  deletion,
  erase,
  expectReplay,
  look,
  names,
  say,
} from '../../support/scene.ts'
import { count } from '../../support/vitest/counts.ts'
import { reviewed, scene, type Scene, type SceneSetup } from '../../support/scene.ts'

const session = 'S-2026-01-01-bot-abcdef'
const setup: SceneSetup = {
  catalog: {
    capabilities: [look, erase, { id: 'write', safetyClass: 'WRITE', argsSchema: anyArgs }],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [{ id: 'four', tier: 'four_eyes', sessionless: true, group: 'desk' }],
    limits: [{ safetyClass: 'READ', uses: 20, windowMs: 60_000 }],
    trustedEvidence: [{ sender: 'olga', for: ['*'] }],
    learning: true,
  },
  graph: deletion(
    { name: 'ask', triggerCardinality: 'single' },
    { name: 'both', triggerCardinality: 'multiple', confirmation: 'four' },
  ),
}

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.toWellFormed())
const value = fc.jsonValue({ maxDepth: 3 })
const intents = fc.record(
  {
    tool: fc.constantFrom('look', 'erase', 'erase', 'write', 'fly'),
    args: fc.dictionary(text, value),
    concepts: fc.array(fc.constantFrom('file', 'files', 'deletes', 'moon', '', '\u0000'), {
      maxLength: 2,
    }),
    minDepth: fc.constantFrom(-1, 0, 1, 1, 2),
    onGap: fc.constantFrom('deny', 'learn'),
    cardinality: fc.constantFrom('single', 'multiple'),
    justification: text,
    constraints: fc.dictionary(fc.constantFrom('max_rows', 'region'), value),
    freshAt: fc.nat(400).map(String),
    observe: fc.constantFrom(false, false, true),
  },
  { requiredKeys: ['tool'] },
)
const references = ['MSG-u1', 'MSG-u2', `main.1.vlp.olga.${session}.u3`, 'nothing']
const messages = fc.record(
  {
    refers_to: fc.array(fc.constantFrom(...references), { maxLength: 3 }),
    seq: fc.nat(9),
    confidence: fc.constantFrom(0, 0.5, 0.9, 1),
    safety: fc.record({
      level: fc.constantFrom('safe', 'safe', 'review', 'review', 'block'),
      issues: fc.constant([]),
      requires_human: fc.boolean(),
    }),
    provenance: fc.array(text, { maxLength: 2 }),
    type: fc.constantFrom('query', 'query', 'query', 'claim', 'correction', 'session_context'),
    content: fc.oneof({ weight: 9, arbitrary: text }, value),
  },
  { requiredKeys: [] },
)
const sayings = fc.record({
  as: fc.constantFrom('bot', 'bot', 'bot', 'olga', 'a b'),
  session: fc.constantFrom(session, null),
  intent: fc.oneof({ weight: 9, arbitrary: intents }, value),
  message: messages,
})

async function agreed(on: Scene): Promise<void> {
  for (const { intent, review } of await on.bot.reviews()) {
    const answers = review.quorum === 1 && intent.length % 5 !== 0
    for (const by of ['olga', 'piet'] as const) {
      if (review.confirmers.includes(by))
        await answer(on, intent, { by, answers, note: 'why not?' })
    }
  }
  await on.watch.settled(on.log)
}

test('whatever is published, each intent comes to one verdict, and all of it replays', async () => {
  const on = await scene(setup)
  // Whatever comes may use up what is free, or block the agent, before anyone has to be asked.
  await reviewed(on, { intent: { tool: 'erase', cardinality: 'single' } })
  await fc.assert(
    fc.asyncProperty(sayings, async ({ intent, ...saying }) => {
      await say(on.log, { ...saying, intent: jsonOf(intent) })
    }),
    { numRuns: count(400, 100) },
  )
  await on.watch.settled(on.log)
  await agreed(on)
  // Whatever still waits, waits for learning that does not come or for an answer that is not given.
  on.time.pass(holdMsMax + 1)
  const open = on.runtime.follower.state.intents
  for await (const _ of on.log.follow(1, new AbortController().signal)) if (open.size === 0) break
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
  expect((await names(on.log, 'main.1.review.>')).length).toBeGreaterThan(0)
  await expectReplay(on)
})
