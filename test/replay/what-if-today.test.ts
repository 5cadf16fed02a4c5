// What a change would make of the last intents and of those that wait, as of today: only what comes
// out differently is reported, where it cannot tell it reports that, and asking leaves no trace.
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { nameOf } from '#record/names'
import { whatIfToday, type TodayOptions, type TodayReport } from '#replay/what-if/today'
import { GraphFile } from '#schemas/graph'
import { stages } from '#workers/stages'
import { changeCatalog, changeGraph, testParts } from '../support/runtime.ts'
import { answer, deletion, erase, judged, look, place, reviewed } from '../support/scene.ts'
import {
  bind,
  holdOf,
  names,
  say,
  scene,
  verdict,
  type Scene,
  type SceneSetup,
} from '../support/scene.ts'

const graphOf = (file: z.input<typeof GraphFile>): Graph => graphFromFile(GraphFile.parse(file))

async function tried(
  on: Pick<Scene, 'log' | 'runtime' | 'setup' | 'time' | 'watch'>,
  file: z.input<typeof GraphFile>,
  more: Partial<TodayOptions> = {},
): Promise<TodayReport> {
  const { log, runtime, setup } = on
  await on.watch.settled(log)
  const { callbacks } = testParts(log, setup)
  const { state } = runtime.follower
  const time = new Date(on.time.now).toISOString()
  const after = { catalog: state.catalog, graph: graphOf(file) }
  try {
    return await whatIfToday({ log, state, stages, callbacks, time, after, last: 100, ...more })
  } finally {
    await callbacks.close()
  }
}

const limits = [{ capability: 'capped', uses: 1, windowMs: 60_000 }]
const capabilities = [look, erase, { ...erase, id: 'capped' }]
const setup: SceneSetup = { catalog: { capabilities, limits } }
const known = deletion()
const asking = deletion({ name: 'ask' })
const unknown = { primitives: [{ name: 'file', depths: [{ level: 0 }] }] }
const intent = { tool: 'erase' }
const nothing = {
  tried: 0,
  unable: 0,
  spanMs: 0,
  flips: [],
  unsure: 0,
  cannotTell: [],
  held: [],
  reviewsTried: 0,
  reviews: [],
  leftOut: 0,
}

