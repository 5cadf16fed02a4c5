// What a verdict allocates on the heap, by the function that does it: garbage is the largest part
// of what a verdict costs, and bytes do not depend on how busy the machine is.
import { Session, type HeapProfiler } from 'node:inspector/promises'
import { join } from 'node:path'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { atMost, single, sized, type Bench } from '../harness.ts'

const warmUp = sized(4_000)
const count = sized(8_000)
const outstanding = 1_000
/** A sample is taken about every so many bytes. */
const samplingInterval = 4_096
const listed = 90

export const bench: Bench = {
  title: 'Bytes that a verdict allocates, embedded',
  run: () =>
    inFolder(async (folder) => {
      const runtime = await deploy(join(folder, 'log.db'))
      await answerAll(runtime, messages(runtime, warmUp), outstanding)
      const entries = [...messages(runtime, count)]
      const session = new Session()
      session.connect()
      await session.post('HeapProfiler.startSampling', {
        samplingInterval,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      })
      await answerAll(runtime, entries, outstanding)
      const { profile } = await session.post('HeapProfiler.stopSampling')
      await runtime.stop()
      const bytes = new Map<string, number>()
      add(profile.head, bytes)
      const all = [...bytes.values()].reduce((sum, each) => sum + each, 0)
      const largest = [...bytes].toSorted(([, one], [, other]) => other - one).slice(0, listed)
      return [
        single('all functions', 'bytes a verdict', all / count, atMost(25 * 1_024)),
        ...largest.map(([name, sum]) => single(name, 'bytes a verdict', sum / count)),
      ]
    }),
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
