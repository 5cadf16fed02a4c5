// Arguments that a driver refuses: their agent learns why, and no log has an error of ours.
import { expect, test } from 'vitest'
import { reason } from '../../support/scene.ts'
import { httpStand, proof, send } from './http-stand.ts'

test.each([
  ['fetched', '..'],
  ['fetched', '.'],
  ['fetched', ''],
  ['labelled', 'a\r\nX-Admin: 1'],
  ['labelled', 'a\nb'],
  ['labelled', 'a\0b'],
  ['printed', '-n'],
  ['printed', '--exec=evil'],
])('of `%s` for %j there is no warrant, and the answer says why', async (tool, to) => {
  const all = await httpStand()
  const asked = { tool, args: { to }, justification: reason }
  const { intent, outcome } = await all.clients.ada.ask(asked)
  expect(outcome).toBe('allow')
  const path = `/v1/warrants/${intent}`
  const answer = await send(all, { path, headers: { dpop: proof(all, { path }) } })
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({
    code: 'tool_failed',
    detail: expect.stringContaining('argument_unsafe'),
  })
})
