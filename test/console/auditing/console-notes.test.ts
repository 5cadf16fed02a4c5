// What people note at the console: signed in two steps, in the story and found by search.
import { expect, test } from 'vitest'
import { Prepared } from '#schemas/console/authoring'
import { outputOf } from '#schemas/operations/table'
import { letRead } from '../../people/passkey-scene.ts'
import { judged } from '../../support/scene.ts'
import { consoleScene, signedBy, signedInByLink, signedInByPasskey } from '../console-scene.ts'

test('a note is bound as it was signed, once, and is in the story and found by its writer', async () => {
  const scene = await consoleScene()
  await letRead(scene.on, 'quin')
  const { intent } = await judged(scene.on, { intent: { tool: 'look' } })
  const quin = await signedInByPasskey(scene, 'quin')
  const body = { about: { intent }, text: 'looked at it' }
  const { toSign } = Prepared.parse(await quin.get('notePrepare', { body }))
  expect(toSign.data).toEqual({ ...body, by: 'quin' })
  const signed = signedBy('quin', toSign)
  const other = { ...body, text: 'did not look at it', signed }
  expect(await quin.refused('noteSubmit', { body: other })).toBe('409 signing_changed')
  const olgas = { ...body, signed: signedBy('olga', toSign) }
  expect(await quin.refused('noteSubmit', { body: olgas })).toBe('422 signature_needed')
  expect(await scene.on.facts('*.*.note.>')).toEqual([])
  await quin.get('noteSubmit', { body: { ...body, signed } })
  expect(await quin.refused('noteSubmit', { body: { ...body, signed } })).toBe('409 decided')
  const asked = { params: { intent }, query: '?content=true' }
  const { steps } = outputOf('trace').parse(await quin.get('trace', asked))
  expect(steps.at(-1)).toMatchObject({ void: null, fact: { data: { ...body, by: 'quin' } } })
  const query = '?kind=note&person=quin'
  expect(outputOf('facts').parse(await quin.get('facts', { query })).rows).toHaveLength(1)
})

test('a note is about a position that is there, or an intent of this log', async () => {
  const scene = await consoleScene()
  const audra = await signedInByLink(scene, 'audra')
  const { position } = scene.on.runtime.follower.state
  const noted = (about: object) => audra.refused('notePrepare', { body: { about, text: 'x' } })
  expect(await noted({ intent: 'bot.-.01J00000000000000000000000' })).toBe('404 no_intent')
  expect(await noted({ intent: '>' })).toBe('404 no_intent')
  expect(await noted({ position, intent: 'bot' })).toMatch(/^400/)
  const ahead = { about: { position: position + 1 }, text: 'x' }
  const signed = { of: { log: null, name: 'main.1.note.x.audra' }, data: {}, signature: null }
  expect(await audra.refused('noteSubmit', { body: { ...ahead, signed } })).toMatch(/^400/)
  const { toSign } = Prepared.parse(
    await audra.get('notePrepare', { body: { about: { position }, text: 'x' } }),
  )
  expect(toSign.of.name).toMatch(/note\.[0-9A-Z]{26}\.audra$/)
})
