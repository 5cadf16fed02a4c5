// An approval is no bearer grant: when people have agreed everything is derived again, and what has
// become a refusal meanwhile refuses.
import { expect, test } from 'vitest'
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { changeCatalog, changeGraph } from '../../support/runtime.ts'
import {
  answer,
  bind,
  deletion,
  erase,
  expectReplay,
  names,
  place,
  read,
  recoveries,
  replayed,
  reviewed,
  reviewOf,
  say,
  scene,
  verdict,
  type Scene,
  another,
  codes,
} from '../../support/scene.ts'
import { nameOf } from '#record/names'
import { stages } from '#workers/stages'
import { count } from '../../support/vitest/counts.ts'

const module = `
export const free = ({ evidence }) => {
  const taken = evidence.some(({ payload }) => payload?.taken === true)
  return { passed: !taken, message: 'it is taken' }
}
`
const session = 'S-2026-01-01-bot-abcdef'
const desk = { id: 'desk', members: ['piet', 'quin'] }
const four = { id: 'four', tier: 'four_eyes' as const, sessionless: true, group: 'desk' }
const setup = {
  catalog: {
    capabilities: [erase, { ...erase, id: 'other' }],
    principals: [{ id: 'tools' }],
    groups: [desk],
    confirmations: [four],
    limits: [{ capability: 'erase', uses: 2, windowMs: 60_000 }],
    trustedEvidence: [{ sender: 'tools', for: ['*'] }],
  },
  graph: deletion(
    { name: 'ask', confirmation: 'four' },
    { name: 'free', requiresConfirmation: false, callback: 'free' },
  ),
  module,
}
const intent = { tool: 'erase' }
const pair = (policy: string) => ({
  name: policy,
  requiresConfirmation: true,
  triggerCardinality: null,
  callback: null,
  confirmationMessage: 'and this?',
  metadata: {},
  confirmation: 'four',
})

/** Asks, lets something happen, and then has someone agree. */
async function agreedAfter(happening: (on: Scene) => Promise<unknown>) {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  await happening(on)
  await answer(on, address, { by: 'piet' })
  const given = await verdict(on.log, address)
  await expectReplay(on)
  return given
}

const graphChanges: readonly (readonly [string, readonly string[], readonly GraphOperation[]])[] = [
  [
    'what it needs is no longer known as deeply',
    ['ungrounded learn'],
    [{ op: 'erase', name: 'file', level: 1 }],
  ],
]

test.each(graphChanges)(
  'where %s, it is refused in spite of a yes',
  async (_, expected, operations) => {
    const denied = await agreedAfter((on) => changeGraph(on.runtime, ...operations))
    expect(recoveries(denied)).toEqual(expected)
    expect(denied.confirmedBy).toEqual(['piet'])
  },
)

const write = { safetyClass: 'WRITE' as const, sensitivity: 'NONE' as const, description: '' }
const whole = { ...erase, ...write, allowedFields: [], tags: [] }
const catalogChanges: readonly (readonly [
  string,
  readonly string[],
  readonly CatalogOperation[],
])[] = [
  ['the agent is suspended', ['agent_suspended never'], [{ op: 'suspend', id: 'bot' }]],
  [
    'the capability is gone',
    ['unknown_capability fix'],
    [{ op: 'remove', collection: 'capabilities', id: 'other' }],
  ],
  [
    'the capability needs more than it did',
    ['missing_role never'],
    [{ op: 'put', collection: 'capabilities', entry: { ...whole, safetyClass: 'DESTRUCTIVE' } }],
  ],
]

test.each(catalogChanges)(
  'where %s, it is refused in spite of a yes',
  async (_, expected, operations) => {
    const on = await scene(setup)
    const gone = expected[0] === 'unknown_capability fix'
    const address = await reviewed(on, { session, intent: gone ? { tool: 'other' } : intent })
    await changeCatalog(on.runtime, ...operations)
    await answer(on, address, { by: 'piet' })
    expect(recoveries(await verdict(on.log, address))).toEqual(
      expect.arrayContaining([...expected]),
    )
    expect((await verdict(on.log, address)).terms).toBe(null)
    await expectReplay(on)
  },
)

