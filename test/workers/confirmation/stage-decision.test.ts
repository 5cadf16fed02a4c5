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
} from '../../support/scene.ts'
import { place, reviewed, reviewOf, say, scene, verdict, type Scene } from '../../support/scene.ts'

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
