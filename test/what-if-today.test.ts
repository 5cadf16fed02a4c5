// A preview tells what will be: what it says of a change comes true once the change is made.
import { describe, expect, test } from 'vitest'
import { applyChange } from '#core/graph/change'
import { graphToFile, type Graph } from '#core/graph/graph'
import { whatIfToday, type TodayReport } from '#runtime/what-if/today'
import type { Callbacks } from '#ports/callbacks'
import { Relatum, type GraphOperation } from '#schemas/graph'
import { stages } from '#services/stages'
import { changeCatalog, changeGraph, keys } from './runtime.ts'
import { anyArgs, deletion, say, scene, verdict, type Scene } from './scene.ts'

const levels = [0, 1, 1, 2] as const
const words = ['delete', 'delete', 'file', 'file', 'disk', 'path', 'moon']

const capability = (id: string, concepts: readonly string[], safetyClass: 'READ' | 'WRITE') => {
  return { id, safetyClass, argsSchema: anyArgs, concepts: [...concepts] }
}

const capabilities = [
  capability('one', ['file'], 'READ'),
  capability('two', ['delete', 'file'], 'READ'),
  capability('three', ['disk', 'path'], 'READ'),
  capability('four', ['moon'], 'WRITE'),
]

const setup = {
  catalog: {
    capabilities,
    learning: true,
    // How often is not what is tried out.
    limits: (['READ', 'WRITE'] as const).map((safetyClass) => {
      return { safetyClass, uses: 'unlimited' as const, windowMs: 60_000 }
    }),
    principals: [{ id: 'held', roles: ['writer'], owner: 'olga' }],
  },
  graph: deletion(),
}
const justification = 'someone asked for it in writing'

/** The same each time, so that what fails once fails again. */
function randomly(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * max)
  }
}

function pick<T>(from: readonly T[], random: (max: number) => number): T {
  const one = from[random(from.length)]
  if (one === undefined) throw new Error('there is nothing to pick')
  return one
}

/** A change that the graph takes; most are refused, and tried again. */
function changeOf(graph: Graph, random: (max: number) => number) {
  for (;;) {
    const operations = [operationOf(graph, random)]
    const change = applyChange(graph, operations)
    if ('graph' in change) return { operations, after: change.graph }
  }
}

function operationOf(graph: Graph, random: (max: number) => number): GraphOperation {
  const name = pick(words, random)
  const level = pick(levels, random)
  switch (random(12)) {
    case 0:
      return { op: 'add', name }
    case 1:
      return { op: 'erase', name, level }
    case 2: {
      const known = graphToFile(graph).primitives.find((one) => one.name === name)
      const tied = known?.depths.flatMap((depth) => {
        return depth.relata.map(({ type, target }) => ({ level: depth.level, type, target }))
      })
      const [edge] = tied ?? []
      return edge === undefined ? { op: 'add', name } : { op: 'unrelate', name, ...edge }
    }
    case 3:
    case 4:
    case 5:
    case 6: {
      const properties = random(8) === 0 ? {} : { what: `it is ${random(9)}` }
      return { op: 'describe', name, level, properties }
    }
    default: {
      const policies = random(2) === 0 ? [] : [{ name: 'ask' }]
      const type = pick(['APPLIES_TO', 'APPLIES_TO', 'REQUIRES'] as const, random)
      const edge = {
        type,
        target: pick(words, random),
        targetDepth: pick(levels, random),
        policies,
      }
      return { op: 'relate', name, level, relatum: Relatum.parse(edge) }
    }
  }
}

type Came = 'allow' | 'deny' | 'ask' | 'hold'

/** What an intent has come to; people say no to whatever they are asked. */
async function cameTo(on: Scene, address: string): Promise<Came> {
  const { intents } = on.runtime.follower.world
  await on.watch.settled(on.log)
  const open = intents.get(address)
  if (open === undefined) return (await verdict(on.log, address)).outcome
  if (open.review === null) return 'hold'
  const [review] = (await on.bot.reviews()).filter(({ intent }) => intent === address)
  const answers = review?.review.questions.map(() => false) ?? []
  const by = { confirmer: 'olga', privateKey: keys.olga }
  await on.bot.decide({ intent: address, answers, ...by })
  await verdict(on.log, address)
  return 'ask'
}

async function askedAll(on: Scene): Promise<Map<string, Came>> {
  const came = new Map<string, Came>()
  for (const { id } of capabilities) {
    const intent = { tool: id, args: {}, justification }
    came.set(id, await cameTo(on, await say(on.log, { as: 'held', intent })))
  }
  return came
}

async function previewed(on: Scene, after: Graph): Promise<TodayReport> {
  const { follower, callbacks } = on.runtime
  const { world } = follower
  const time = new Date(on.time.now).toISOString()
  const held = [...world.intents.values()].flatMap(({ address: intent, hold }) => {
    return hold === null ? [] : [{ intent, digest: null }]
  })
  // What was held got verdicts in between.
  const last = 3 * capabilities.length
  return whatIfToday({ log: on.log, world, stages, callbacks, time, after, last, held })
}

