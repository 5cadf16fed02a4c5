// An intent that waits for learning, from its gap to its verdict.
import { describe, expect, test } from 'vitest'
import { find } from '#knowledge/graph/revision'
import { keyOf, proposalId } from '#messages/learning/template'
import { nameOf } from '#record/names'
import { holdMsMax } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import {
  filling,
  folded,
  learnable,
  moonKnown,
  proposals,
  proposed,
  resumeOf,
  ruled,
  teach,
} from '../../support/learning-scene.ts'
import { edge, seedFile, added } from '../../support/learning-graphs.ts'
import { changeCatalog, changeGraph, keys } from '../../support/runtime.ts'
import {
  another,
  bound,
  codes,
  expectReplay,
  groundingOf,
  judged,
  names,
} from '../../support/scene.ts'
import { place, recoveries, say, scene, verdict, type Scene } from '../../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }
const gaps = { ...learnable, graph: seedFile }

/** A person has agreed, and no one runs who could put it into the graph. */
async function agreed(): Promise<{ readonly on: Scene; readonly address: string }> {
  const on = await scene({ ...learnable, stages: [] })
  const address = await say(on.log, { intent: moon })
  const first = await another(on, { stages })
  const proposal = await proposed(first)
  await first.runtime.stop()
  await teach(on, proposal)
  return { on, address }
}

describe('an intent that waits', () => {
  test('goes on when a person has added what it lacked', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    const { template } = (await proposed(on)).data
    expect(on.bot.proposals().map(({ data }) => data.template)).toEqual([template])
    expect(template).toEqual({ kind: 'EXISTENCE', primitive: 'moon', levels: [0, 1] })
    await teach(on, await proposed(on))
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    expect((await resumeOf(on, address)).reason.params.graphRevision).toBe(2)
    expect((await groundingOf(on.log, address, 2)).ground?.grounded).toBe(true)
    await expectReplay(on)
  })

  test('has who added it, when and for which intent on every level that was learned', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await teach(on, await proposed(on))
    await verdict(on.log, address)
    const at = new Date(on.time.now).toISOString()
    const record = find(on.runtime.follower.state.graph, 'moon')
    expect(record?.levels.map(({ provenance }) => provenance)).toEqual(
      [0, 1].map(() => ({ source: 'conversational', by: 'root', at, intent: address })),
    )
  })

  test('is asked about again, at each revision that answers otherwise, until nothing is left', async () => {
    const on = await scene(gaps)
    const intent = { tool: 'look', concepts: ['delete', 'file', 'moon'], onGap: 'learn' }
    const address = await say(on.log, { intent })
    await teach(on, await proposed(on))
    expect((await groundingOf(on.log, address, 2)).ground?.gaps).toEqual([
      { kind: 'REACHABILITY', primitive: 'delete' },
      { kind: 'REACHABILITY', primitive: 'moon' },
    ])
    const [first, second] = await proposals(on, 2)
    await ruled(on, first?.id ?? '', {
      ruling: 'modified',
      candidate: { levels: [], edge: edge('delete', 2, 'APPLIES_TO', 'file', 1) },
    })
    expect((await groundingOf(on.log, address, 3)).ground?.gaps).toHaveLength(1)
    expect(second?.data.template).toMatchObject({ kind: 'REACHABILITY', primitive: 'moon' })
    // What was to be tied to one is by now to be tied to either of two: one question, not two.
    const either = () => {
      const [only, ...more] = on.runtime.follower.state.learning.open.values()
      const template = only?.data.template
      const isIt = template?.kind === 'REACHABILITY' && template.others.length === 2
      return isIt && more.length === 0 ? only : undefined
    }
    await folded(on, () => either() !== undefined)
    const open = either()
    await ruled(on, open?.id ?? '', {
      ruling: 'modified',
      candidate: {
        levels: [added('moon', 2)],
        edge: edge('moon', 2, 'DEPENDS_ON', 'file', 1),
      },
    })
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    expect(await names(on.log, `main.1.hold.${address}.*`)).toHaveLength(3)
    await expectReplay(on)
  })

  test('is denied with the gaps that are left when people leave one open', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await ruled(on, (await proposed(on)).id, { ruling: 'skipped', note: 'not today' })
    const denied = await verdict(on.log, address)
    expect(recoveries(denied)).toEqual(['ungrounded learn'])
    expect(denied.reasons[0]?.params.gaps).toEqual([{ kind: 'EXISTENCE', primitive: 'moon' }])
    expect((await resumeOf(on, address)).reason.code).toBe('skipped')
    await expectReplay(on)
  })

  test('is denied when its hold ends, and the question stays open for others', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await proposed(on)
    on.time.pass(holdMsMax)
    expect(recoveries(await verdict(on.log, address))).toEqual(['ungrounded learn'])
    const later = await say(on.log, { intent: moon })
    await teach(on, await proposed(on))
    expect((await verdict(on.log, later)).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('is judged by all rules again: what it may do is not added', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    const proposal = await proposed(on)
    await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
    await teach(on, proposal)
    on.time.pass(0)
    expect(codes(await verdict(on.log, address))[0]).toBe('agent_suspended')
    await expectReplay(on)
  })

  test('goes on when someone else makes it known, and the proposal is overtaken', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    const proposal = await proposed(on)
    await changeGraph(on.runtime, ...moonKnown)
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await expect(teach(on, proposal)).rejects.toThrow('gap_closed')
  })

  test('and is withdrawn gets no resume', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await proposed(on)
    await on.bot.withdraw(address)
    expect(codes(await verdict(on.log, address))).toEqual(['ungrounded', 'withdrawn'])
    await teach(on, await proposed(on))
    await on.watch.settled(on.log)
    expect(await names(on.log, 'main.1.resume.>')).toEqual([])
  })
})

