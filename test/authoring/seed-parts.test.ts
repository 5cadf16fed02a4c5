// Seeds with callbacks, and seeds that are larger than a fact: what is refused, and how they are
// parted.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { graphToFile } from '#knowledge/graph/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { emptyGraph } from '#knowledge/graph/revision'
import { bytesOf, inSets } from '#record/change-sets'
import { graphDifference } from '#authoring/changes/seed-operations'
import { ground } from '#knowledge/grounding/ground'
import { entryBytesMax } from '#ports/log'
import { GraphFile } from '#schemas/graph'
import { emptyRuntime, erase, file, graph, seedOf, seedFolder } from './seed-folder.ts'

describe('callbacks', () => {
  const checked = erase([{ name: 'p', requiresConfirmation: false, callback: 'allowed' }])

  test('that a policy names and no module exports are refused', async () => {
    const runtime = await emptyRuntime()
    const alone = await seedOf({ 'graph.json': graph(file, checked) })
    await expect(seedFolder(runtime, alone)).rejects.toThrow('there is no `callbacks.ts`')
    const module = 'export const other = () => ({ passed: true })'
    const folder = await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module })
    await expect(seedFolder(runtime, folder)).rejects.toThrow(
      'policy `p` on `erase` → `file` calls `allowed`, which `callbacks.ts` does not export',
    )
    expect(runtime.follower.state.position).toBe(0)
  })

  test('are kept beside the log and pinned by their digest', async () => {
    const runtime = await emptyRuntime()
    const module = 'export const allowed = (): { passed: boolean } => ({ passed: true })'
    const folder = await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module })
    const report = await seedFolder(runtime, folder)
    expect(report.catalog).toEqual({ principals: 1, callbacks: 1, rules: 1 })
    const { callbacks } = runtime.follower.state.catalog
    const kept = await readdir(join(runtime.folder, 'callbacks'))
    expect(kept).toEqual([`${callbacks?.replace('sha256:', '')}.ts`])
    const later = await seedOf({ 'graph.json': graph(file, checked) })
    expect((await seedFolder(runtime, later)).changes).toEqual([])
  })

  test('a new module must still have what the log’s other policies call', async () => {
    const runtime = await emptyRuntime()
    const module = 'export const allowed = () => ({ passed: true })'
    await seedFolder(
      runtime,
      await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module }),
    )
    const folder = await seedOf({ 'graph.json': graph(file), 'callbacks.ts': 'export const a = 1' })
    await expect(seedFolder(runtime, folder)).rejects.toMatchObject({ code: 'unknown_callback' })
  })
})

describe('a graph that is larger than a fact', () => {
  const text = 'x'.repeat(2_000)
  const chain = (length: number) =>
    GraphFile.parse({
      primitives: Array.from({ length }, (_, index) => ({
        name: `p${index}`,
        depths: [
          { level: 0 },
          {
            level: 1,
            properties: { text },
            relata: [
              { type: 'APPLIES_TO', target: 'p0', targetDepth: 1, policies: [{ name: 'ask' }] },
              ...(index + 1 < length
                ? [{ type: 'REQUIRES', target: `p${index + 1}`, targetDepth: 1 }]
                : []),
            ],
          },
        ],
      })),
    })

  // Parted sets come in the order of need, and edges with the later of their ends.
  const unordered = ({ primitives }: GraphFile) =>
    new Map(
      primitives.map(({ name, depths }) => [
        name,
        depths.map((depth) => ({ ...depth, relata: new Set(depth.relata) })),
      ]),
    )

  test('comes in several change sets, each of which fits and holds by itself', async () => {
    const runtime = await emptyRuntime()
    const file = chain(300)
    const folder = await seedOf({ 'graph.json': file })
    const report = await seedFolder(runtime, folder)
    const sets = report.changes.filter(({ kind }) => kind === 'graph')
    expect(sets.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
    for await (const fact of runtime.log.read({})) {
      expect(fact.bytes.length).toBeLessThan(entryBytesMax)
    }
    const { graph: after } = runtime.follower.state
    expect(unordered(graphToFile(after))).toEqual(unordered(file))
    expect((await seedFolder(runtime, folder)).changes).toEqual([])
  })

  test('is never known without its policies where the sets are parted', () => {
    const { pieces } = graphDifference(emptyGraph, chain(40), 'needed_first')
    const sets = inSets(pieces, ({ operation }) => bytesOf(operation), 20_000)
    expect(sets.length).toBeGreaterThan(4)
    let graph = emptyGraph
    for (const steps of sets) {
      const applied = applyChange(
        graph,
        steps.map(({ operation }) => operation),
      )
      if ('refused' in applied) throw new Error(applied.refused.message)
      graph = applied.graph
      const answer = ground(graph, { concepts: ['p7', 'p0'], profile: 'strict' })
      // The edge with the policy leads from p7 to p0, which comes last of all.
      expect(answer.grounded).toBe(answer.policies.some(({ source }) => source === 'p7'))
    }
    expect(ground(graph, { concepts: ['p7', 'p0'], profile: 'strict' }).grounded).toBe(true)
  })

  test('is refused where one thing alone is too large', async () => {
    const runtime = await emptyRuntime()
    const large = { name: 'x', depths: [{ level: 0, properties: { text: 'x'.repeat(300_000) } }] }
    const folder = await seedOf({ 'graph.json': graph(large) })
    await expect(seedFolder(runtime, folder)).rejects.toMatchObject({ code: 'change_too_large' })
  })
})
