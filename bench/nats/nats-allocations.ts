// What a verdict allocates in a process of ours on a NATS server: what the agents publish is
// published by it, too.
import { allocatedByVerdicts } from '../allocated.ts'
import { atMost, sized, type Bench } from '../harness.ts'
import { deployThere, makeLogOn, onServer } from './server.ts'

export const bench: Bench = {
  title: 'Bytes that a verdict allocates, on NATS',
  needs: 'nats',
  run: () =>
    onServer({ syncAlways: false }, async (server) => {
      await makeLogOn(server)
      const sizes = { warmUp: sized(3_000), count: sized(4_000) }
      return allocatedByVerdicts(await deployThere(server), sizes, atMost(40 * 1_024))
    }),
}
