// An approval is no bearer grant: when people have agreed everything is derived again, and what has
// become a refusal meanwhile refuses.
import { expect, test } from 'vitest'
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { changeCatalog, changeGraph } from '../../support/runtime.ts'
import { answer, bind, deletion, erase, expectReplay, names } from '../../support/scene.ts'
import {
  place,
  read,
  recoveries,
  replayed,
  reviewed,
  reviewOf,
  say,
  scene,
  verdict,
} from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'
import { nameOf } from '#record/names'

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
