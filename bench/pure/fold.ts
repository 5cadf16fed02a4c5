// The fold of change sets of a graph, against `JSON.parse` of the same bytes. Run as a file it
// is the process that folds.
import { join } from 'node:path'
import { z } from 'zod'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Fact } from '#ports/log'
import { place } from '../../test/support/scene.ts'
import { inFolder } from '../deployment.ts'
import { changedLog } from '../graph-changes.ts'
import { cpuOf, inRounds, sized, type Bench } from '../harness.ts'
import { heap, printedHere } from '../process.ts'

const rounds = 3
/** A million operations where it is asked for by name. */
const primitives = { usual: 20_000, named: 200_000 }
const operationsEach = 1_000

const Measured = z.object({ cpuMicros: z.number(), parseMicros: z.number(), heapBytes: z.number() })

const [folded, parsed] = ['change operations, 1 000 a set', '`JSON.parse` of the same bytes']
const onHeap = 'the state on the heap'

export const bench: Bench = {
  title: 'Fold of a graph that changes',
  run: ({ isNamed }) =>
    inFolder(async (folder) => {
      const path = join(folder, 'log.db')
      const count = sized(isNamed ? primitives.named : primitives.usual)
      const large = await changedLog(path, count, operationsEach)
      const ran = await inRounds(rounds, async () => {
        const whole = await measured(path)
        return {
          [folded]: (large.operations * 1e6) / whole.cpuMicros,
          [parsed]: (large.operations * 1e6) / whole.parseMicros,
          [onHeap]: whole.heapBytes / 1e6,
        }
      })
      return [
        ran.figure(folded, '/s of CPU', { against: parsed }),
        ran.figure(onHeap, `MB, ${count} primitives`),
      ]
    }),
}

async function measured(path: string): Promise<z.infer<typeof Measured>> {
  return Measured.parse(JSON.parse(await printedHere(import.meta.filename, [path])))
}

async function fold(path: string): Promise<z.infer<typeof Measured>> {
  const log = await sqliteLog(path)
  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  await log.close()
  const before = heap()
  const state = newState(place)
  const cpuMicros = await cpuOf(() => facts.forEach((fact) => evolve(state, fact)))
  const heapBytes = heap() - before
  assert(state.graphRevision === facts.length - state.catalogRevision, 'every change set counts')
  const parseMicros = await cpuOf(() => {
    for (const { bytes } of facts) JSON.parse(Buffer.from(bytes).toString('utf8'))
  })
  return { cpuMicros, parseMicros, heapBytes }
}

const [, program, path] = process.argv
if (program === import.meta.filename && path !== undefined) {
  process.stdout.write(JSON.stringify(await fold(path)))
}
