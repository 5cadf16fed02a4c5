// What a projection keeps of intents depends on the log alone: not on how the writing was divided,
// on what became of the graph since, or on which eras are still there.
import { describe, expect, test } from 'vitest'
import type { GraphOperation } from '#schemas/graph'
import { cutAt, judgedNow, sealOf, settled, turned } from '../replay/eras/parts/live.ts'
import { add, describeLevel, relate } from '../support/samples/graph-changes.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { check, projectOnce, testVenue } from './project-venue.ts'
import { changeGraph } from '../support/runtime.ts'
import { judged, look, scene, type Scene } from '../support/scene.ts'

const same = { standing: 'same', differences: 0, first: [] }
const capabilities = [
  { ...look, id: 'pay', concepts: ['payout', 'account'] },
  { ...look, id: 'burn', concepts: ['burn', 'account'] },
]
const module = `export const no = () => ({ passed: false, message: 'the account is closed' })`
const closed = { requiresConfirmation: false, callback: 'no' }
const closes = relate('payout', 0, 'APPLIES_TO', 'account', closed)
const known = (name: string) => [add(name), describeLevel(name, 0)]
const many = Array.from({ length: 500 }, (_, index) => `n${index}`)
const unclose = {
  op: 'unrelate' as const,
  name: 'payout',
  level: 0,
  type: 'APPLIES_TO' as const,
  target: 'account',
}

describe.skipIf(!hasNeo4j)('intents in a projection', () => {
  const { link } = testVenue()

  async function knowing() {
    const on = await scene({ catalog: { capabilities }, module })
    await changeGraph(on.runtime, ...known('payout'), ...known('account'), closes)
    await projectOnce(on.log, link, { rebuild: true })
    return on
  }

  const ties = async (position = 0) => {
    const rows = await link.auto(`MATCH (i:Intent) WHERE i.position > ${position}
      WITH i ORDER BY i.position
      RETURN COUNT { (i)-[:TOUCHED]->() } AS touched, COUNT { (i)-[:LACKED]->() } AS lacked,
        COUNT { (i)-[:STOPPED_BY]->() } AS stopped, i.stoppedBy AS stoppedBy`)
    return rows
  }

  /** Step by step, and again from the beginning at once. */
  async function expectSame({ log }: Pick<Scene, 'log'>): Promise<void> {
    await projectOnce(log, link)
    const stepwise = await ties()
    expect(await check(log, link)).toMatchObject(same)
    await projectOnce(log, link, { rebuild: true })
    expect(await ties()).toEqual(stepwise)
    expect(await check(log, link)).toMatchObject(same)
  }

  const stoppedBy = ['watch on payout → account']
  const whole = { touched: 2, lacked: 0, stopped: 1, stoppedBy }

  /** What becomes of the ties of an intent that a policy stopped. */
  const changes: readonly (readonly [string, readonly (readonly GraphOperation[])[], object])[] = [
    ['a name', [[{ op: 'rename', name: 'payout', to: 'Transfer' }]], whole],
    ['another edge', [[relate('payout', 0, 'INCLUDES', 'account', closed)]], whole],
    ['the policy, written again in the same set', [[unclose, closes]], { ...whole, stopped: 0 }],
    ['the policy, written again later', [[unclose], [closes]], { ...whole, stopped: 0 }],
    [
      'a primitive, removed and added again in one set',
      [[unclose, { op: 'remove', name: 'payout' }, ...known('payout'), closes]],
      { ...whole, stopped: 0 },
    ],
    [
      'a primitive, removed and added again later',
      [[{ op: 'remove', name: 'payout' }], known('payout'), [closes]],
      { touched: 1, lacked: 0, stopped: 0, stoppedBy },
    ],
    [
      'ids, swept away',
      [1, 2, 3, 4].flatMap(() => [
        many.map(add),
        many.map((name) => ({ op: 'remove' as const, name })),
      ]),
      whole,
    ],
  ]

  test.each(changes)('keep what they can of their ties after a change of %s', async (...of) => {
    const [, sets, left] = of
    const on = await knowing()
    await judged(on, { intent: { tool: 'pay' }, ulid: 'pays' })
    for (const set of sets) await changeGraph(on.runtime, ...set)
    await expectSame(on)
    expect(await ties()).toEqual([left])
    // Every change set by itself is the same again.
    await judged(on, { intent: { tool: 'burn' }, ulid: 'burns' })
    await expectSame(on)
  })

  test('are stopped by each of the policies of one name on parallel edges', async () => {
    const on = await knowing()
    await changeGraph(on.runtime, closes, relate('payout', 0, 'INCLUDES', 'account', closed))
    await judged(on, { intent: { tool: 'pay' } })
    await expectSame(on)
    expect(await ties()).toEqual([{ ...whole, stopped: 3 }])
  })

  test('lose a gap with the primitive at which it was, whatever the batches', async () => {
    const on = await knowing()
    await judged(on, { intent: { tool: 'pay', minDepth: 2 }, ulid: 'deep' })
    await projectOnce(on.log, link)
    expect(await ties()).toMatchObject([{ lacked: 2 }])
    await changeGraph(on.runtime, { op: 'remove', name: 'payout' })
    await expectSame(on)
    expect(await ties()).toMatchObject([{ lacked: 1 }])
    expect(await link.auto('MATCH (c:Concept) RETURN c.key AS key')).toEqual([])
  })

  test('are compared as far as both sides know them, where eras were rotated', async () => {
    const on = await knowing()
    await judgedNow(on, { ulid: 'first', intent: { tool: 'burn' } })
    await judgedNow(on, { ulid: 'other', intent: { tool: 'pay' } })
    await turned(on)
    const seal = await sealOf(on, 2)
    await judgedNow(on, { ulid: 'later', intent: { tool: 'burn' } })
    await settled(on)
    const cut = cutAt(on.log, seal)
    await projectOnce(on.log, link)
    expect(await check(on.log, link)).toMatchObject({ ...same, intents: 3, from: 0 })
    // The log of the later era does not mention what was before it.
    expect(await check(cut, link)).toMatchObject({ ...same, intents: 1, from: seal })
    await link.auto("MATCH (i:Intent {address: 'bot.-.first'}) SET i.outcome = 'allow'")
    expect(await check(cut, link)).toMatchObject(same)
    expect(await check(on.log, link)).toMatchObject({ differences: 1 })
    await link.auto("MATCH (i:Intent {address: 'bot.-.later'}) SET i.outcome = 'allow'")
    expect(await check(cut, link)).toMatchObject({ differences: 1 })
    // What was written from it is right by the whole log too, as far as it goes.
    await projectOnce(cut, link, { rebuild: true })
    expect(await check(cut, link)).toMatchObject({ ...same, intents: 1, from: seal })
    expect(await check(on.log, link)).toMatchObject({ ...same, intents: 1, from: seal })
    expect(await ties()).toHaveLength(1)
  })
})
