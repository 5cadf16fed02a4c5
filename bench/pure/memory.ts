// What a process of its own holds while it answers intents without end: resident memory must be
// flat, since only what is open is kept. Run as a file it is that process.
import { join } from 'node:path'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { ratioAtMost, single, sized, type Bench } from '../harness.ts'
import { heap, printedHere } from '../process.ts'

const steps = 10
const outstanding = 512
const intents = { usual: 200_000, named: 1_000_000 }

/** A tenth of the intents at a time, and the memory after each. */
export const bench: Bench = {
  title: 'Memory of a process that answers',
  run: ({ isNamed }) =>
    inFolder(async (folder) => {
      const count = sized(isNamed ? intents.named : intents.usual)
      const args = [join(folder, 'log.db'), String(count)]
      const lines = (await printedHere(import.meta.filename, args)).trim().split('\n')
      const samples = lines.map((line) => line.split(' ').map((bytes) => Number(bytes) / 1e6))
      const [first = [], last = []] = [samples[1], samples.at(-1)]
      const flat = ratioAtMost(1.2)
      const resident = single(`resident after ${count} intents`, 'MB', last[0] ?? 0, flat)
      const against = { name: 'after a fifth of them', values: [first[0] ?? 0] }
      return [{ ...resident, against }, single('of it heap', 'MB', last[1] ?? 0)]
    }),
}

async function answer(path: string, count: number): Promise<void> {
  const runtime = await deploy(path)
  for (let step = 0; step < steps; step += 1) {
    await answerAll(runtime, messages(runtime, Math.ceil(count / steps)), outstanding)
    const heapBytes = heap()
    process.stdout.write(`${process.memoryUsage().rss} ${heapBytes}\n`)
  }
  await runtime.stop()
}

const [, program, path, count] = process.argv
if (program === import.meta.filename && path !== undefined) await answer(path, Number(count))
