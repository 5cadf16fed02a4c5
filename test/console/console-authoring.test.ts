// What authors are given at the console to draw up a change, and what of it others may see.
import { expect, test } from 'vitest'
import { ConceptsAnswer } from '#schemas/console/authoring'
import { ConsoleSession } from '#schemas/console/people'
import { atBrowser, consoleScene, noOne, signedInByLink } from './console-scene.ts'

test('an author reads concepts as they stand, however they are cased, each once', async () => {
  const scene = await consoleScene()
  const cora = await signedInByLink(scene, 'cora')
  const body = { names: ['FILE', 'file', 'no such thing'] }
  const found = ConceptsAnswer.parse(await cora.get('standingConcepts', { body }))
  expect(found.primitives.map(({ name }) => name)).toEqual(['file'])
  expect(found.revision).toBe(scene.on.runtime.follower.state.graphRevision)
  expect(await cora.refused('standingConcepts', { body: { names: [] } })).toMatch(/^400/)
})

test('only those who are signed in are given where traces are shown', async () => {
  const traces = 'https://traces.example.org/{trace}'
  const scene = await consoleScene({}, { traces })
  const open = ConsoleSession.parse(await atBrowser(scene, noOne).get('session'))
  expect(JSON.stringify(open)).not.toContain('traces.example')
  const audra = await signedInByLink(scene, 'audra')
  expect(await audra.get('session')).toMatchObject({ person: { traces } })
})
