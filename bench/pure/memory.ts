// Measures what a process of its own holds while it answers intents without end: resident memory
// must be flat, since only what is open is kept. Run as a file it is that process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { assert } from '#core/kernel/fault'
import { answerAll, deploy, inFolder, messages } from '../nats/deployment.ts'
import { whole, type Report } from '../figures.ts'

const steps = 10
const outstanding = 512
const flatMax = 1.2

/** A tenth of the intents at a time, and the memory after each. */
export async function benchMemory(intents: number): Promise<Report> {
  const samples = await inFolder((folder) => sampled(join(folder, 'log.db'), intents))
  const plateau = samples[1]?.resident ?? Number.NaN
  const growth = (samples.at(-1)?.resident ?? Number.NaN) / plateau
  return {
    title: 'memory of the process',
    head: ['intents', 'resident MB', 'heap MB', 'buffers MB', 'open'],
    rows: samples.map(({ resident, heap, buffers, open }, index) => {
      const done = whole((intents / steps) * (index + 1))
      return [done, ...[resident, heap, buffers].map(megabytes), open]
    }),
    notes: ['in a process of its own, with its garbage collected before each look'],
    targets: [
      {
        claim: 'resident memory is flat',
        met: growth <= flatMax,
        figures: `${growth.toFixed(2)} times that after a fifth of ${whole(intents)} intents`,
      },
    ],
  }
}

interface Sample {
  readonly resident: number
  readonly heap: number
  readonly buffers: number
  readonly open: number
}

async function sampled(path: string, intents: number): Promise<readonly Sample[]> {
  const args = ['--expose-gc', ...process.execArgv, import.meta.filename, path, String(intents)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const samples: Sample[] = []
  for await (const line of createInterface(child.stdout)) {
    const [resident = 0, heap = 0, buffers = 0, open = 0] = line.split(' ').map(Number)
    samples.push({ resident, heap, buffers, open })
  }
  if (child.exitCode === null) await once(child, 'exit')
  assert(child.exitCode === 0 && samples.length === steps, 'the process came to its end')
  return samples
}

async function answer(path: string, intents: number): Promise<void> {
  const deployment = await deploy(path)
  for (let step = 0; step < steps; step += 1) {
    await answerAll(deployment, messages(deployment, intents / steps), outstanding)
    globalThis.gc?.()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    const { size } = deployment.runtime.follower.state.intents
    process.stdout.write(`${rss} ${heapUsed} ${arrayBuffers} ${size}\n`)
  }
  await deployment.runtime.stop()
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

const [, program, path, intents] = process.argv
if (program === import.meta.filename && path !== undefined) await answer(path, Number(intents))
