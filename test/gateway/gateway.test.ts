// What a gateway runs, and what it does not: one run for each verdict, exactly what was judged, and
// an outcome whatever happens.
import { describe, expect, test } from 'vitest'
import { readEvent } from '#record/event'
import { nameOf } from '#record/names'
import { changeCatalog, keys } from '../support/runtime.ts'
import { expectReplay, names, place } from '../support/scene.ts'
import { allowed, gatewayOn, outcomeOf, post, stand } from './gateway-stand.ts'

const bot = 'bot'

test('what was allowed is run once, with defaults, and its outcome is in the log', async () => {
  const all = await stand()
  const intent = await allowed(all)
  const result = await all.gateway.call({ intent, presenter: bot })
  expect(result.value).toEqual({ sent: true })
  expect(all.ran).toEqual([{ to: 'ann', copies: 1 }])
  const outcome = await outcomeOf(all, intent)
  expect(outcome).toMatchObject({ outcome: 'succeeded', result: { bytes: 13 } })
  const start = await all.on.log.get(nameOf(place, 'start', intent))
  const reading = start === undefined ? null : readEvent('start', start)
  expect(reading?.ok === true ? reading.event.data.gateway : '').toMatch(/^gw@/)
  expect(all.on.runtime.follower.state.running.size).toBe(0)
  await expectReplay(all.on)
})

test('a warrant that is presented five hundred times runs once', async () => {
  const all = await stand()
  const intent = await allowed(all)
  const calls = Array.from({ length: 500 }, () => all.gateway.call({ intent, presenter: bot }))
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const codes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(new Set(codes)).toEqual(new Set(['warrant_used', 'gateway_busy']))
  expect(all.ran).toHaveLength(1)
})

test('two gateways run it once between them', async () => {
  const all = await stand()
  const other = gatewayOn(all.on, all.ran)
  const intent = await allowed(all)
  const calls = [all.gateway, other].map((one) => one.call({ intent, presenter: bot }))
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(all.ran).toHaveLength(1)
})

describe('nothing is run', () => {
  test('of what was denied', async () => {
    const all = await stand()
    const { intent } = await all.on.bot.ask({ tool: 'post', args: { copies: 'many' } })
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'not_allowed' })
    expect(all.ran).toEqual([])
  })

  test('for who is not the agent', async () => {
    const all = await stand()
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: 'eve' })
    await expect(call).rejects.toMatchObject({ code: 'not_yours' })
    expect(await names(all.on.log, 'main.1.start.>')).toEqual([])
  })

  test('for an agent that was suspended after the verdict, and that is recorded', async () => {
    const all = await stand()
    const intent = await allowed(all)
    await changeCatalog(all.on.runtime, { op: 'suspend', id: bot })
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'agent_suspended' })
    expect(await outcomeOf(all, intent)).toMatchObject({
      outcome: 'refused',
      code: 'agent_suspended',
    })
    expect(all.ran).toEqual([])
  })

  test('of a warrant that was revoked', async () => {
    const all = await stand()
    const intent = await allowed(all)
    const by = { by: 'root', privateKey: keys.root }
    await all.on.bot.revoke({ ...by, target: { capability: 'post' } })
    const call = all.gateway.call({ intent, presenter: bot })
    const message = expect.stringContaining('its warrant was taken back')
    await expect(call).rejects.toMatchObject({ code: 'warrant_revoked', message })
    expect(await outcomeOf(all, intent)).toMatchObject({ code: 'warrant_revoked' })
    expect(all.ran).toEqual([])
  })

  test('after the warrant has expired', async () => {
    const all = await stand()
    const intent = await allowed(all)
    all.on.time.pass(10 * 60_000)
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'warrant_expired' })
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'refused' })
    expect(all.ran).toEqual([])
  })

  test('of a capability that was changed after the verdict', async () => {
    const all = await stand()
    const intent = await allowed(all)
    const driver = { kind: 'local' as const, operation: 'wipe' }
    const entry = { ...post, driver, description: '', sensitivity: 'NONE' as const }
    const whole = { ...entry, concepts: [], allowedFields: [], tags: [] }
    await changeCatalog(all.on.runtime, { op: 'put', collection: 'capabilities', entry: whole })
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'capability_changed' })
    expect(all.ran).toEqual([])
  })

  test('in a dry run, which binds nothing and leaves the warrant good', async () => {
    const all = await stand()
    const intent = await allowed(all)
    const { position } = await all.on.log.head()
    const dry = await all.gateway.dryRun({ intent, presenter: bot })
    expect(dry).toMatchObject({
      capability: 'post',
      driver: 'local',
      args: { to: 'ann', copies: 1 },
      would: { operation: 'post' },
    })
    expect((await all.on.log.head()).position).toBe(position)
    expect(all.ran).toEqual([])
    await all.gateway.call({ intent, presenter: bot })
    expect(all.ran).toHaveLength(1)
  })

  test('by a guard in the agent’s own program', async () => {
    const all = await stand()
    const guarded = all.on.bot.guard('post', () => all.ran.push({}))
    await expect(guarded({ to: 'ann' })).rejects.toMatchObject({ code: 'gateway_only' })
    expect(all.ran).toEqual([])
  })
})

test('the operation is that of the catalog, whatever the arguments say', async () => {
  const wiped: unknown[] = []
  const all = await stand({ tools: { wipe: (args) => wiped.push(args) } })
  const intent = await allowed(all, { to: 'ann', operation: 'wipe', tool: 'wipe' })
  await all.gateway.call({ intent, presenter: bot })
  expect(wiped).toEqual([])
  expect(all.ran).toEqual([{ to: 'ann', operation: 'wipe', tool: 'wipe', copies: 1 }])
})
