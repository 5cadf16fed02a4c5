// What stands behind a search: one message and one verdict, which is derived again to the byte and
// permits nothing.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { expectReplay, names, read } from '../../support/scene.ts'
import { decisionPoint, searched } from './decision-point.ts'
import { searchCatalog } from './search-catalog.ts'

const whoViews = {
  subject: { type: 'user' },
  action: { name: 'view' },
  resource: { type: 'record', id: '105' },
  context: { justification: 'the weekly review of rights' },
}

test('is one message of the caller, whose verdict has what was found', async () => {
  const point = await decisionPoint(searchCatalog)
  const { log, runtime } = point.on
  const { position: before } = await log.head()
  const { context, results } = await searched(point, 'subject', whoViews)
  const found = await names(log, '*.*.>')
  expect(found.slice(before).map((name) => name.split('.')[2])).toEqual([
    'vlp',
    'grounding',
    'verdict',
  ])
  const verdict = await read(log, 'verdict', context.id ?? '')
  expect(verdict).toMatchObject({
    outcome: 'allow',
    observed: true,
    terms: null,
    found: { ids: results.map((one) => ('id' in one ? one.id : '')), searched: 6 },
  })
  expect(verdict).not.toHaveProperty('constraints')
  const intent = context.intent ?? ''
  expect(context.id).toBe(nameOf(runtime.place, 'verdict', intent))
  const start = await point.send(`/v1/intents/${encodeURIComponent(intent)}/start`, {})
  expect(start.status).toBe(403)
  await expectReplay(point.on)
})

test('is no request for one call', async () => {
  const point = await decisionPoint(searchCatalog)
  const search = { for: 'subjects', type: 'user' }
  const { status } = await point.send('/v1/intents', { tool: 'record.view', search })
  expect(status).toBe(400)
})

test('the door must speak for who searches', async () => {
  const closed = await decisionPoint({ ...searchCatalog, principals: [{ id: 'gate' }] })
  expect((await closed.send('/access/v1/search/subject', whoViews)).status).toBe(403)
})
