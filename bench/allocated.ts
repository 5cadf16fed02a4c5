// What work allocates on the heap, by the function that does it: garbage is the largest part of
// what a verdict costs, and bytes do not depend on how busy the machine is.
import { Session, type HeapProfiler } from 'node:inspector/promises'
import type { Runtime } from '#runtime/engine/runtime'
import { answerAll, messages } from './deployment.ts'
import { single, type Aim, type Figure } from './harness.ts'

/** A sample is taken about every so many bytes. */
const samplingInterval = 4_096
const listed = 90

export interface Allocating {
  /** Of what the figures are. */
  readonly each: string
  readonly count: number
  readonly aims: readonly Aim[]
  readonly work: () => Promise<unknown>
}

/** The first figure is of all functions, and the others of those that allocate most. */
export async function allocated(of: Allocating): Promise<readonly Figure[]> {
  const { count, aims } = of
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  await of.work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  const bytes = new Map<string, number>()
  add(profile.head, bytes)
  const all = [...bytes.values()].reduce((sum, each) => sum + each, 0)
  const largest = [...bytes].toSorted(([, one], [, other]) => other - one).slice(0, listed)
  const unit = `bytes ${of.each}`
  return [
    single('all functions', unit, all / count, aims),
    ...largest.map(([name, sum]) => single(name, unit, sum / count)),
  ]
}

const outstanding = 1_000

/** The same of verdicts in a runtime, which is stopped. */
export async function allocatedByVerdicts(
  runtime: Runtime,
  { warmUp, count }: { readonly warmUp: number; readonly count: number },
  aims: readonly Aim[],
): Promise<readonly Figure[]> {
  await answerAll(runtime, messages(runtime, warmUp), outstanding)
  const entries = [...messages(runtime, count)]
  const work = () => answerAll(runtime, entries, outstanding)
  const figures = await allocated({ each: 'a verdict', count, aims, work })
  await runtime.stop()
  return figures
}

/** Sums of each function and its file; what the engine has built in counts for who calls it. */
function add(
  { callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode,
  bytes: Map<string, number>,
  caller = '(engine)',
): void {
  const file = callFrame.url.split('/').slice(-2).join('/')
  const name = file === '' ? caller : `${callFrame.functionName || '(no name)'} ${file}`
  bytes.set(name, (bytes.get(name) ?? 0) + selfSize)
  for (const child of children) add(child, bytes, name)
}
