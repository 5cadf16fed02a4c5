// Verdicts a second, with the log and all stages in one process, against the driver alone that
// inserts the very same three rows a verdict.
import { join } from 'node:path'
import { answerAll, deploy, factsAbout, inFolder, messages } from '../deployment.ts'
import { atMost, cpuOf, inRounds, sized, timed, type Bench, type Figure } from '../harness.ts'
import { insertRate } from './raw.ts'

const rounds = 5
const count = sized(8_000)
const driver = 'the driver inserts the same rows'
const [answered, cpu] = ['verdicts', 'CPU of this process']
const rateAims = [
  { of: 'figure', least: 5_000 },
  { of: 'ratio', least: 1 / 3 },
] as const

export const bench: Bench = {
  title: 'Verdicts, with the log and all stages in one process',
  run: async () => {
    const figures: Figure[] = []
    for (const outstanding of [256, 1_000]) {
      const ran = await inRounds(rounds, () =>
        inFolder((folder) => measured(join(folder, 'log.db'), outstanding)),
      )
      const beside = { against: driver, aims: outstanding === 1_000 ? rateAims : [] }
      figures.push(ran.figure(answered, `/s, ${outstanding} outstanding`, beside))
      figures.push(ran.figure(cpu, 'µs a verdict', { aims: atMost(90) }))
    }
    return figures
  },
}

async function measured(path: string, outstanding: number) {
  const runtime = await deploy(path)
  const { position } = runtime.follower.state
  // Agents are other processes in real life: their messages are bytes already.
  const entries = [...messages(runtime, count)]
  let ms = 0
  const used = await cpuOf(async () => {
    ms = await timed(() => answerAll(runtime, entries, outstanding))
  })
  const rows = await factsAbout(runtime, position + 1)
  await runtime.stop()
  // Facts of one transaction have one time, and hardly two transactions fall in one millisecond.
  const transactions = new Set(rows.map(({ appendedAt }) => appendedAt)).size
  const sizes = [Math.round(rows.length / transactions), 100]
  // By whichever size of transactions serves the driver better.
  const rates = sizes.map((size) => insertRate(`${path}-${size}`, rows, size) / 3)
  return {
    [answered]: (count * 1_000) / ms,
    [driver]: Math.max(...rates),
    [cpu]: used / count,
  }
}
