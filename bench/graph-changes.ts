// A log whose graph becomes large by signed change sets.
import { sqliteLog } from '#log/sqlite/log'
import type { GraphOperation } from '#schemas/graph'
import { changeGraph, testRuntime } from '../test/support/runtime.ts'

/** Five about each primitive, but for the first. */
function* operationsOf(primitives: number): Generator<GraphOperation> {
  for (let index = 0; index < primitives; index += 1) {
    const [name, half] = [`concept ${index}`, `concept ${index >> 1}`]
    const properties = { description: `what concept ${index} is, and what people say of it` }
    yield { op: 'add', name }
    yield { op: 'describe', name, level: 0, properties: {} }
    yield { op: 'describe', name, level: 1, properties }
    if (index === 0) continue
    yield { op: 'relate', name, level: 1, relatum: { type: 'REQUIRES', ...edgeTo(half) } }
    yield { op: 'relate', name, level: 1, relatum: { type: 'APPLIES_TO', ...edgeTo(half) } }
  }
}

function edgeTo(target: string) {
  return { target, targetDepth: 1, metadata: {}, policies: [] }
}

/** Makes it there, in change sets of so many operations, and gives the graph that it comes to. */
export async function changedLog(path: string, primitives: number, each: number) {
  const { runtime } = await testRuntime({ log: await sqliteLog(path), stages: [] })
  const all = [...operationsOf(primitives)]
  for (let from = 0; from < all.length; from += each) {
    await changeGraph(runtime, ...all.slice(from, from + each))
  }
  const { graph } = runtime.follower.state
  await runtime.stop()
  return { graph, operations: all.length }
}
