// Decisions that count for nothing: they are recorded, their name is used, and nothing comes of
// them.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { stages } from '#workers/stages'
import { count } from '../../support/vitest/counts.ts'
import { changeCatalog, keys, newKey } from '../../support/runtime.ts'
import {
  answer,
  another,
  bind,
  codes,
  deletion,
  erase,
  expectReplay,
  forge,
  place,
  reviewed,
  reviewOf,
  say,
  scene,
  verdict,
  type Scene,
  names,
  bound,
} from '../../support/scene.ts'
import { Notifier } from '#log/delivery'
import type { Log } from '#ports/log'
import { logOf } from '../../support/wrapped-log.ts'

const minute = 60_000
const setup = {
  catalog: {
    capabilities: [erase],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      { id: 'quick', tier: 'confirm' as const, decideWithinMs: minute },
      {
        id: 'four',
        tier: 'four_eyes' as const,
        sessionless: true,
        group: 'desk',
        decideWithinMs: minute,
      },
    ],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}
const intent = { tool: 'erase' }

interface Forged {
  readonly under?: string
  readonly content?: Readonly<Record<string, unknown>>
  readonly privateKey?: string | null
}

const rows: readonly (readonly [string, Forged])[] = [
  ['is not signed', { privateKey: null }],
  ['a foreign key signed', { privateKey: newKey() }],
  ['another person signed', { privateKey: keys.piet }],
  ['speaks for someone else', { content: { confirmer: 'piet' }, privateKey: keys.piet }],
  ['answers something else than was shown', { content: { digest: `sha256:${'0'.repeat(64)}` } }],
  ['names another review', { content: { review: 'main.1.review.bot.-.other' } }],
  [
    'is about another intent',
    { content: { intent: { address: 'x.-.y', agent: 'x', session: null } } },
  ],
  ['says more than it should', { content: { force: true } }],
  ['answers with a text', { content: { answers: ['true'] } }],
  ['has a note without end', { content: { note: 'x'.repeat(4_001) } }],
]

test.each(rows)('a decision that %s counts for nothing and is used', async (_, forged) => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent })
  await forge(on, address, forged)
  await on.watch.settled(on.log)
  expect(await on.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  await expect(answer(on, address)).rejects.toMatchObject({ code: 'decided' })
  on.time.pass(minute + 1)
  expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
  await expectReplay(on)
})

test('bytes that are no decision at all count for nothing and are used', async () => {
  for (const bytes of ['', 'yes', '{}', `{"basis":"0","data":{"answers":[true]}}`]) {
    const on = await scene(setup)
    const address = await reviewed(on, { intent })
    const name = nameOf(place, 'decision', address, 1, 'olga')
    await on.log.append({ name, bytes: Buffer.from(bytes) })
    on.time.pass(minute + 1)
    expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
    await expectReplay(on)
  }
})

test('a decision moved to another intent counts for nothing, though both ask the same', async () => {
  const on = await scene(setup)
  const [first, second] = [await reviewed(on, { intent }), await reviewed(on, { intent })]
  const one = await reviewOf(on.log, first)
  expect((await reviewOf(on.log, second)).digest).toBe(one.digest)
  await answer(on, first)
  const given = await on.log.get(nameOf(place, 'decision', first, 'olga'))
  const moved = Buffer.from(given?.bytes ?? '')
    .toString('utf8')
    .replaceAll(first, second)
  await on.log.append({
    name: nameOf(place, 'decision', second, 'olga'),
    bytes: Buffer.from(moved),
  })
  expect((await verdict(on.log, first)).outcome).toBe('allow')
  on.time.pass(minute + 1)
  expect(codes(await verdict(on.log, second))).toEqual(['review_expired'])
})