const askedAgain: readonly (readonly [string, (on: Scene) => Promise<unknown>])[] = [
  [
    'a policy was added that asks people',
    (on) => {
      const policies = [pair('new')]
      const edge = { type: 'APPLIES_TO' as const, target: 'file', targetDepth: 1, metadata: {} }
      const relatum = { ...edge, policies }
      return changeGraph(on.runtime, { op: 'relate', name: 'delete', level: 1, relatum })
    },
  ],
  [
    'who agreed is no longer of those who may',
    (on) => {
      const entry = { id: 'desk', members: ['quin'] }
      return changeCatalog(on.runtime, { op: 'put', collection: 'groups', entry })
    },
  ],
  [
    'the time to use it is shorter',
    (on) => {
      const entry = { ...four, quorum: 1, decideWithinMs: 60_000, useWithinMs: 1_000 }
      return changeCatalog(on.runtime, { op: 'put', collection: 'confirmations', entry })
    },
  ],
]

test.each(askedAgain)('where %s, people are asked again', async (_, happening) => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  const first = await reviewOf(on.log, address)
  await happening(on)
  await answer(on, address, { by: 'piet' })
  const again = await read(on.log, 'review', nameOf(place, 'review', address, 2))
  expect(again).toMatchObject({ number: 2, previous: nameOf(place, 'review', address, 1) })
  expect(again.digest === first.digest).toBe(first.confirmers.length !== again.confirmers.length)
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(await on.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  await answer(on, address, { by: 'quin' })
  expect(await verdict(on.log, address)).toMatchObject({ outcome: 'allow', confirmedBy: ['quin'] })
  await expectReplay(on)
})

test('an edit that does not concern it leaves the approval as it is', async () => {
  const allowed = await agreedAfter(async (on) => {
    const properties = { what: 'the same, with a typo fixed' }
    await changeGraph(on.runtime, { op: 'describe', name: 'file', level: 1, properties })
    await changeGraph(on.runtime, { op: 'add', name: 'something else' })
  })
  expect(allowed).toMatchObject({ outcome: 'allow', confirmedBy: ['piet'] })
})

test('where a check fails now, it is refused in spite of a yes', async () => {
  const message = {
    type: 'evidence',
    content: 'taken',
    payload: { taken: true },
    refers_to: 'x',
    provenance: ['y'],
  }
  const denied = await agreedAfter((on) => say(on.log, { as: 'tools', session, message }))
  expect(recoveries(denied)).toEqual(['policy_blocked never'])
  expect(denied.reasons[0]?.params.message).toBe('it is taken')
})

test('where the uses have run out meanwhile, it is refused in spite of a yes', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  for (let n = 1; n <= 2; n += 1) {
    const ref = { address: `bot.-.x${n}`, agent: 'bot', session: null }
    const of = { agent: 'bot', capability: 'erase', intent: ref }
    const use = { ...of, use: n, uses: 2, windowMs: 60_000 }
    await bind(on.log, 'rate', nameOf(place, 'rate', 'bot', 'erase', n), use)
  }
  await answer(on, address, { by: 'piet' })
  expect(recoveries(await verdict(on.log, address))).toEqual(['rate_limited wait'])
  // No stage took them, and a replay knows.
  const { differences, first } = await replayed(on)
  expect({ differences, name: first?.name }).toEqual({
    differences: 2,
    name: 'main.1.rate.bot.erase.1',
  })
})

test('a use is taken at release, and not when people are asked', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  expect(await names(on.log, 'main.1.rate.>')).toEqual([])
  await answer(on, address, { by: 'piet' })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.rate.>')).toHaveLength(1)
})

test('what changes elsewhere in the graph or the catalog changes nothing', async () => {
  const allowed = await agreedAfter(async (on) => {
    await changeGraph(
      on.runtime,
      { op: 'add', name: 'moon' },
      { op: 'describe', name: 'moon', level: 0, properties: { what: 'far away' } },
    )
    await changeCatalog(
      on.runtime,
      { op: 'suspend', id: 'quin' },
      { op: 'remove', collection: 'capabilities', id: 'other' },
    )
  })
  expect(allowed).toMatchObject({ outcome: 'allow', confirmedBy: ['piet'] })
})

test('what was suspended and released again in between is allowed', async () => {
  const allowed = await agreedAfter(async (on) => {
    await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
    await changeCatalog(on.runtime, { op: 'unsuspend', id: 'bot' })
  })
  expect(allowed.outcome).toBe('allow')
})

// An open review: it outlives every process, ends in exactly one verdict, and is no one's work.

const reviewing = {
  catalog: {
    capabilities: [erase],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [{ id: 'four', tier: 'four_eyes' as const, sessionless: true, group: 'desk' }],
    limits: [{ capability: 'erase', uses: 2, windowMs: 60_000 }],
  },
  graph: deletion({ name: 'ask', confirmation: 'four' }),
}

