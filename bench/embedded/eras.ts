// What a verdict costs in the tenth era of a log, against the first: an address is good for one
// message in all of them.
import { join } from 'node:path'
import { rotate } from '#replay/eras/rotate'
import type { Runtime } from '#runtime/engine/runtime'
import { keys } from '../../test/support/runtime.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { cpuOf, inRounds, ratioAtMost, sized, type Bench } from '../harness.ts'

const rounds = 7
const count = sized(6_000)
const warmUpCount = sized(2_000)
const eras = 10
const outstanding = 256
const [first, last] = ['CPU in the first era', 'CPU in the tenth']

export const bench: Bench = {
  title: 'A verdict in a late era, in one process',
  run: () =>
    inFolder(async (folder) => {
      const young = await deploy(join(folder, 'young.db'))
      const old = await deploy(join(folder, 'old.db'))
      await answerAll(young, messages(young, warmUpCount * eras), outstanding)
      for (let era = 1; era < eras; era += 1) {
        await answerAll(old, entries(old, warmUpCount), outstanding)
        await rotate(old, { id: 'root', privateKey: keys.root }, null)
      }
      await answerAll(old, entries(old, warmUpCount), outstanding)
      const ran = await inRounds(rounds, async () => ({
        [first]: await costOf(young),
        [last]: await costOf(old),
      }))
      await Promise.all([young.stop(0), old.stop(0)])
      return [ran.figure(last, 'µs a verdict', { against: first, aims: ratioAtMost(1.05) })]
    }),
}

function entries({ follower: { state } }: Runtime, many: number) {
  return messages({ place: state.place }, many)
}

async function costOf(runtime: Runtime): Promise<number> {
  const all = [...entries(runtime, count)]
  return (await cpuOf(() => answerAll(runtime, all, outstanding))) / count
}
