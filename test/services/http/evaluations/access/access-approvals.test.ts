// Approvals that are worth nothing: those of others, for something else, too late, used, or against
// what the rules say now.
import { describe, expect, test } from 'vitest'
import { DecidedAnswer, WaitingAnswer } from '#schemas/http/bodies'
import { evaluated } from '../decision-point.ts'
import {
  accessPoint,
  again,
  approval,
  asked,
  looked,
  problem,
  request,
  sending,
  type Sending,
} from './access-scene.ts'
import { names } from '../../../../support/scene.ts'
import { changeCatalog } from '../../../../support/runtime.ts'

const sendingFor = (id: string) => ({ ...sending(), subject: { type: 'user', id } })

describe('an approval', () => {
  const next = (reason: string, next_action: string) => ({
    decision: false,
    context: { reason, next_action },
  })

  test('is of its caller and of people, and nothing else is one', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const given = await approval(point, id)
    const { context } = await evaluated(point, sending())
    for (const other of ['x', { id: context?.id }, { id: `${given.id}x` }, {}, null, [given]]) {
      expect(await again(point, other)).toMatchObject(next('approval_unverifiable', 'none'))
    }
    const body = sending({ context: { approval: given } })
    const token = await point.tokenOf('side')
    const response = await point.send('/access/v1/evaluation', body, { token })
    expect(await response.json()).toMatchObject(next('approval_unverifiable', 'none'))
    expect((await again(point, given)).decision).toBe(true)
  })

  test('is for the capability that people saw, whatever its arguments say', async () => {
    const point = await accessPoint()
    const args = sending()
    const base = { args, scope: { access_request: {} }, subject: { type: 'user', id: 'ann' } }
    const others: readonly object[] = [
      { ...base, tool: 'file.show' },
      { ...base, tool: 'file.send', subject: { type: 'user', id: 'ben' } },
      { ...base, tool: 'file.send', args: { ...args, note: 'not what it looks like' } },
    ]
    for (const other of others) {
      const published = await point.send('/v1/intents', other)
      const { intent } = WaitingAnswer.parse(await published.json())
      await point.on.decide(intent, 'piet')
      await point.on.watch.settled(point.on.log)
      const { result } = await looked(point, intent)
      expect(await again(point, result?.approval)).toMatchObject(
        next('approval_unverifiable', 'none'),
      )
    }
    // Nor does such an evaluation become a request for what its arguments say.
    const evaluation = { ...base, tool: 'file.show', observe: true }
    const denied = await point.send('/v1/intents', evaluation)
    const { verdict } = DecidedAnswer.parse(await denied.json())
    const expires_at = new Date(point.on.time.now + 10 * 60_000).toISOString()
    const body = { denial: { evaluation_id: verdict, expires_at } }
    expect(await problem(request(point, { body }))).toBe('400 invalid_denial_binding')
  })

  test('is for what people saw', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const given = await approval(point, id)
    const others: readonly Sending[] = [
      sending({ resource: { type: 'file', id: 'f-2' } }),
      sending({ context: { ip: '::1' } }),
      sendingFor('ben'),
    ]
    for (const other of others) {
      const said = await again(point, given, other)
      expect(said).toMatchObject(next('out_of_scope', 'request'))
      expect(said.context).toHaveProperty('access_request')
    }
    expect((await again(point, given)).decision).toBe(true)
  })

  test('ends, and is worth nothing where rules refuse', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const given = await approval(point, id)
    const closed = sending({
      resource: { type: 'file', id: 'f-1', properties: { state: 'closed' } },
    })
    expect(await again(point, given, closed)).toMatchObject(next('policy_denied', 'none'))
    await changeCatalog(point.on.runtime, { op: 'suspend', id: 'ann' })
    const suspended = await again(point, given)
    expect(suspended).toMatchObject(next('policy_denied', 'none'))
    expect(suspended.context).not.toHaveProperty('access_request')
    await changeCatalog(point.on.runtime, { op: 'unsuspend', id: 'ann' })
    point.on.time.pass(Date.parse(given.approved_until) - point.on.time.now + 1)
    await point.on.watch.settled(point.on.log)
    expect(await again(point, given)).toMatchObject(next('approval_expired', 'request'))
    expect(await names(point.on.log, 'main.1.ownstart.>')).toEqual([])
  })

  test('is used once by all who present it at the same moment', async () => {
    const point = await accessPoint()
    const other = await point.another()
    const { id } = await asked(point)
    const given = await approval(point, id)
    const both = await Promise.all([point, other, point].map((each) => again(each, given)))
    expect(both.filter(({ decision }) => decision)).toHaveLength(1)
  })
})
