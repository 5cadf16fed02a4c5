// An intent that waits for learning, from its gap to its verdict.
import { expect, test } from 'vitest'
import { find } from '#core/graph/revision'
import { filling, learnable, proposed, resumeOf, ruled } from './learning-scene.ts'
import { expectReplay, groundingOf } from './scene.ts'
import { say, scene, verdict } from './scene.ts'

const unknown = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

test('what a person says is known lets the intent that waits for it go on', async () => {
  const on = await scene(learnable)
  const address = await say(on.log, { intent: unknown })
  const proposal = await proposed(on)
  const { template, filled } = proposal.data
  expect(template).toEqual({ kind: 'EXISTENCE', primitive: 'moon', levels: [0, 1] })
  expect(filled).toBe(null)
  await ruled(on, proposal.id, { ruling: 'modified', candidate: filling(template) })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await resumeOf(on, address)).toMatchObject({
    attempt: 1,
    why: 'the graph answers otherwise as of revision 2',
  })
  expect((await groundingOf(on.log, address, 2)).ground?.grounded).toBe(true)
  const record = find(on.runtime.follower.world.graph, 'moon')
  expect(record?.levels.map(({ provenance }) => provenance)).toEqual(
    [0, 1].map(() => ({
      source: 'conversational',
      by: 'root',
      at: new Date(on.time.now).toISOString(),
      intent: address,
    })),
  )
  await expectReplay(on)
})
