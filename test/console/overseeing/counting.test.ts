// What the console counts of itself, and what of it no one else is told.
import { expect, test } from 'vitest'
import { newMetrics } from '#health/metrics'
import { Prepared } from '#schemas/console/authoring'
import { letRead } from '../../people/passkey-scene.ts'
import { judged } from '../../support/scene.ts'
import {
  atBrowser,
  consoleScene,
  noOne,
  sent,
  signedBy,
  signedInByPasskey,
} from '../console-scene.ts'

test('counts requests by route and status, refusals by code, and what was bound', async () => {
  const scene = await consoleScene({}, { metrics: newMetrics() })
  await letRead(scene.on, 'olga')
  const { intent } = await judged(scene.on, { intent: { tool: 'look' } })
  const olga = await signedInByPasskey(scene, 'olga')
  const body = { about: { intent }, text: 'fine' }
  const { toSign } = Prepared.parse(await olga.get('notePrepare', { body }))
  const signed = { ...body, signed: signedBy('olga', toSign) }
  await olga.refused('noteSubmit', { body: { ...signed, text: 'bad' } })
  await olga.get('noteSubmit', { body: signed })
  await olga.refused('findings')
  await atBrowser(scene, noOne).refused('inbox')
  await sent(scene, '/')
  await sent(scene, '/console/api/nothing')
  const { text } = await sent(scene, '/metrics')
  const lines = text.split('\n').filter((line) => line.startsWith('warrant_console_'))
  expect(lines).toEqual(
    expect.arrayContaining([
      'warrant_console_requests_total{route="noteSubmit",status="200"} 1',
      'warrant_console_requests_total{route="noteSubmit",status="409"} 1',
      'warrant_console_requests_total{route="findings",status="403"} 1',
      'warrant_console_requests_total{route="inbox",status="401"} 1',
      'warrant_console_requests_total{route="page",status="200"} 1',
      'warrant_console_requests_total{route="other",status="404"} 1',
      'warrant_console_refusals_total{code="signing_changed"} 1',
      'warrant_console_refusals_total{code="caller_refused"} 2',
      'warrant_console_bound_total{act="note"} 1',
      'warrant_console_streams_open 0',
      'warrant_console_sessions_open 1',
    ]),
  )
  expect(lines.some((line) => line.includes('olga') || line.includes(intent))).toBe(false)
})

test('a session that ended is counted no more', async () => {
  const scene = await consoleScene({}, { metrics: newMetrics() })
  const count = async () => {
    const { text } = await sent(scene, '/metrics')
    return /^warrant_console_sessions_open (\d+)$/m.exec(text)?.[1]
  }
  const olga = await signedInByPasskey(scene, 'olga')
  await signedInByPasskey(scene, 'piet')
  expect(await count()).toBe('2')
  await olga.get('leave')
  expect(await count()).toBe('1')
  scene.on.time.pass(9 * 3_600_000)
  expect(await count()).toBe('0')
})
