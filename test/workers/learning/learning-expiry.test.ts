// When a question expires: anyone with the powers of learning may bind that, and it counts only
// when the question has been open for a week by the log's own time.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { openMsMax } from '#state/slices/learning/expiry'
import { learnable, proposed } from '../../support/learning-scene.ts'
import { bind, place, say, scene } from '../../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

test.each([
  { what: 'a millisecond too early', ms: -1, why: 'it has not been open long enough' },
  { what: 'from its last moment on', ms: 0, why: null },
  { what: 'of another round', ms: 0, said: { round: 2 }, why: 'it says round 2' },
  {
    what: 'of another question',
    ms: 0,
    said: { proposal: 'main.1.proposal.other' },
    why: 'it is about another proposal',
  },
])('an expiry $what: $why', async ({ ms, said, why }) => {
  const on = await scene(learnable)
  await say(on.log, { intent: moon })
  const { id, name: proposal, appendedAt } = await proposed(on)
  on.time.pass(appendedAt + openMsMax + ms - on.time.now)
  await on.watch.settled(on.log)
  const { follower } = on.runtime
  const found: (string | null)[] = []
  const name = nameOf(place, 'expiry', id)
  follower.listen((fact, folded) => {
    if (fact.name === name) found.push(folded.void)
  })
  await bind(on.log, 'expiry', name, { proposal, round: 1, ...said })
  await follower.reached((await on.log.head()).position)
  expect(found).toEqual([why])
  expect(follower.state.learning.open.has(id)).toBe(why !== null)
})
