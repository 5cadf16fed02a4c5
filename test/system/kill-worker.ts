// A process that is made to be killed: one stage's worker on a log on NATS, as `warrant up <stage>`
// runs it, that shows on its standard output of every job that it begins and ends, in writes that
// cannot be lost.
import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { systemClock, systemTimer } from '#system/clock'
import { ulidIds } from '#system/ids'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { stderrLogger } from '#runtime/reporting/logger'
import type { Observe } from '#runtime/engine/observer'
import { startRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { stages } from '#workers/stages'

/** What it is given: what to work on; to say how much memory it holds; to end in order. */
export type Order =
  | {
      readonly kind: 'work'
      readonly url: string
      readonly realm: string
      readonly stage: string
    }
  | { readonly kind: 'weigh' }
  | { readonly kind: 'stop' }

/** Says it before anything else happens. A reader that is slow is waited for. */
function say(...words: readonly (string | number)[]): void {
  let rest = Buffer.from(`${words.join(' ')}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

const notifying: Observe = () => ({
  jobBegun: ({ fact }) => {
    say('begun', fact.position)
    return (ending) => say(ending, fact.position)
  },
  appended: () => undefined,
})

async function work({ url, realm, stage }: Extract<Order, { kind: 'work' }>): Promise<Runtime> {
  const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm })
  const parts = {
    log,
    place: { realm, era: 1 },
    rootKey: null,
    folder: null,
    callbacks: threadCallbacks(() => Promise.resolve(null)),
    clock: systemClock,
    timer: systemTimer,
    ids: ulidIds(),
    logger: stderrLogger('error'),
    id: randomBytes(6).toString('hex'),
    observe: [notifying],
  }
  const runtime = await startRuntime(
    parts,
    stages.filter(({ name }) => name === stage),
  )
  say('working')
  return runtime
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'work') running = await work(order)
  else if (order.kind === 'weigh') {
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    say('weighs', heapUsed + external, rss)
  } else {
    await running?.stop()
    process.disconnect()
  }
}

let running: Runtime | null = null

// Only a process of its own takes orders.
if (process.argv[1] === import.meta.filename) {
  // No one is left who could end it.
  process.once('disconnect', () => process.exit())
  process.on('message', (order: Order) => void obey(order))
  say('ready')
}
