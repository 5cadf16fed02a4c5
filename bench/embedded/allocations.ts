// What a verdict allocates on the embedded log.
import { join } from 'node:path'
import { allocated } from '../allocated.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { atMost, sized, type Bench } from '../harness.ts'

const warmUp = sized(4_000)
const count = sized(8_000)
const outstanding = 1_000

export const bench: Bench = {
  title: 'Bytes that a verdict allocates, embedded',
  run: () =>
    inFolder(async (folder) => {
      const runtime = await deploy(join(folder, 'log.db'))
      await answerAll(runtime, messages(runtime, warmUp), outstanding)
      const entries = [...messages(runtime, count)]
      const work = () => answerAll(runtime, entries, outstanding)
      const figures = await allocated({
        each: 'a verdict',
        count,
        aims: atMost(25 * 1_024),
        work,
      })
      await runtime.stop()
      return figures
    }),
}
