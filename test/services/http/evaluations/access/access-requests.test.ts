// Access requests on the real server: from a denial over people to an evaluation that is true, and
// how each may end otherwise.
import { describe, expect, test } from 'vitest'
import { EvaluationAnswer, EvaluationsAnswer } from '#schemas/http/evaluations'
import { evaluated } from '../decision-point.ts'
import {
  accessPoint,
  again,
  approval,
  asked,
  cancelled,
  denial,
  looked,
  mayNotAsk,
  requestable,
  requested,
  sending,
  taskPath,
} from './access-scene.ts'
import { expectReplay, names, reviewOf } from '../../../../support/scene.ts'

const minute = 60_000

test('a denial becomes a task, and people see all of it', async () => {
  const point = await accessPoint()
  const context = { ip: '::1', time: '10:00' }
  const body = sending({ context })
  const denied = await evaluated(point, body)
  expect(denied.decision).toBe(false)
  const hint = requestable(denied)
  expect(hint).toMatchObject({
    evaluation_id: hint.id,
    reason: 'approval_required',
    request: { tool: 'file.send' },
    access_request: { endpoint: `${point.url}/access/v1/requests` },
  })
  const { expires_at, binding_token } = hint.access_request
  expect(Date.parse(expires_at) - Date.parse(hint.evaluated_at)).toBe(10 * minute)
  const submitted = {
    context: { ...context, business_justification: 'the customer renews' },
    requested_access: { requested_until: '2030-01-01T00:00:00Z' },
    client: { name: 'gateway', actor: { id: 'gate' }, source: { session_id: 's-1' } },
    denial: { evaluation_id: hint.evaluation_id, expires_at, binding_token },
  }
  const pending = await requested(point, { body: submitted, key: 'k-1' })
  const { task } = pending
  expect(pending).toMatchObject({
    http: 202,
    task: { status: 'pending', progress: { current_step: 1, total_steps: 1 } },
  })
  expect(pending.headers.get('location')).toBe(task.status_endpoint)
  expect(pending.headers.get('retry-after')).toBe('5')
  expect(task.status_endpoint).toBe(`${point.url}${taskPath(task.id)}`)
  expect(task.links).toEqual({ cancel: `${task.status_endpoint}/cancel` })

  const review = await reviewOf(point.on.log, task.id)
  expect(review).toMatchObject({
    terms: {
      args: body,
      subject: 'ann',
      scope: {
        access_request: {
          evaluation_id: hint.evaluation_id,
          context: { business_justification: 'the customer renews' },
          requested_access: submitted.requested_access,
          client: submitted.client,
        },
      },
    },
    shown: { justification: 'the customer renews' },
    confirmers: ['piet', 'quin'],
  })
})

test('what people approved is then allowed, once', async () => {
  const point = await accessPoint()
  const context = { ip: '::1', time: '10:00' }
  const body = sending({ context })
  const of = { body: { context, denial: await denial(point, body) } }
  const { task } = await requested(point, of)
  const given = await approval(point, task.id)
  expect(await looked(point, task.id)).toMatchObject({
    http: 200,
    task: { status: 'approved' },
    result: { mode: 'reevaluate', approval: given },
  })
  expect(Date.parse(given.approved_until) - Date.parse(given.approved_at)).toBeLessThanOrEqual(
    2 * minute,
  )

  // Without it nothing has changed.
  expect((await evaluated(point, body)).decision).toBe(false)
  const nextContext = { ip: '::1', time: '11:00' }
  const later = sending({ context: nextContext })
  const allowed = await again(point, given, later)
  const { id, approved_until } = given
  expect(allowed).toMatchObject({ decision: true, context: { approval: { id, approved_until } } })
  expect(allowed.context?.reasons).toBe(undefined)
  expect(await names(point.on.log, 'main.1.ownstart.>')).toEqual([`main.1.ownstart.${task.id}`])

  const twice = await again(point, given, later)
  expect(twice).toMatchObject({
    decision: false,
    context: { reason: 'approval_expired', next_action: 'request' },
  })
  // What it says of the next request is good for one.
  const fresh = requestable(twice)
  const next = await requested(point, {
    body: {
      context: nextContext,
      denial: { evaluation_id: fresh.evaluation_id, ...fresh.access_request },
    },
  })
  expect(next.task).toMatchObject({ status: 'pending' })
  await expectReplay(point.on)
})

describe('a task', () => {
  test('is denied where someone declines', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    await point.on.decide(id, 'quin', { answers: false, note: 'not today' })
    await point.on.watch.settled(point.on.log)
    const shown = await looked(point, id)
    expect(shown).toMatchObject({ http: 200, task: { status: 'denied' } })
    expect([shown.task.display.description, shown.result, shown.task.links]).toEqual([
      expect.stringContaining('not today'),
      undefined,
      undefined,
    ])
  })

  test('is expired where no one answers in time', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    point.on.time.pass(minute + 1)
    await point.on.watch.settled(point.on.log)
    expect((await looked(point, id)).task.status).toBe('expired')
  })

  test('is cancelled by its caller', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const shown = await cancelled(point, id, { reason: 'done', comment: 'by phone' })
    expect(shown).toMatchObject({ http: 200, task: { status: 'cancelled' } })
    expect((await looked(point, id)).task.status).toBe('cancelled')
  })

  test('has failed where no one may be asked any more', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    await mayNotAsk(point)
    await point.on.decide(id, 'piet')
    await point.on.watch.settled(point.on.log)
    expect((await looked(point, id)).task.status).toBe('failed')
  })

  test('is the same on another server, which is begun after it', async () => {
    const point = await accessPoint()
    const { id } = await asked(point)
    const other = await point.another()
    expect((await looked(other, id)).task.status).toBe('pending')
    const given = await approval(other, id)
    expect((await again(other, given)).decision).toBe(true)
    // Used on one, it is used on all.
    expect((await again(point, given)).context).toMatchObject({ reason: 'approval_expired' })
  })
})

test('several evaluations may be presented with approvals, each with its own', async () => {
  const point = await accessPoint()
  const { id } = await asked(point)
  const given = await approval(point, id)
  const evaluations = [{ context: { approval: given } }, { context: { approval: given } }, {}]
  const body = { ...sending(), evaluations }
  const response = await point.send('/access/v1/evaluations', body)
  const several = EvaluationsAnswer.parse(await response.json())
  const answers = 'evaluations' in several ? several.evaluations : []
  const reasons = new Set(answers.map(({ context }) => context?.['reason']))
  expect(reasons).toEqual(new Set([undefined, 'approval_expired', 'approval_required']))
})

test('no caller learns of requests that it may not make', async () => {
  const point = await accessPoint()
  const headers = { authorization: `Bearer ${await point.tokenOf('reader')}` }
  const response = await point.send('/access/v1/evaluation', sending(), { headers, token: null })
  const { decision, context } = EvaluationAnswer.parse(await response.json())
  expect(decision).toBe(false)
  expect(context).toMatchObject({ reason: 'no_confirmer' })
  expect(context).not.toHaveProperty('access_request')
  const closed = sending({ resource: { type: 'file', id: 'f', properties: { state: 'closed' } } })
  const refused = await evaluated(point, closed)
  expect(refused.context).toMatchObject({ reason: 'policy_blocked' })
  expect(refused.context).not.toHaveProperty('access_request')
})
