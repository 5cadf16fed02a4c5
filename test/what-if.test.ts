// What another graph would have made of the last intents: only what comes out differently is told,
// and asking leaves no trace.
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { graphFromFile, type Graph } from '#core/graph/graph'
import { nameOf } from '#core/names'
import { whatIf, type WhatIfOptions, type WhatIfReport } from '#runtime/what-if/what-if'
import type { Log } from '#ports/log'
import { GraphFile } from '#schemas/graph'
import { stages } from '#services/stages'
import { factsOf, foldAll } from './eras/fold.ts'
import { keptFor, written } from './fold-snapshot-scene.ts'
import { changeCatalog, changeGraph, testParts } from './runtime.ts'
import { answer, deletion, erase, judged, look, place, reason, reviewed } from './scene.ts'
import { bind, names, say, scene, verdict, type Scene, type SceneSetup } from './scene.ts'

const graphOf = (file: z.input<typeof GraphFile>): Graph => graphFromFile(GraphFile.parse(file))

async function tried(
  on: Pick<Scene, 'log' | 'runtime' | 'setup'>,
  after: Graph,
  more: Partial<WhatIfOptions> = {},
): Promise<WhatIfReport> {
  const { log, runtime, setup } = on
  const { callbacks } = testParts(log, setup)
  const before = runtime.follower.world.graph
  const common = { log, place, rootKey: null, stages, callbacks, last: 100, before, after }
  try {
    return await whatIf({ ...common, ...more })
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

test('under the graph that there is nothing comes out differently, whatever happened', async () => {
  const on = await scene({ ...setup, graph: asking })
  await answer(on, await reviewed(on, { intent }))
  const declined = await reviewed(on, { intent })
  await answer(on, declined, { answers: false })
  await verdict(on.log, declined)
  await judged(on, { intent: { tool: 'look' } })
  await judged(on, { intent: { tool: 'nothing' } })
  await judged(on, { bytes: '{}' })
  await on.watch.settled(on.log)
  expect(await tried(on, graphOf(asking))).toEqual({ tried: 5, unable: 0, flips: [] })
})

test('a graph that knows what was missing turns the denial', async () => {
  const on = await scene({ ...setup, graph: unknown })
  const address = await say(on.log, { intent })
  await verdict(on.log, address)
  const { flips } = await tried(on, graphOf(known))
  expect(flips).toEqual([
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

test('what refuses for another reason as well stays refused', async () => {
  const on = await scene({ ...setup, graph: unknown })
  await judged(on, { as: 'nobody', intent })
  const { tried: all, flips } = await tried(on, graphOf(known))
  expect([all, flips]).toEqual([1, []])
})

test('a new policy asks about what was allowed, and says what', async () => {
  const on = await scene({ ...setup, graph: known })
  await judged(on, { intent })
  await judged(on, { intent: { tool: 'look' } })
  const after = graphOf(deletion({ name: 'ask', confirmationMessage: 'Really {action}?' }))
  const { tried: all, flips } = await tried(on, after)
  expect(all).toBe(2)
  expect(flips).toMatchObject([
    { before: { outcome: 'allow' }, after: { outcome: 'ask', reasons: [] } },
  ])
  expect(flips[0]?.after.questions).toMatchObject([{ policy: 'ask', message: 'Really delete?' }])
})

test('an approval stands where people would be shown the same, and nowhere else', async () => {
  const on = await scene({ ...setup, graph: asking })
  const address = await reviewed(on, { intent })
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  const elsewhere = { primitives: [...asking.primitives, { name: 'other', depths: [] }] }
  expect((await tried(on, graphOf(elsewhere))).flips).toEqual([])
  const otherwise = graphOf(deletion({ name: 'ask', confirmationMessage: 'Really?' }))
  expect((await tried(on, otherwise)).flips).toMatchObject([
    { address, before: { outcome: 'allow' }, after: { outcome: 'ask' } },
  ])
})

test('what people declined is asked of nobody where the policy is gone', async () => {
  const on = await scene({ ...setup, graph: asking })
  const address = await reviewed(on, { intent })
  await answer(on, address, { answers: false })
  await verdict(on.log, address)
  expect((await tried(on, graphOf(known))).flips).toMatchObject([
    { before: { outcome: 'deny', reasons: ['declined'] }, after: { outcome: 'allow' } },
  ])
})

test('an intent that would wait for learning is held', async () => {
  const on = await scene({ catalog: { ...setup.catalog, learning: true }, graph: known })
  await judged(on, { intent: { ...intent, onGap: 'learn' } })
  expect((await tried(on, graphOf(unknown))).flips).toMatchObject([
    { before: { outcome: 'allow' }, after: { outcome: 'hold', reasons: ['ungrounded'] } },
  ])
})

test('the use that an intent has taken is not counted against it', async () => {
  const on = await scene({ ...setup, graph: known })
  expect((await judged(on, { intent: { tool: 'capped' } })).outcome).toBe('allow')
  expect((await judged(on, { intent: { tool: 'capped' } })).outcome).toBe('deny')
  expect(await tried(on, graphOf(known))).toEqual({ tried: 2, unable: 0, flips: [] })
  const flips = await tried(on, graphOf(unknown))
  expect(flips.flips).toMatchObject([{ recorded: { outcome: 'allow' } }])
})

const small = `export function small(context) {
  return { passed: context.intent.args.bytes < 10 }
}`
const checking = deletion({ name: 'small', requiresConfirmation: false, callback: 'small' })

test('a callback is called as its policy would call it', async () => {
  const on = await scene({ ...setup, module: small, graph: known })
  await judged(on, { intent: { ...intent, args: { bytes: 9 } } })
  const large = await say(on.log, { intent: { ...intent, args: { bytes: 10 } } })
  await verdict(on.log, large)
  expect((await tried(on, graphOf(checking))).flips).toMatchObject([
    { address: large, after: { outcome: 'deny', reasons: ['policy_blocked'] } },
  ])
})

test('that a callback does not answer is told, since it tells nothing of the graph', async () => {
  const on = await scene({ ...setup, module: small, graph: known })
  await judged(on, { intent })
  await judged(on, { intent: { tool: 'look' } })
  const without = { ...on, setup: { ...setup, graph: known } }
  const { faulted, flips } = await tried(without, graphOf(checking))
  expect(faulted).toEqual({ count: 1, first: { code: 'module_missing', params: {} } })
  expect(flips).toMatchObject([{ after: { outcome: 'deny' } }])
})

test('what a callback saw outside is read back, not looked at again', async () => {
  let frozen = false
  const server = createServer((_, response) => response.end(JSON.stringify({ frozen })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const module = `export const small = async (context, outside) => {
    const reply = await outside.fetch('http://127.0.0.1:${port}/')
    return { passed: !(await reply.json()).frozen }
  }
  small.recorded = true`
  try {
    const on = await scene({ ...setup, module, graph: checking })
    expect((await judged(on, { intent })).outcome).toBe('allow')
    frozen = true
    expect(await tried(on, graphOf(known))).toEqual({ tried: 1, unable: 0, flips: [] })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('only the last so many are tried', async () => {
  const on = await scene({ ...setup, graph: known })
  const addresses: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const address = await say(on.log, { intent })
    await verdict(on.log, address)
    addresses.push(address)
  }
  const ofLast = async (last: number) => {
    const report = await tried(on, graphOf(unknown), { last })
    return [report.tried, report.flips.map(({ address }) => address)]
  }
  expect(await ofLast(1)).toEqual([1, addresses.slice(-1)])
  expect(await ofLast(4)).toEqual([4, addresses.slice(-4)])
  expect(await ofLast(6)).toEqual([5, addresses])
})

test('each verdict is tried with the catalog of its time, under the graphs that are given', async () => {
  const on = await scene({ ...setup, graph: known })
  const early = await say(on.log, { intent })
  await verdict(on.log, early)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  await changeGraph(on.runtime, { op: 'rename', name: 'file', to: 'folder' })
  expect((await judged(on, { intent })).outcome).toBe('deny')
  const { flips } = await tried(on, graphOf(unknown), { before: graphOf(known) })
  expect(flips).toMatchObject([{ address: early, before: { outcome: 'allow' } }])
})

test('a verdict that nobody could have drawn up is counted as such, and stops nothing', async () => {
  const on = await scene({ ...setup, graph: known })
  await judged(on, { intent })
  const forged = nameOf(place, 'verdict', 'bot.-.forged')
  await bind(on.log, 'verdict', forged, { outcome: 'allow' })
  expect(await tried(on, graphOf(unknown))).toMatchObject({ tried: 1, unable: 1 })
})

test('on an empty log nothing is tried', async () => {
  const on = await scene({ stages: [] })
  expect(await tried(on, graphOf(known))).toEqual({ tried: 0, unable: 0, flips: [] })
})

test('asking appends nothing', async () => {
  const on = await scene({ ...setup, graph: asking })
  const address = await reviewed(on, { intent: { ...intent, justification: reason } })
  await answer(on, address)
  await verdict(on.log, address)
  await on.watch.settled(on.log)
  const before = await names(on.log, '>')
  await tried(on, graphOf(unknown))
  expect(await names(on.log, '>')).toEqual(before)
})

test('it folds on from a snapshot that lies before, and from no other', async () => {
  const on = await scene({ ...setup, graph: asking })
  const address = await reviewed(on, { intent })
  await on.watch.settled(on.log)
  const early = await factsOf(on.log)
  await answer(on, address)
  await verdict(on.log, address)
  await on.watch.settled(on.log)
  const all = await factsOf(on.log)

  const read: number[] = []
  const log: Log = {
    ...on.log,
    read: (range, patterns) => {
      const { from, to } = range
      if (patterns === undefined && from !== undefined && from !== to) read.push(from)
      return on.log.read(range, patterns)
    },
  }
  const from = async (count: number): Promise<readonly number[]> => {
    const { of } = await keptFor(on.log)
    await written(of, foldAll(all.slice(0, count)))
    read.length = 0
    const report = await tried({ ...on, log }, graphOf(unknown), { snapshots: of })
    expect(report).toEqual(await tried(on, graphOf(unknown)))
    expect(report.flips).toHaveLength(1)
    return read
  }
  expect(await from(early.length)).toEqual([early.length + 1])
  expect(await from(all.length)).toEqual([1])
})
