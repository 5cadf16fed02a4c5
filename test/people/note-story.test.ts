// What people note is in the story of the intent that it is about, and in no other.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { noteDown } from '#client/people/decide'
import { keys } from '../support/runtime.ts'
import { bind, judged, look, place, scene } from '../support/scene.ts'

const catalog = { capabilities: [look] }
const by = { by: 'root', privateKey: keys.root }

test('a note on an intent, or on one of its facts, is in its story alone', async () => {
  const on = await scene({ catalog })
  const one = await judged(on, { intent: { tool: 'look' } })
  const other = await judged(on, { intent: { tool: 'look' } })
  const { position = 0 } = (await on.log.get(one.name)) ?? {}
  await noteDown(on.runtime, { ...by, about: { intent: one.intent }, text: 'looked at' })
  await noteDown(on.runtime, { ...by, about: { position }, text: 'and here' })
  const story = await on.bot.read('trace', { intent: one.intent })
  const noted = story.steps.filter(({ name }) => name.includes('.note.'))
  expect(noted).toMatchObject([
    { title: '`root` notes on it', details: [expect.stringContaining('looked at')], void: null },
    { title: `\`root\` notes on position ${position}`, details: [expect.stringContaining('here')] },
  ])
  expect(story.outcome).toBe('allow')
  const { steps } = await on.bot.read('trace', { intent: other.intent })
  expect(steps.filter(({ name }) => name.includes('.note.'))).toEqual([])
})

test('a note that no one signed is there as what counts for nothing', async () => {
  const on = await scene({ catalog })
  const { intent } = await judged(on, { intent: { tool: 'look' } })
  const name = nameOf(place, 'note', '01J00000000000000000000000', 'root')
  await bind(on.log, 'note', name, { by: 'root', about: { intent }, text: 'I allow it' })
  const { steps } = await on.bot.read('trace', { intent })
  expect(steps.at(-1)).toMatchObject({ name, void: 'it is not signed' })
})
