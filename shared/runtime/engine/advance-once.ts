// One more try at what a stage has to say of an intent, by anyone who has the powers of that stage:
// the same derivation as ever, so that what comes of it is found again on replay.
import { randomBytes } from 'node:crypto'
import type { Stage } from '#stages/stage'
import { advance } from './advance.ts'
import { readerOf } from './gathering/gather.ts'
import { combined } from './observer.ts'
import type { Runtime } from './runtime.ts'
import { keyedMutex } from './keyed-mutex.ts'

/** Throws whatever stands in the way, and then nothing was bound. */
export async function advanceOnce(runtime: Runtime, stage: Stage, address: string): Promise<void> {
  const { log, logger } = runtime
  const options = {
    ...runtime,
    clock: runtime.logClock,
    stage,
    reader: readerOf(log, 0, runtime.follower.caches),
    mutex: keyedMutex(),
    observer: combined([], logger),
    id: randomBytes(6).toString('hex'),
    leaving: new AbortController().signal,
  }
  await advance(options, address)
}
