// A golden log under a runtime that runs no stage, with readers of it beside those who played: what
// the servers are put on. Ids are counted, and time stands a minute after the last fact.
import { MemoryStore } from '#log/memory/log'
import { publicKeyOf } from '#record/crypto/private-key'
import { assert } from '#record/fault'
import type { Ids } from '#ports/ids'
import type { Runtime } from '#runtime/engine/runtime'
import { startRuntime } from '#wiring/open'
import { FakeTime } from '#testing/fake-time'
import { keys, moduleCallbacks, testParts } from '../support/runtime.ts'
import { moduleText } from '../golden/scenes/cast.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { factsOf } from './played.ts'

const minuteMs = 60_000
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = `${digits[rest % 32] ?? ''}${text}`
  }
  return text
}

/** ULIDs of the given time whose random part counts. */
export function countedIds(): Ids {
  let count = 0
  return { next: (now) => base32(now, 10) + base32((count += 1), 16) }
}

export interface ServedLog {
  readonly runtime: Runtime
  readonly time: FakeTime
}

const bare = { roles: [], attributes: {}, keys: [], suspended: false }

/** The facts of a golden log in memory, each at its time; a minute has passed since the last. */
async function loadedLog(name: string) {
  const facts = await factsOf(name)
  const time = new FakeTime(facts[0]?.appendedAt)
  const log = new MemoryStore(time).open()
  for (const { appendedAt, name: fact, bytes } of facts) {
    time.now = appendedAt
    await log.append({ name: fact, bytes })
  }
  time.now += minuteMs
  return { log, time, facts }
}

/** `via` are the doors of principals, by their ids; who is not in the log is added. */
export async function servedLog(
  name: string,
  via: Readonly<Record<string, readonly string[]>>,
): Promise<ServedLog> {
  const { log, time, facts } = await loadedLog(name)
  const { clock, timer } = time
  const callbacks = moduleCallbacks(moduleText)
  const parts = { clock, timer, ids: countedIds(), callbacks }
  const runtime = await startRuntime(testParts(log, { parts }), [])
  endWithTest(() => runtime.stop())
  await runtime.follower.reached(facts.length)
  // No key of those logs is left: what the catalog lacks is put where it is read.
  const { principals } = runtime.follower.state.catalog
  assert(principals instanceof Map, 'the folded catalog is a map')
  const rootKeys = [publicKeyOf(keys.root)]
  for (const [id, doors] of Object.entries(via)) {
    const entry = { ...bare, ...principals.get(id), id, via: doors }
    principals.set(id, id === 'root' ? { ...entry, keys: rootKeys } : entry)
  }
  return { runtime, time }
}