describe('what is asked again', () => {
  test('comes out the same under the graph that there is, whatever happened', async () => {
    const on = await scene({ ...setup, graph: asking })
    await answer(on, await reviewed(on, { intent }))
    const declined = await reviewed(on, { intent })
    await answer(on, declined, { answers: false })
    await verdict(on.log, declined)
    await judged(on, { intent: { tool: 'look' } })
    await judged(on, { intent: { tool: 'nothing' } })
    await judged(on, { bytes: '{}' })
    expect(await tried(on, asking)).toEqual({ ...nothing, tried: 5 })
  })

  test('is allowed where the graph knows what was missing', async () => {
    const on = await scene({ ...setup, graph: unknown })
    const address = await say(on.log, { intent })
    await verdict(on.log, address)
    expect((await tried(on, known)).flips).toEqual([
      {
        address,
        agent: 'bot',
        tool: 'erase',
        recorded: { outcome: 'deny', reasons: ['ungrounded'] },
        before: { outcome: 'deny', reasons: ['ungrounded'], questions: [] },
        after: { outcome: 'allow', reasons: [], questions: [] },
      },
    ])
  })

  test('stays refused where it is refused for another reason as well', async () => {
    const on = await scene({ ...setup, graph: unknown })
    await judged(on, { as: 'unknown', intent })
    expect(await tried(on, known)).toEqual({ ...nothing, tried: 1 })
  })

  test('is asked of people where a new policy wants it, with the question', async () => {
    const on = await scene({ ...setup, graph: known })
    await judged(on, { intent })
    await judged(on, { intent: { tool: 'look' } })
    const after = deletion({ name: 'ask', confirmationMessage: 'Really {action}?' })
    const { tried: all, flips } = await tried(on, after)
    expect(all).toBe(2)
    expect(flips).toMatchObject([{ before: { outcome: 'allow' }, after: { outcome: 'ask' } }])
    expect(flips[0]?.after.questions).toMatchObject([{ policy: 'ask', message: 'Really delete?' }])
  })

  test('comes out differently where people are asked more, or something else', async () => {
    const on = await scene({ ...setup, graph: asking })
    const address = await reviewed(on, { intent })
    await answer(on, address, { answers: false })
    await verdict(on.log, address)
    const more = await tried(on, deletion({ name: 'ask' }, { name: 'more' }))
    expect(more.flips).toMatchObject([{ before: { outcome: 'ask' }, after: { outcome: 'ask' } }])
    const other = await tried(on, deletion({ name: 'ask', confirmationMessage: 'Really?' }))
    expect(other.flips).toHaveLength(1)
    expect((await tried(on, known)).flips).toMatchObject([{ after: { outcome: 'allow' } }])
  })

  test('waits where it would be held', async () => {
    const on = await scene({ catalog: { ...setup.catalog, learning: true }, graph: known })
    await judged(on, { intent: { ...intent, onGap: 'learn' } })
    expect((await tried(on, unknown)).flips).toMatchObject([
      { before: { outcome: 'allow' }, after: { outcome: 'hold', reasons: ['ungrounded'] } },
    ])
  })

  test('is judged by the limits of now', async () => {
    const on = await scene({ ...setup, graph: known })
    expect((await judged(on, { intent: { tool: 'capped' } })).outcome).toBe('allow')
    // It could not be used again, so nothing is lost with what it needs to know.
    expect((await tried(on, unknown)).flips).toEqual([])
    on.time.now += 60_001
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
    expect((await tried(on, unknown)).flips).toMatchObject([{ tool: 'capped' }])
  })

  test('is judged by the catalog of today, and not by that of then', async () => {
    const on = await scene({ ...setup, graph: unknown })
    await judged(on, { intent })
    expect((await tried(on, known)).flips).toHaveLength(1)
    const rest = { description: '', sensitivity: 'NONE' as const, allowedFields: [], tags: [] }
    const entry = { ...erase, ...rest, minDepth: 3 as const }
    await changeCatalog(on.runtime, { op: 'put', collection: 'capabilities', entry })
    expect((await tried(on, known)).flips).toEqual([])
  })

  test('is judged by the graph of today, and not by that of then', async () => {
    const on = await scene({ ...setup, graph: known })
    await judged(on, { intent })
    await changeGraph(on.runtime, { op: 'rename', name: 'file', to: 'folder' })
    expect((await tried(on, unknown)).flips).toEqual([])
    expect((await tried(on, known)).flips).toMatchObject([{ before: { outcome: 'deny' } }])
  })

  test('is only the last so many', async () => {
    const on = await scene({ ...setup, graph: known })
    const addresses: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const address = await say(on.log, { intent })
      await verdict(on.log, address)
      addresses.push(address)
    }
    const ofLast = async (last: number) => {
      const report = await tried(on, unknown, { last })
      return [report.tried, report.flips.map(({ address }) => address)]
    }
    expect(await ofLast(1)).toEqual([1, addresses.slice(-1)])
    expect(await ofLast(4)).toEqual([4, addresses.slice(-4)])
    expect(await ofLast(6)).toEqual([5, addresses])
  })

  test('is counted where no one could have drawn up its verdict, and stops nothing', async () => {
    const on = await scene({ ...setup, graph: known })
    await judged(on, { intent })
    const forged = nameOf(place, 'verdict', 'bot.-.forged')
    await bind(on.log, 'verdict', forged, { outcome: 'allow' })
    expect(await tried(on, unknown)).toMatchObject({ tried: 1, unable: 1 })
  })

  test('is nothing on an empty log', async () => {
    const on = await scene({ stages: [] })
    expect(await tried(on, known)).toEqual(nothing)
  })

  test('appends nothing', async () => {
    const on = await scene({ ...setup, graph: asking })
    const address = await reviewed(on, { intent })
    await answer(on, address)
    await verdict(on.log, address)
    await reviewed(on, { intent })
    await on.watch.settled(on.log)
    const before = await names(on.log, '>')
    await tried(on, unknown)
    expect(await names(on.log, '>')).toEqual(before)
  })
})