test('an answer that came before the question counts for nothing', async () => {
  const on = await scene({ ...setup, stages: [] })
  const other = await another(on, { stages })
  const asked = await reviewed(other, { intent })
  const { digest } = await reviewOf(on.log, asked)
  await other.runtime.stop()
  // The questions of the next intent will be the same: only that no one has asked them yet.
  const address = await say(on.log, { intent })
  const name = nameOf(place, 'decision', address, 1, 'olga')
  const ref = { address, agent: 'bot', session: null }
  const review = nameOf(place, 'review', address, 1)
  const content = { answers: [true], confirmer: 'olga', digest, intent: ref, review }
  await bind(on.log, 'decision', name, content, keys.olga)
  const live = await another(on, { stages })
  expect((await reviewOf(live.log, address)).digest).toBe(digest)
  await live.watch.settled(live.log)
  expect(await live.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
})

async function answeredBy(on: Scene, by: 'piet' | 'quin'): Promise<string> {
  const address = await reviewed(on, { intent })
  await answer(on, address, { by })
  return address
}

// Confirmation does not run while the answer is given, and judges it by the catalog of later.
const later = { ...setup, graph: deletion({ name: 'ask', confirmation: 'four' }) }
const withoutConfirmation = stages.filter(({ name }) => name !== 'confirmation')

test('a key that was revoked meanwhile speaks for no one', async () => {
  const on = await scene({ ...later, stages: withoutConfirmation })
  const address = await answeredBy(on, 'piet')
  const entry = { id: 'piet', roles: [], attributes: {}, suspended: false }
  const keyOf = [publicKeyOf(newKey())]
  await changeCatalog(on.runtime, {
    op: 'put',
    collection: 'principals',
    entry: { ...entry, keys: keyOf },
  })
  const live = await another(on, { stages })
  await live.watch.settled(live.log)
  expect(await live.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  await answer(live, address, { by: 'quin' })
  expect((await verdict(live.log, address)).confirmedBy).toEqual(['quin'])
  await expectReplay(live)
})

test('a confirmer who was suspended meanwhile counts for nothing', async () => {
  const on = await scene({ ...later, stages: withoutConfirmation })
  const address = await answeredBy(on, 'piet')
  await changeCatalog(on.runtime, { op: 'suspend', id: 'piet' })
  const live = await another(on, { stages })
  await live.watch.settled(live.log)
  expect(await live.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  live.time.pass(minute + 1)
  expect(codes(await verdict(live.log, address))).toEqual(['review_expired'])
  await expectReplay(live)
})

test('a no that is void does not decline, and a yes that is void does not agree', async () => {
  const on = await scene(later)
  const address = await reviewed(on, { intent })
  await forge(on, address, { under: 'piet', content: { answers: [false] }, privateKey: null })
  await on.watch.settled(on.log)
  expect(await on.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  await answer(on, address, { by: 'quin' })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
})

const answersMax = count(500, 100)

test(`${answersMax} answers that no one asked for are not kept in mind`, async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent })
  for (let n = 0; n < answersMax; n += 1) {
    await forge(on, address, { under: `stranger${n}`, privateKey: null })
  }
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.get(address)?.decisions).toEqual([])
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
})

// Two deadlines, both by the log’s own time: by when to decide, and by when to use what was
// decided.

const decideWithinMs = 60_000
const useWithinMs = 30_000
const untilDeadline = {
  catalog: {
    capabilities: [erase],
    confirmations: [{ id: 'quick', tier: 'confirm' as const, decideWithinMs, useWithinMs }],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}

test('an answer one millisecond after the last moment counts for nothing', async () => {
  const on = await scene({ ...untilDeadline, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs + 1)
  await decided(on, address)
  const live = await another(on, { stages })
  live.time.pass(0)
  expect(codes(await verdict(live.log, address))).toEqual(['review_expired'])
  await expectReplay(live)
})

test('an answer at the last moment counts', async () => {
  const on = await scene(untilDeadline)
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('a review that no one answers expires after its last moment, and not before', async () => {
  const on = await scene(untilDeadline)
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
  on.time.pass(1)
  const denied = await verdict(on.log, address)
  expect(codes(denied)).toEqual(['review_expired'])
  expect(denied.reasons[0]?.recover).toBe('fix')
  await expectReplay(on)
})

test('an answer in time counts though the worker comes after the deadline', async () => {
  const on = await scene({ ...untilDeadline, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await answer(on, address)
  on.time.pass(useWithinMs)
  const live = await another(on, { stages })
  expect(await verdict(live.log, address)).toMatchObject({
    outcome: 'allow',
    confirmedBy: ['olga'],
  })
  await expectReplay(live)
})

test('an answer in time that no one used in time has expired', async () => {
  const on = await scene({ ...untilDeadline, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  await answer(on, address)
  on.time.pass(useWithinMs + 1)
  const live = await another(on, { stages })
  expect(codes(await verdict(live.log, address))).toEqual(['review_expired'])
  await expectReplay(live)
})

test('what was agreed may be used until its last moment, however late it was released', async () => {
  const on = await scene({ ...untilDeadline, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  await answer(on, address)
  const agreedAt = on.time.now
  on.time.pass(useWithinMs - 1)
  const live = await another(on, { stages })
  const { terms } = await verdict(live.log, address)
  expect(Date.parse(terms?.useBy ?? '')).toBe(agreedAt + useWithinMs)
})

test('a worker that has not folded an answer in time does not report that it expired', async () => {
  const on = await scene({ ...untilDeadline, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  // The worker follows the log as far as the review, and no further until it asks for the end.
  const gate = gated(nameOf(place, 'review', address, 1))
  const late = await another(on, { stages, wrap: gate.wrap })
  await answer(on, address)
  on.time.pass(1)
  gate.open()
  expect((await verdict(late.log, address)).outcome).toBe('allow')
})

test('a review whose answer is wanted before it is opened has expired at once', async () => {
  const on = await scene(untilDeadline)
  const replyBy = new Date(on.time.now - 1).toISOString()
  const address = await reviewed(on, { intent: { ...intent, replyBy } })
  on.time.pass(0)
  expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
})

// A log whose follower stops after that fact until it is released on.
function gated(name: string) {
  const notifier = new Notifier()
  const opened = notifier.wait()
  const wrap = (log: Log): Log => ({
    ...logOf(log),
    async *follow(from, signal) {
      for await (const fact of log.follow(from, signal)) {
        yield fact
        if (fact.name === name) await opened
      }
    },
  })
  return { wrap, open: () => notifier.ring() }
}

async function decided(on: Scene, address: string): Promise<void> {
  await forge(on, address, {})
  await bound(on.log, nameOf(place, 'decision', address, 1, 'olga'))
}