test('reviews outlive every restart, and need nothing but the log', async () => {
  const on = await scene(reviewing)
  const address = await reviewed(on, { session, intent })
  await on.runtime.stop()
  const second = await another(on)
  expect((await second.bot.reviews()).map(({ intent: about }) => about)).toEqual([address])
  await answer(second, address, { by: 'quin' })
  await verdict(second.log, address)
  await second.runtime.stop()
  const third = await another(on)
  expect(await third.bot.reviews()).toEqual([])
  expect(await verdict(third.log, address)).toMatchObject({
    outcome: 'allow',
    confirmedBy: ['quin'],
  })
  await expectReplay(third)
})

test('an answer that came while no one ran is found by the next who runs', async () => {
  const on = await scene(reviewing)
  const address = await reviewed(on, { session, intent })
  const person = await another(on, { stages: [] })
  await on.runtime.stop()
  await answer(person, address, { by: 'piet' })
  const later = await another(on)
  expect((await verdict(later.log, address)).outcome).toBe('allow')
})

test('an intent that is withdrawn is asked of no one any more', async () => {
  const on = await scene(reviewing)
  const address = await reviewed(on, { session, intent })
  await on.bot.withdraw(address, 'no longer needed')
  expect(recoveries(await verdict(on.log, address))).toEqual(['withdrawn never'])
  expect(await on.bot.reviews()).toEqual([])
  await expect(answer(on, address, { by: 'piet' })).rejects.toMatchObject({ code: 'no_review' })
  await expectReplay(on)
})

test('an intent that was withdrawn before anyone was asked is asked of no one', async () => {
  const on = await scene({ ...reviewing, stages: [] })
  const address = await say(on.log, { intent })
  await on.bot.withdraw(address)
  await another(on, { stages })
  expect(recoveries(await verdict(on.log, address))).toEqual(['withdrawn never'])
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
})

test('a withdrawal and an answer at once come to exactly one verdict', async () => {
  const outcomes = new Set<string>()
  const on = await scene({ ...reviewing, catalog: { ...reviewing.catalog, limits: [] } })
  await another(on, { parts: { id: 'second' } })
  for (let n = 0; n < 8; n += 1) {
    const address = await reviewed(on, { session, intent })
    const acts = [on.bot.withdraw(address), answer(on, address, { by: 'piet' })]
    await Promise.all(n % 2 === 0 ? acts : acts.toReversed())
    const given = await verdict(on.log, address)
    outcomes.add(given.outcome === 'allow' ? 'allow' : codes(given).join())
  }
  expect(await names(on.log, 'main.1.verdict.>')).toHaveLength(8)
  for (const outcome of outcomes) expect(['allow', 'withdrawn']).toContain(outcome)
  await expectReplay(on)
})

test('workers that race an answer against its expiry come to exactly one verdict', async () => {
  const on = await scene(reviewing)
  const others = [
    await another(on, { parts: { id: 'b' } }),
    await another(on, { parts: { id: 'c' } }),
  ]
  const outcomes: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const address = await reviewed(on, { session, intent })
    on.time.pass(900_000)
    // At the last moment: half of the workers wake up to expire what the others release.
    const answering = answer(others[n % 2] ?? on, address, { by: 'piet' })
    on.time.pass(1)
    await answering
    const given = await verdict(on.log, address)
    outcomes.push(given.outcome)
    on.time.pass(60_000)
  }
  expect(await names(on.log, 'main.1.verdict.>')).toHaveLength(10)
  expect(outcomes).toHaveLength(10)
  await expectReplay(on)
})

const reviewsMax = count(10_000, 800)

test(`${reviewsMax} open reviews are no one’s work, and a fresh intent is judged as ever`, async () => {
  const limits = [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }]
  const graph = deletion({ name: 'ask', confirmation: 'four' })
  const ids = Array.from({ length: 40 }, (_, n) => `agent${n}`)
  const principals = ids.map((id) => ({ id, owner: 'olga' }))
  const on = await scene({ catalog: { ...reviewing.catalog, limits, principals }, graph })
  const open: string[] = []
  for (const as of ids) {
    const said = Array.from({ length: reviewsMax / ids.length }, () => say(on.log, { as, intent }))
    open.push(...(await Promise.all(said)))
    await on.watch.settled(on.log)
  }
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(await on.bot.reviews()).toHaveLength(reviewsMax)
  expect(await on.watch.outstanding(on.log)).toBe(false)
  const fresh = await say(on.log, { intent: { tool: 'fly' } })
  expect(codes(await verdict(on.log, fresh))).toEqual(['unknown_capability'])
  const middle = open[reviewsMax / 2] ?? ''
  await answer(on, middle, { by: 'piet' })
  expect((await verdict(on.log, middle)).outcome).toBe('allow')
  expect(await on.bot.reviews()).toHaveLength(reviewsMax - 1)
})
