// An agent moves from cell to cell with its limits and what stops it, and never with more freedom
// than it had: what it has open ends first, and a replay of its old cell compares what it brings.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { cellOf } from '#rules/catalog/cells'
import { change } from '#authoring/change'
import { arrivalOf, leavingOf, watchedDepartures } from '#authoring/moves/departure'
import { movePlan, staying } from '#authoring/moves/move-plan'
import type { Arrival } from '#schemas/catalog'
import { lift } from '#client/people/reinstate'
import { changeCatalog, keys } from '../../support/runtime.ts'
import { replayed, until } from '../memory-stand.ts'
import {
  arrive,
  as,
  asked,
  author,
  codes,
  findings,
  inCell,
  leave,
  moved,
  moveStand,
  reviewed,
  session,
  shared,
  stopped,
  uses,
  type MoveStand,
} from './move-stand.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function stand(): Promise<MoveStand> {
  const at = await moveStand()
  ends.push(() => at.dispose())
  return at
}

describe('an agent that leaves its cell', () => {
  test('is denied all that it asks from then on, in whatever cell', async () => {
    const at = await stand()
    expect(codes(await asked(at.old))).toEqual(['allow'])
    await leave(at)
    expect(codes(await asked(at.old))).toEqual(['deny', 'agent_moving'])
    expect(codes(await asked(at.next))).toEqual(['deny', 'agent_moving', 'other_cell'])
    const [reason] = (await asked(at.old)).reasons
    expect(reason).toEqual({ code: 'agent_moving', recover: 'wait', params: {} })
    const other = await (await as(at.old, 'other')).ask({ tool: 'look' })
    expect(other.outcome).toBe('allow')
    expect(await findings(at)).toEqual([])
  })

  test('may ask again when it stays', async () => {
    const at = await stand()
    await leave(at)
    const { catalog } = at.control.runtime.follower.state
    await changeCatalog(at.control.runtime, ...staying(catalog, 'mover'))
    await shared(at)
    expect(codes(await asked(at.old))).toEqual(['allow'])
  })

  test('waits for what it has open, which comes to what it would have come to', async () => {
    const at = await stand()
    const intent = await reviewed(at.old)
    const { follower, timer } = at.old.runtime
    const { state } = follower
    await leave(at)
    expect(codes(await asked(at.old))).toEqual(['deny', 'agent_moving'])
    expect(leavingOf(state, ['mover'])).toMatchObject({
      is: 'open',
      intents: [{ address: intent }],
    })
    const gone = () => leavingOf(state, ['mover']).is === 'gone'
    expect(await follower.until(gone, timer, 20)).toBe(false)
    const waiting = follower.until(gone, timer, 20_000)
    const mover = await as(at.old)
    const yes = { confirmer: 'olga', privateKey: keys.olga, answers: true }
    await mover.decide({ intent, ...yes })
    expect(await waiting).toBe(true)
    expect((await mover.verdict(intent)).outcome).toBe('allow')
    await arrive(at, { from: at.from, on: at.old, fleet: at.fleet })
    expect(await findings(at)).toEqual([])
  })
})

test('what was allowed in the old cell is redeemed there', async () => {
  const at = await stand()
  const mover = await as(at.old)
  const ran: string[] = []
  const { intents } = at.old.runtime.follower.state
  const erasing = mover.guard('erase', () => ran.push('erased'))({})
  const isReviewed = () => [...intents.values()].some(({ review }) => review !== null)
  await until(isReviewed)
  const [intent = ''] = intents.keys()
  await leave(at)
  await mover.decide({ intent, confirmer: 'olga', privateKey: keys.olga, answers: true })
  await erasing
  expect(ran).toEqual(['erased'])
  expect(await findings(at)).toEqual([])
})