describe('what people are being asked', () => {
  test('is agreed to as before where they would be shown the same, and nowhere else', async () => {
    const on = await scene({ ...setup, graph: asking })
    const address = await reviewed(on, { intent })
    const elsewhere = { primitives: [...asking.primitives, { name: 'other', depths: [] }] }
    expect(await tried(on, elsewhere)).toEqual({ ...nothing, reviewsTried: 1 })
    const otherwise = deletion({ name: 'ask', confirmationMessage: 'Really?' })
    expect(await tried(on, otherwise)).toMatchObject({
      tried: 0,
      reviews: [{ address, before: { outcome: 'allow' }, after: { outcome: 'ask' } }],
    })
  })

  test('comes to nothing where what it needs is gone', async () => {
    const on = await scene({ ...setup, graph: asking })
    const address = await reviewed(on, { intent })
    const { reviews } = await tried(on, unknown)
    expect(reviews).toMatchObject([
      { address, tool: 'erase', after: { outcome: 'deny', reasons: ['ungrounded'] } },
    ])
  })

  test('is agreed to all the same where no one would be asked any more', async () => {
    const on = await scene({ ...setup, graph: asking })
    await reviewed(on, { intent })
    expect(await tried(on, known)).toMatchObject({ reviewsTried: 1, reviews: [] })
  })
})

test('what is held still waits, or goes on, no matter who asked about it', async () => {
  const learning = { ...setup.catalog, learning: true }
  const on = await scene({ catalog: learning, graph: unknown })
  const address = await say(on.log, { intent: { ...intent, onGap: 'learn' } })
  await holdOf(on.log, address)
  const still = await tried(on, unknown)
  expect(still.held).toMatchObject([{ address, after: { outcome: 'hold' } }])
  expect(still.held[0]?.after.gaps).not.toEqual([])
  const { held } = await tried(on, known)
  expect(held).toMatchObject([
    { address, agent: 'bot', tool: 'erase', after: { outcome: 'allow' } },
  ])
})

const checks = `export function small(context) {
  return { passed: context.intent.args.bytes < 10 }
}
export const outside = async () => ({ passed: true })
outside.recorded = true
`
const checking = (callback: string) =>
  deletion({ name: 'checked', requiresConfirmation: false, callback })

describe('a check', () => {
  test('is called as its policy would call it', async () => {
    const on = await scene({ ...setup, module: checks, graph: known })
    await judged(on, { intent: { ...intent, args: { bytes: 9 } } })
    const large = await say(on.log, { intent: { ...intent, args: { bytes: 10 } } })
    await verdict(on.log, large)
    expect((await tried(on, checking('small'))).flips).toMatchObject([
      { address: large, after: { outcome: 'deny', reasons: ['policy_blocked'] } },
    ])
  })

  test('that looks outside may answer otherwise, so no one can know', async () => {
    const on = await scene({ ...setup, module: checks, graph: known })
    const address = await say(on.log, { intent })
    await verdict(on.log, address)
    const cannotTell = [{ address, tool: 'erase', after: { outcome: 'cannot_tell' } }]
    const report = await tried(on, checking('outside'))
    expect(report).toMatchObject({ ...nothing, tried: 1, unsure: 1, cannotTell })
  })

  test('that does not run here is reported, and no one can know', async () => {
    const on = await scene({ ...setup, module: checks, graph: known })
    await judged(on, { intent })
    await judged(on, { intent: { tool: 'look' } })
    const without = { ...on, setup: { ...setup, graph: known } }
    expect(await tried(without, checking('small'))).toMatchObject({
      tried: 2,
      unsure: 1,
      flips: [],
      faulted: { count: 1, first: { code: 'module_missing', params: {} } },
    })
  })

  test('of which nothing has changed is not asked, and leaves nothing open', async () => {
    const graph = checking('outside')
    const on = await scene({ ...setup, module: checks, graph })
    await judged(on, { intent })
    const elsewhere = { primitives: [...graph.primitives, { name: 'other', depths: [] }] }
    expect(await tried(on, elsewhere)).toEqual({ ...nothing, tried: 1 })
  })

  test('of an agreement that looks outside leaves open what it comes to', async () => {
    const on = await scene({ ...setup, module: checks, graph: asking })
    await reviewed(on, { intent })
    const { reviews } = await tried(on, deletion({ name: 'ask', callback: 'outside' }))
    expect(reviews).toMatchObject([{ after: { outcome: 'cannot_tell' } }])
  })
})
