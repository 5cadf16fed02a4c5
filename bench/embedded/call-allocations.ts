// What a governed call allocates, from the ask to the frame, whose tool answers with 50 rows.
import { join } from 'node:path'
import { allocated } from '../allocated.ts'
import { inFolder } from '../deployment.ts'
import { inLanes, sized, type Bench } from '../harness.ts'
import { calling } from './action.ts'

const warmUp = sized(300)
const count = sized(500)

export const bench: Bench = {
  title: 'Bytes that a governed call allocates',
  run: () =>
    inFolder(async (folder) => {
      const { call, stop } = await calling(join(folder, 'log.db'))
      const calls = Array.from({ length: warmUp + count }, (_, index) => index)
      await inLanes(calls.slice(0, warmUp), 1, call)
      const work = () => inLanes(calls.slice(warmUp), 1, call)
      const figures = await allocated({ each: 'a call', count, aims: [], work })
      await stop()
      return figures
    }),
}
