// A verdict that no stage has drawn up, written into the log by someone who can: no door shows it
// as an answer, and none lets anything through by it.
import { expect, test } from 'vitest'
import { partsInRealm } from '#record/names'
import { madeUp } from '../support/forger.ts'
import { names, type Scene } from '../support/scene.ts'
import { decisionPoint, decisions, evaluated, type Catalog } from './evaluations/decision-point.ts'
import { answer, call, httpDoorScene, lookAt, refusal } from './http-door.ts'

/** Binds an allow to each message, before any stage has answered it. */
function forging({ runtime, log, time }: Scene, observed: boolean): () => void {
  return runtime.follower.listen((fact, { parts }) => {
    if (parts?.kind !== 'vlp' || parts.address === null) return
    const of = { basis: fact.position, time: new Date(time.now).toISOString(), observed }
    void log.append(madeUp(parts.address, of))
  })
}

test('an allow that was made up is no answer to its agent, and starts nothing', async () => {
  const door = await httpDoorScene()
  const { body } = await answer(door, 'ask', { body: lookAt(1) })
  expect(body).toMatchObject({ outcome: 'allow' })
  expect((await answer(door, 'intent', { id: body.intent })).body).toMatchObject(body)
  const end = forging(door.on, false)
  expect(await refusal(door, 'ask', { body: lookAt(2) })).toBe('409 verdict_not_derived')
  const bound = await names(door.on.log, 'main.1.verdict.>')
  const forgedAt = partsInRealm(bound.at(-1) ?? '', 'main')?.address ?? ''
  expect(await refusal(door, 'intent', { id: forgedAt })).toBe('409 verdict_not_derived')
  expect(await refusal(door, 'start', { id: forgedAt })).toMatch(/^409 /)
  const sent = await call(door, 'events', { headers: { 'last-event-id': '0' } })
  const chunks = new TextDecoderStream()
  void sent.body?.pipeTo(chunks.writable).catch(() => undefined)
  let shown = ''
  end()
  const last = (await answer(door, 'ask', { body: lookAt(3) })).body.intent
  for await (const chunk of chunks.readable) {
    shown += chunk
    if (shown.includes(last)) break
  }
  expect(shown).toContain(body.intent)
  expect(shown).not.toContain(forgedAt)
})

const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    { id: 'ann', roles: ['staff'] },
  ],
  capabilities: [
    {
      id: 'todo.read',
      safetyClass: 'READ',
      argsSchema: { type: 'object' },
      requests: [{ method: 'GET', path: '/todos' }],
    },
  ],
}

test('an evaluation that was made up is no yes at any door', async () => {
  const point = await decisionPoint(catalog)
  const asked = {
    subject: { type: 'user', id: 'ann' },
    action: { name: 'read' },
    resource: { type: 'todo', id: '1' },
  }
  const edge = (): Promise<Response> => {
    const headers = { 'x-warrant-subject': 'ann' }
    return point.send('/v1/ext-authz/todos', null, { method: 'GET', headers })
  }
  const opa = async (): Promise<unknown> => {
    const input = { tool: { name: 'todo.read' }, args: {}, subject: { type: 'user', id: 'ann' } }
    return (await point.send('/v1/data/warrant/allow', { input })).json()
  }
  const several = { ...asked, evaluations: [{}, { resource: { type: 'todo', id: '2' } }] }
  expect(await evaluated(point, asked)).toMatchObject({ decision: true })
  expect(await decisions(point, several)).toEqual([true, true])
  expect(await opa()).toMatchObject({ result: true })
  expect((await edge()).status).toBe(200)
  forging(point.on, true)
  expect((await point.send('/access/v1/evaluation', asked)).status).toBe(409)
  expect(await decisions(point, several)).toEqual([false, false])
  expect(await opa()).not.toMatchObject({ result: true })
  expect((await edge()).status).toBe(403)
})
