// What a verdict allocates on the embedded log.
import { join } from 'node:path'
import { allocatedByVerdicts } from '../allocated.ts'
import { deploy, inFolder } from '../deployment.ts'
import { atMost, sized, type Bench } from '../harness.ts'

export const bench: Bench = {
  title: 'Bytes that a verdict allocates, embedded',
  run: () =>
    inFolder(async (folder) => {
      const sizes = { warmUp: sized(4_000), count: sized(8_000) }
      const runtime = await deploy(join(folder, 'log.db'))
      return allocatedByVerdicts(runtime, sizes, atMost(25 * 1_024))
    }),
}
