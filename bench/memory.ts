// Measures what a process holds while it answers intents without end: resident memory must be flat,
// since only what is open is kept.
import { join } from 'node:path'
import { answerAll, deploy, inFolder, messages } from './deployment.ts'
import { whole, type Report } from './figures.ts'

const steps = 10
const flatMax = 1.2

/** A tenth of the intents at a time, and the memory after each. */
export function benchMemory(intents: number): Promise<Report> {
  return inFolder(async (folder) => {
    const deployment = await deploy(join(folder, 'log.db'))
    const rows: (number | string)[][] = []
    const resident: number[] = []
    for (let step = 1; step <= steps; step += 1) {
      await answerAll(deployment, messages(deployment, intents / steps), 512)
      globalThis.gc?.()
      const { rss, heapUsed } = process.memoryUsage()
      resident.push(rss)
      const { size } = deployment.runtime.follower.world.intents
      rows.push([whole((intents / steps) * step), megabytes(rss), megabytes(heapUsed), size])
    }
    await deployment.runtime.stop()
    const growth = (resident.at(-1) ?? Number.NaN) / (resident[1] ?? Number.NaN)
    const times = `${growth.toFixed(2)} times`
    return {
      title: 'memory of the process',
      head: ['intents', 'resident MB', 'heap MB', 'open'],
      rows,
      notes: ['the messages of a step are made in the same process and counted with it'],
      targets: [
        {
          claim: 'resident memory is flat',
          met: growth <= flatMax,
          figures: `${times} what it was after a fifth of ${whole(intents)} intents`,
        },
      ],
    }
  })
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
