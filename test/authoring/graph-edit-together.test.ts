// Several policy admins at once, and what a change set says of who wrote it.
import { describe, expect, test } from 'vitest'
import { applyChange } from '#knowledge/graph/graph-change'
import { emptyGraph, find, type Graph } from '#knowledge/graph/revision'
import type { Log } from '#ports/log'
import { change } from '#authoring/change'
import type { Change } from '#authoring/change-check'
import type { Runtime } from '#runtime/engine/runtime'
import type { GraphOperation } from '#schemas/graph'
import { changeGraph, keys, testRuntime } from '../support/runtime.ts'
import { logOf } from '../support/wrapped-log.ts'

const root = { id: 'root', privateKey: keys.root }
const add = (name: string): GraphOperation => ({ op: 'add', name })
const adding = (name: string): Change => ({ kind: 'graph', operations: [add(name)] })

/** The same runtime, on which another editor is quicker by these changes, one for each append. */
function overtaken(runtime: Runtime, changes: (readonly GraphOperation[])[]): Runtime {
  const { log } = runtime
  const append: Log['append'] = async (entry) => {
    const first = changes.shift()
    if (first !== undefined) await changeGraph(runtime, ...first)
    return log.append(entry)
  }
  return { ...runtime, log: { ...logOf(log), append } }
}

describe('an editor who is overtaken', () => {
  test('is refused, and reported by whom, where what came first stands against it', async () => {
    const { runtime } = await testRuntime()
    const slow = overtaken(runtime, [[add('moon')]])
    const outcome = change(slow, adding('moon'), root)
    await expect(outcome).rejects.toMatchObject({ code: 'name_taken' })
    await expect(outcome).rejects.toThrow('(others came first: revision 1 by root: add moon)')
    await runtime.stop()
  })

  test('who builds on a revision is refused once another has followed it', async () => {
    const { runtime } = await testRuntime()
    await changeGraph(runtime, add('sun'))
    const slow = overtaken(runtime, [[add('moon')]])
    const outcome = change(slow, adding('star'), root, { base: 1 })
    await expect(outcome).rejects.toMatchObject({ code: 'graph_moved' })
    await expect(outcome).rejects.toThrow('since revision 1: revision 2 by root: add moon;')
    expect(runtime.follower.state.graphRevision).toBe(2)
    await runtime.stop()
  })

  test('is reported all that came first, and nothing where no one did', async () => {
    const { runtime } = await testRuntime()
    expect(await change(runtime, adding('sun'), root)).toEqual({
      name: 'main.1.graph.1',
      revision: 1,
    })
    const slow = overtaken(runtime, [[add('moon')], [add('mars'), add('venus')]])
    expect(await change(slow, adding('star'), root)).toMatchObject({
      revision: 4,
      moved: [
        { revision: 2, by: 'root', operations: [{ op: 'add', name: 'moon' }] },
        { revision: 3, operations: [{ name: 'mars' }, { name: 'venus' }] },
      ],
    })
    await runtime.stop()
  })

  test('an operation that refers to what is there is made again from what is there then', async () => {
    const { runtime } = await testRuntime()
    const slow = overtaken(runtime, [[add('moon')]])
    const named = (graph: Graph) => [add(find(graph, 'moon') === undefined ? 'early' : 'late')]
    await change(slow, { kind: 'graph', operations: named }, root)
    expect(find(runtime.follower.state.graph, 'late')).toBeDefined()
    expect(find(runtime.follower.state.graph, 'early')).toBeUndefined()
    await runtime.stop()
  })

  test('many at once each get a revision of their own', async () => {
    const { runtime } = await testRuntime()
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const done = await Promise.all(names.map((name) => change(runtime, adding(name), root)))
    const revisions = done.map(({ revision }) => revision).toSorted((a, b) => a - b)
    expect(revisions).toEqual(names.map((_, index) => index + 1))
    for (const { revision, moved = [] } of done) {
      const first = moved.map((each) => each.revision)
      expect(first).toEqual(first.filter((each) => each < revision))
      expect(new Set(first).size).toBe(first.length)
    }
    await runtime.stop()
  })
})

describe('who wrote what', () => {
  const relatum = { type: 'REQUIRES', target: 'moon', targetDepth: 0 } as const
  const own = { source: 'learned', by: 'olga', at: '2026-01-01T00:00:00.000Z' } as const
  const operations: readonly GraphOperation[] = [
    add('moon'),
    { op: 'add', name: 'sun', provenance: own },
    { op: 'describe', name: 'sun', level: 0, properties: {} },
    { op: 'relate', name: 'sun', level: 0, relatum: { ...relatum, metadata: {}, policies: [] } },
  ]

  test('is nothing where the operations do not have it, however old the log', () => {
    const applied = applyChange(emptyGraph, operations)
    if ('refused' in applied) throw new Error(applied.refused.message)
    const sun = find(applied.graph, 'sun')
    expect(find(applied.graph, 'moon')?.provenance).toBeNull()
    expect([sun?.levels[0]?.provenance, sun?.edges[0]?.provenance]).toEqual([null, null])
  })

  test('is written with each operation that has none, and with no other', async () => {
    const { runtime } = await testRuntime()
    const rename: GraphOperation = { op: 'rename', name: 'moon', to: 'Moon' }
    const all = { kind: 'graph' as const, operations: [...operations, rename] }
    const { name } = await change(runtime, all, root)
    const fact = await runtime.log.get(name)
    const event = JSON.parse(Buffer.from(fact?.bytes ?? []).toString('utf8'))
    const stamp = { source: 'authored', by: 'root', at: event.time }
    const written = event.data.operations.map((each: GraphOperation) => {
      return 'provenance' in each ? each.provenance : null
    })
    expect(written).toEqual([stamp, own, stamp, stamp, null])
    const { graph } = runtime.follower.state
    expect(find(graph, 'moon')?.provenance).toEqual(stamp)
    await runtime.stop()
  })

  test('is one object for all alike parts of one change set', async () => {
    const { runtime } = await testRuntime()
    await change(runtime, { kind: 'graph', operations }, root)
    const { graph } = runtime.follower.state
    const moon = find(graph, 'moon')?.provenance
    const sun = find(graph, 'sun')
    expect(moon).not.toBeNull()
    expect(sun?.levels[0]?.provenance).toBe(moon)
    expect(sun?.edges[0]?.provenance).toBe(moon)
    expect(sun?.provenance).not.toBe(moon)
    await runtime.stop()
  })
})
