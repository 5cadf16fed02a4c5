// What a verdict allocates in a process of ours on a NATS server: what the agents publish is
// published by it, too.
import { allocated } from '../allocated.ts'
import { answerAll, messages } from '../deployment.ts'
import { atMost, sized, type Bench } from '../harness.ts'
import { deployThere, makeLogOn, onServer } from './server.ts'

const warmUp = sized(3_000)
const count = sized(4_000)
const outstanding = 1_000

export const bench: Bench = {
  title: 'Bytes that a verdict allocates, on NATS',
  needs: 'nats',
  run: () =>
    onServer({ syncAlways: false }, async (server) => {
      await makeLogOn(server)
      const runtime = await deployThere(server)
      await answerAll(runtime, messages(runtime, warmUp), outstanding)
      const entries = [...messages(runtime, count)]
      const work = () => answerAll(runtime, entries, outstanding)
      const figures = await allocated({
        each: 'a verdict',
        count,
        aims: atMost(40 * 1_024),
        work,
      })
      await runtime.stop()
      return figures
    }),
}
