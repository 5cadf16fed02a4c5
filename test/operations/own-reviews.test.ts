// Whose business a review is: those whom it asks, and who may read all of the log. To anyone else,
// the agent that asked too, it is not there. What ended in an era before is past still.
import { expect, test } from 'vitest'
import { answer, deletion, erase, reviewed, scene, verdict } from '../support/scene.ts'
import { turned } from '../replay/eras/parts/live.ts'
import { asked } from './asking.ts'

const setup = {
  graph: deletion({ name: 'asked' }),
  catalog: {
    principals: [{ id: 'nora' }],
    capabilities: [{ ...erase, confirmation: 'desk' }],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      { id: 'desk', tier: 'four_eyes' as const, group: 'desk', quorum: 1, sessionless: true },
    ],
  },
}

const own = (principal: string) => ({ principal, readsAll: false })

test('a review is shown to those whom it asks alone, and so are those of before', async () => {
  const on = await scene(setup)
  const intent = await reviewed(on, { intent: { tool: 'erase' } })
  await answer(on, intent, { by: 'piet' })
  await verdict(on.log, intent)
  const past = async (principal: string, given: object = {}) => {
    const { rows } = await asked(on.runtime, 'pastReviews', given, own(principal))
    return rows.map(({ ended, answers }) => [ended, answers])
  }
  for (const id of ['piet', 'quin']) {
    const { review } = await asked(on.runtime, 'review', { intent }, own(id))
    expect(review).toMatchObject({ state: 'decided', verdict: { data: { outcome: 'allow' } } })
  }
  expect(await past('piet')).toEqual([['allowed', [{ person: 'piet', agreed: true }]]])
  expect(await past('quin')).toEqual([['allowed', []]])
  // No filter widens what is one's own.
  expect(await past('quin', { person: ['piet'] })).toEqual([])
  for (const id of ['bot', 'nora', 'olga']) {
    const refused = asked(on.runtime, 'review', { intent }, own(id))
    await expect(refused).rejects.toMatchObject({ code: 'no_review' })
    expect([id, await past(id)]).toEqual([id, []])
  }
})

test('what ended in an era before is past still', async () => {
  const on = await scene(setup)
  const intent = await reviewed(on, { intent: { tool: 'erase' } })
  await answer(on, intent, { by: 'piet' })
  await verdict(on.log, intent)
  const before = await asked(on.runtime, 'pastReviews')
  expect(before.rows).toHaveLength(1)
  await turned(on)
  const { rows } = await asked(on.runtime, 'pastReviews')
  expect(rows).toEqual(before.rows)
})
