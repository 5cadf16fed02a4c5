// A whole runtime on a log, in one SQLite file if not said otherwise, with its stages in this
// process, and messages of its agents.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteLog } from '#log/sqlite/log'
import { newestRules } from '#rules/catalog/rules-version'
import { assert } from '#record/fault'
import type { Entry, Fact, Log } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { messagesIn, readingBy } from '../test/support/intents.ts'
import { testRuntime } from '../test/support/runtime.ts'

/** One agent alone is served 256 open intents: of a thousand, no one of these has so many. */
const crowd = Array.from({ length: 32 }, (_, index) => `bot${index}`)

export async function deploy(path: string): Promise<Runtime> {
  return deployOn(await sqliteLog(path))
}

export async function deployOn(log: Log): Promise<Runtime> {
  return deployFor(['polite', ...crowd], log)
}

/** These agents may ask, by the rules that a new log has. */
export async function deployFor(agents: readonly string[], log: Log): Promise<Runtime> {
  const { catalog, ...known } = readingBy(agents)
  const judged = { ...catalog, rules: newestRules }
  return (await testRuntime({ log, catalog: judged, ...known })).runtime
}

/** Messages as agents in other processes would publish them. */
export function messages(
  { place }: Pick<Runtime, 'place'>,
  count: number,
  agents: readonly string[] = crowd,
): Generator<Entry> {
  return messagesIn(place, count, { agents })
}

/** Publishes them all, never with more waiting for their verdicts than that. */
export function answerAll(
  runtime: Runtime,
  entries: Iterable<Entry>,
  outstanding: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const left = entries[Symbol.iterator]()
    let waiting = 0
    const publish = (): void => {
      const next = left.next()
      if (next.done === true) return
      waiting += 1
      runtime.log.append(next.value).catch(reject)
    }
    const stop = runtime.follower.listen((_, { parts }) => {
      if (parts?.kind !== 'verdict') return
      waiting -= 1
      publish()
      if (waiting > 0) return
      stop()
      resolve()
    })
    for (let index = 0; index < outstanding; index += 1) publish()
    assert(waiting > 0, 'there is something to answer')
  })
}

/** The facts of these intents, in log order; each must have been answered by a plain allow. */
export async function factsAbout({ log }: Runtime, from: number): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for await (const fact of log.read({ from })) facts.push(fact)
  const verdicts = facts.filter(({ name }) => name.includes('.verdict.'))
  assert(facts.length === 3 * verdicts.length, 'a plain allow is three facts')
  for (const { bytes } of verdicts) {
    assert(Buffer.from(bytes).includes('"outcome":"allow"'), 'all are allowed')
  }
  return facts
}

const folders = new Set<string>()
process.once('exit', () => folders.forEach(remove))

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** Gives the work a folder, and removes it with all that is in it, however the process ends. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-bench-'))
  folders.add(folder)
  try {
    return await work(folder)
  } finally {
    remove(folder)
  }
}