const changes = 200
const heldMax = 3

test(`of ${changes} changes, each comes to what its preview said`, async () => {
  const on = await scene(setup)
  const random = randomly(7)
  const seen = new Set<string>()
  let came = await askedAll(on)
  for (let change = 0; change < changes; change += 1) {
    const { world } = on.runtime.follower
    const holds = [...world.intents.values()].filter(({ hold }) => hold !== null)
    if (holds.length < heldMax) {
      const intent = { tool: pick(capabilities, random).id, onGap: 'learn', justification }
      await cameTo(on, await say(on.log, { as: 'held', intent }))
    }
    const { operations, after } = changeOf(world.graph, random)
    const preview = await previewed(on, after)
    expect(preview.unsure).toBe(0)
    await changeGraph(on.runtime, ...operations)
    for (const { address, after: said } of preview.held) {
      const what = `${change} ${JSON.stringify(operations)} ${address}`
      expect([what, await cameTo(on, address)]).toEqual([what, said.outcome])
      seen.add(`held ${said.outcome}`)
    }
    const now = await askedAll(on)
    for (const { id } of capabilities) {
      // One that may wait waits, where one that may not is denied.
      const flip = preview.flips.find(({ tool, after: then, before }) => {
        return tool === id && then.outcome !== 'hold' && before.outcome !== 'hold'
      })
      const what = `${change} ${JSON.stringify(operations)} ${id}`
      expect([what, now.get(id)]).toEqual([what, flip?.after.outcome ?? came.get(id)])
      if (flip !== undefined) seen.add(`${flip.before.outcome} ${flip.after.outcome}`)
    }
    came = now
  }
  // All of it was there to be told wrongly.
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining(['allow ask', 'ask deny', 'deny allow', 'held ask', 'held hold']),
  )
}, 120_000)

describe('a preview', () => {
  test('goes by the catalog of today, and not by that of then', async () => {
    const on = await scene({ catalog: setup.catalog })
    const intent = { tool: 'one' }
    expect((await verdict(on.log, await say(on.log, { intent }))).outcome).toBe('deny')
    const { world } = on.runtime.follower
    const change = applyChange(world.graph, fileKnown)
    if ('refused' in change) throw new Error('the graph takes it')
    const asToday = await previewed(on, change.graph)
    expect(asToday.flips).toMatchObject([{ tool: 'one', after: { outcome: 'allow' } }])
    const entry = { ...capability('one', ['file', 'moon'], 'READ'), minDepth: 3 as const }
    const rest = { description: '', sensitivity: 'NONE' as const, allowedFields: [], tags: [] }
    const collection = 'capabilities' as const
    await changeCatalog(on.runtime, { op: 'put', collection, entry: { ...entry, ...rest } })
    expect((await previewed(on, change.graph)).flips).toEqual([])
  })

  test.each([
    ['looks outside', 'export async function rule() { await 1; return { passed: true } }'],
    ['is not here', null],
  ])('cannot tell what a check that %s will answer', async (_, module) => {
    const policies = [{ name: 'checked', callback: 'rule', requiresConfirmation: false }]
    const on = await scene({ ...setup, graph: deletion(), ...(module !== null && { module }) })
    const address = await say(on.log, { intent: { tool: 'two' } })
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    const relatum = {
      type: 'APPLIES_TO' as const,
      target: 'file',
      targetDepth: 1 as const,
      policies,
    }
    const operation = { op: 'relate' as const, name: 'delete', level: 1 as const }
    const change = applyChange(on.runtime.follower.world.graph, [
      { ...operation, relatum: Relatum.parse(relatum) },
    ])
    if ('refused' in change) throw new Error('the graph takes it')
    const callbacks = module === null ? missing : recorded
    const { world } = on.runtime.follower
    const time = new Date(on.time.now).toISOString()
    const of = {
      log: on.log,
      world,
      stages,
      callbacks,
      time,
      after: change.graph,
      last: 5,
      held: [],
    }
    expect(await whatIfToday(of)).toMatchObject({ tried: 1, unsure: 1, flips: [] })
  })
})

const close = () => Promise.resolve()
const recorded: Callbacks = {
  run: () => Promise.resolve({ answer: { passed: true }, recorded: true }),
  close,
}
const missing: Callbacks = {
  run: () => Promise.resolve({ fault: { code: 'module_missing', params: {} } }),
  close,
}

const fileKnown: readonly GraphOperation[] = [
  { op: 'add', name: 'file' },
  { op: 'describe', name: 'file', level: 0, properties: { what: 'it is there' } },
  { op: 'describe', name: 'file', level: 1, properties: { what: 'a named text' } },
]
