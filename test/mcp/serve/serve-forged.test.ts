// An allow that someone wrote into the log, as auditors find it and as it is counted.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { outputOf } from '#schemas/operations/table'
import { madeUp } from '../../support/forger.ts'
import { answerTo, auditing, someIntents } from './auditing.ts'

const Found = z.object({ recorded: outputOf('facts') })

test('an allow that no stage bound is found as void, and counts say what they count', async () => {
  const on = await auditing()
  await someIntents(on)
  const [open = ''] = on.runtime.follower.state.intents.keys()
  const basis = await on.head()
  await on.log.append(madeUp(open, { basis, time: new Date(on.runtime.clock.now()).toISOString() }))
  const client = await on.auditor()
  const { data, text } = await answerTo(client, 'list_facts', { outcome: ['allow'] })
  const why = 'no stage would have bound it where it stands'
  const { recorded } = Found.parse(data)
  const [forged, sound] = recorded.rows
  expect(forged).toMatchObject({ void: why, says: `counts for nothing: ${why}` })
  expect(sound).not.toHaveProperty('void')
  expect(text).toContain('There are no more.')
  expect((await answerTo(client, 'count_intents')).text).toContain('counted as recorded')
})