describe('a question', () => {
  test('is put to people once, however many intents meet it', async () => {
    const on = await scene(learnable)
    const all = [await say(on.log, { intent: moon }), await say(on.log, { intent: moon })]
    for (const address of all) await bound(on.log, nameOf(place, 'hold', address, 1))
    await teach(on, await proposed(on))
    for (const address of all) expect((await verdict(on.log, address)).outcome).toBe('allow')
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(1)
    expect(await names(on.log, 'main.1.graph.>')).toHaveLength(2)
    await expectReplay(on)
  })

  test('is put to people where no one waits, if gaps alone denied the intent', async () => {
    const on = await scene(learnable)
    const denied = await judged(on, { intent: { tool: 'look', concepts: ['moon'] } })
    expect(codes(denied)).toEqual(['ungrounded'])
    const { data } = await proposed(on)
    expect(data.template).toMatchObject({ primitive: 'moon' })
    await expectReplay(on)
  })

  test.each([
    ['by a rule too', {}, { constraints: { max_rows: 'x' } }],
    ['since its agent is suspended', { as: 'stopped' }, {}],
    ['since its message is blocked', { message: { safety: { level: 'block', issues: [] } } }, {}],
  ])('is not put to people where the intent was denied %s', async (_, saying, more) => {
    const on = await scene(learnable)
    await judged(on, { intent: { tool: 'look', concepts: ['moon'], ...more }, ...saying })
    await judged(on, { intent: { tool: 'look', concepts: ['sun'] } })
    const { data } = await proposed(on)
    expect(data.template).toMatchObject({ primitive: 'sun' })
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(1)
  })

  test('that was rejected is never asked again, and no one waits for it', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await ruled(on, (await proposed(on)).id, { ruling: 'rejected' })
    expect((await resumeOf(on, address)).reason.code).toBe('rejected')
    expect((await verdict(on.log, address)).outcome).toBe('deny')
    on.time.pass(365 * 86_400_000)
    expect((await judged(on, { intent: moon })).outcome).toBe('deny')
    await on.watch.settled(on.log)
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(1)
    expect(await names(on.log, 'main.1.hold.>')).toHaveLength(1)
    await expectReplay(on)
  })

  test('that was skipped is not asked again for an hour, and then it is', async () => {
    const on = await scene(learnable)
    await say(on.log, { intent: moon })
    const { id } = await proposed(on)
    await ruled(on, id, { ruling: 'skipped' })
    on.time.pass(3_599_000)
    expect((await judged(on, { intent: moon })).outcome).toBe('deny')
    expect(await names(on.log, 'main.1.hold.>')).toHaveLength(1)
    on.time.pass(1_000)
    const address = await say(on.log, { intent: moon })
    await bound(on.log, nameOf(place, 'hold', address, 1))
    const again = await proposed(on)
    expect(again.id).not.toBe(id)
    expect(again.data.round).toBe(2)
    await expectReplay(on)
  })

  test('is put once where several workers meet it at once', async () => {
    const on = await scene(learnable)
    const others = [await another(on), await another(on)]
    const addresses = await Promise.all([1, 2, 3].map(() => say(on.log, { intent: moon })))
    await teach(on, await proposed(on))
    for (const address of addresses) {
      expect((await verdict(on.log, address)).outcome).toBe('allow')
    }
    for (const one of others) await one.watch.settled(one.log)
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(1)
    expect(await names(on.log, 'main.1.graph.>')).toHaveLength(2)
    await expectReplay(on)
  })

  test('is put under the next id where junk has wasted the first', async () => {
    const on = await scene(learnable)
    const key = keyOf({ kind: 'EXISTENCE', primitive: 'moon', levels: [0, 1] })
    for (const round of [1, 2]) {
      const name = nameOf(place, 'proposal', proposalId(key, round))
      await on.log.append({ name, bytes: Buffer.from('junk') })
    }
    const address = await say(on.log, { intent: moon })
    expect((await proposed(on)).data.round).toBe(3)
    await teach(on, await proposed(on))
    expect((await verdict(on.log, address)).outcome).toBe('allow')
  })

  test('that no one ran to put is put by who runs next, and so is what was agreed to', async () => {
    const { on, address } = await agreed()
    const next = await another(on, { stages })
    expect((await verdict(next.log, address)).outcome).toBe('allow')
    await expectReplay(next)
  })
})

test('what people agreed to is put in once, no matter who else changes the graph meanwhile', async () => {
  const { on, address } = await agreed()
  await changeGraph(on.runtime, { op: 'add', name: 'sun' })
  const next = await another(on, { stages })
  expect((await verdict(next.log, address)).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.graph.>')).toEqual(
    [1, 2, 3].map((one) => `main.1.graph.${one}`),
  )
  expect(find(next.runtime.follower.state.graph, 'sun')).toBeDefined()
  await expectReplay(next)
})

test('olga, who is no one there, adds nothing', async () => {
  const on = await scene(learnable)
  await say(on.log, { intent: moon })
  const { id, data } = await proposed(on)
  const candidate = filling(data.template)
  const by = { confirmer: 'olga', privateKey: keys.olga }
  await expect(ruled(on, id, { ruling: 'modified', candidate, ...by })).rejects.toThrow(
    'not_a_curator',
  )
})

test('what is no ruling at all is not bound, so that no one’s name is used for it', async () => {
  const on = await scene(learnable)
  await say(on.log, { intent: moon })
  const { id } = await proposed(on)
  const candidate = { levels: [added('m'.repeat(300), 0)], edge: null }
  await expect(ruled(on, id, { ruling: 'modified', candidate })).rejects.toThrow('nothing is bound')
  expect(await names(on.log, 'main.1.ruling.>')).toEqual([])
})