describe('an agent that has moved', () => {
  test('has as many uses left as it had, is stopped as it was, and can be unblocked', async () => {
    const at = await stand()
    for (let use = 0; use < uses; use += 1) expect((await asked(at.old)).outcome).toBe('allow')
    expect(codes(await asked(at.old))).toEqual(['deny', 'rate_limited'])
    await stopped(at.old, { receiver: 'mover' })
    await moved(at)
    expect(cellOf(at.control.runtime.follower.state.catalog, 'mover')).toBe(at.to)
    const denied = await asked(at.next)
    expect(codes(denied)).toEqual(['deny', 'message_blocked', 'rate_limited'])
    expect(denied.name).toContain(`${inCell(at.to)}.1.verdict.`)
    expect(denied.reasons[0]?.params).toMatchObject({ cause: 'sender', principal: 'guard' })
    expect(codes(await asked(at.old))).toContain('other_cell')
    await lift(at.next.runtime, { agent: 'mover', by: 'olga', privateKey: keys.olga })
    expect(codes(await asked(at.next))).toEqual(['deny', 'rate_limited'])
    expect(await findings(at)).toEqual([])
    expect((await replayed(at.next.log, inCell(at.to))).first).toBeNull()
  })

  test('has used what it used, and no window counts what it leaves behind', async () => {
    const at = await stand()
    expect((await asked(at.old)).outcome).toBe('allow')
    expect((await asked(at.old, 'peek')).outcome).toBe('allow')
    // Its window is a millisecond long.
    await pause(5)
    await moved(at)
    const { state } = at.next.runtime.follower
    expect(state.uses.get('mover.look')?.times).toHaveLength(1)
    expect(state.uses.get('mover.look')?.sequence.next).toBe(1)
    expect(state.uses.has('mover.peek')).toBe(false)
    for (let use = 1; use < uses; use += 1) expect((await asked(at.next)).outcome).toBe('allow')
    expect(codes(await asked(at.next))).toEqual(['deny', 'rate_limited'])
  })

  test.each([
    ['of a group', { receiver: 'team' }],
    ['of a session in which it spoke', {}],
  ])('is stopped by a block %s', async (_what, fields) => {
    const at = await stand()
    expect((await asked(at.old, 'look', { session_id: session })).outcome).toBe('allow')
    await stopped(at.old, fields)
    await moved(at)
    expect(codes(await asked(at.next))).toEqual(['deny', 'message_blocked'])
    expect(await findings(at)).toEqual([])
  })

  test('comes back without the block that was lifted, and with each use once', async () => {
    const at = await stand()
    expect((await asked(at.old)).outcome).toBe('allow')
    await stopped(at.old, { receiver: 'mover' })
    await moved(at)
    await lift(at.next.runtime, { agent: 'mover', by: 'olga', privateKey: keys.olga })
    expect((await asked(at.next)).outcome).toBe('allow')
    const { runtime } = at.control
    const back = movePlan(runtime.follower.state.catalog, 'mover', { fleet: 'red' })
    await change(runtime, { kind: 'catalog', operations: back.leave }, author)
    await shared(at)
    await arrive(at, { from: at.to, on: at.next, fleet: 'red' })
    expect(at.old.runtime.follower.state.uses.get('mover.look')?.times).toHaveLength(2)
    expect((await asked(at.old)).outcome).toBe('allow')
    expect(codes(await asked(at.old))).toEqual(['deny', 'rate_limited'])
    const reports = await Promise.all(
      [at.old, at.next].map(({ log }, index) => {
        return replayed(log, inCell(index === 0 ? at.from : at.to))
      }),
    )
    for (const { first, findings: found } of reports) {
      expect([first, found.shown]).toEqual([null, []])
    }
  })
})

test('more than a change set can hold is not moved', async () => {
  const at = await stand()
  const times = Array.from({ length: 30_000 }, () => Date.now())
  const moving = moved(at, { uses: [{ capability: 'look', times }] })
  await expect(moving).rejects.toMatchObject({ code: 'change_too_large' })
  expect(cellOf(at.control.runtime.follower.state.catalog, 'mover')).toBe(at.from)
})

describe('a replay of the old cell finds', () => {
  test.each<readonly [string, Partial<Arrival>]>([
    ['uses', { uses: [] }],
    ['uses', { uses: [{ capability: 'look', times: [1] }] }],
    ['asks', { asks: [{ capability: 'erase', times: [1] }] }],
    ['block', { block: null }],
    ['block', { block: { name: 'main-c0.1.vlp.guard.-.x', sender: 'guard' } }],
    ['at', { at: '2100-01-01T00:00:00.000Z', uses: [] }],
  ])('an arrival with other %s: %o', async (why, forged) => {
    const at = await stand()
    expect((await asked(at.old)).outcome).toBe('allow')
    await stopped(at.old, { receiver: 'mover' })
    await moved(at, forged)
    expect(await findings(at)).toEqual([['arrivalDiffers', why, 'mover']])
  })

  test('an arrival while something was open', async () => {
    const at = await stand()
    await reviewed(at.old)
    await leave(at)
    await arrive(at, { from: at.from, on: at.old, fleet: at.fleet })
    expect(await findings(at)).toEqual([['arrivalDiffers', 'still_open', 'mover']])
  })

  test('a block that came after the cell was looked at, as the writer does', async () => {
    const at = await stand()
    await leave(at)
    const early = await arrivalOf(at.old.runtime, { id: 'mover', from: at.from })
    await stopped(at.old, { receiver: 'mover' })
    const watched = watchedDepartures(at.old.runtime)
    await arrive(at, { from: at.from, on: at.old, fleet: at.fleet }, early)
    watched.stop()
    const { catalogRevision } = at.control.runtime.follower.state
    const stops = { name: expect.stringContaining('.vlp.guard.'), sender: 'guard' }
    expect(await watched.falseIn(catalogRevision)).toEqual([
      { id: 'mover', why: 'block', said: null, stops },
    ])
    expect(await findings(at)).toEqual([['arrivalDiffers', 'block', 'mover']])
  })
})
