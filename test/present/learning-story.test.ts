// The story of an intent that was added: who was asked what, who said it, and what came of it.
import { expect, test } from 'vitest'
import { listenerFor, storyOf } from '#present/story/story'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import { nameOf } from '#record/names'
import { learnable, proposed, teach } from '../support/learning-scene.ts'
import { bound, place, say, scene, verdict, type Scene } from '../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

async function reported({ log }: Scene, address: string): Promise<readonly string[]> {
  const state = newState(place)
  const listener = listenerFor(address)
  for await (const fact of log.read({})) listener.receive(state, fact, evolve(state, fact))
  return storyOf(address, listener.reported, null).steps.map(({ title }) => title)
}

test('from the gap to the answer, for the one who met it first and for the one who waited too', async () => {
  const on = await scene(learnable)
  const first = await say(on.log, { intent: moon })
  await bound(on.log, nameOf(place, 'hold', first, 1))
  const proposal = await proposed(on)
  const second = await say(on.log, { intent: moon })
  await bound(on.log, nameOf(place, 'hold', second, 1))
  const other = await say(on.log, { intent: { ...moon, concepts: ['sun'] } })
  await teach(on, proposal, { note: 'as we all see' })
  await verdict(on.log, first)
  await verdict(on.log, second)
  const added = ['`root` says what is to be known', 'What `root` said is known as of revision 2']
  const story = await reported(on, first)
  expect(story).toContain('People are asked what `moon` is')
  expect(story).toEqual(expect.arrayContaining(added))
  expect(story.at(-1)).toBe('Allowed')
  const after = await reported(on, second)
  expect(after).not.toContain('People are asked what `moon` is')
  expect(after).toEqual(expect.arrayContaining(added))
  expect(await reported(on, other)).not.toEqual(expect.arrayContaining(added))
})
