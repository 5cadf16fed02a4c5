// A log of many facts in one SQLite file, made out of one allowed intent, and a process of its own
// that starts on it: how long until it could answer.
import { z } from 'zod'
import { ulidIds } from '#adapters/system/ids'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import type { Entry, Log } from '#ports/log'
import { snapshotsFolder } from '#runtime/cache/store'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { answerAll, deploy, factsAbout, messages } from '../nats/deployment.ts'

export const Started = z.object({
  /** From opening the log to having folded it. */
  seconds: z.number(),
  /** Of a CPU, for the same: others on the machine do not count. */
  cpuSeconds: z.number(),
  position: z.number(),
  resident: z.number(),
})
export type Started = z.infer<typeof Started>

/** Facts that are given to the log at once; they share transactions. */
const group = 6_000
const encoding = 'latin1'

/** Appends so many facts: intents like the first, which is asked if none was. */
async function makeLog(path: string, facts: number): Promise<void> {
  const log = await sqliteLog(path)
  const { position } = await log.head()
  const templates = position === 0 ? [] : await templatesIn(log)
  await log.close()
  const made = templates.length > 0 ? templates : await asked(path)
  await fill(path, made, facts)
}

async function asked(path: string): Promise<readonly Entry[]> {
  const deployment = await deploy(path)
  const before = (await deployment.runtime.log.head()).position
  await answerAll(deployment, messages(deployment, 1), 1)
  const facts = await factsAbout(deployment, before + 1)
  await deployment.runtime.stop()
  return facts
}

// What was asked by itself stands together, behind the catalog and the graph.
async function templatesIn(log: Log): Promise<readonly Entry[]> {
  const found: Entry[] = []
  for await (const fact of log.read({})) {
    if (found.length > 0 || fact.name.includes('.vlp.')) found.push(fact)
    if (found.length === 3) break
  }
  return found
}

// The same three facts under other names: to a fold they are as good as what a stage would write.
// First all messages of a group, then what follows, as when many are answered at the same time.
async function fill(path: string, templates: readonly Entry[], facts: number): Promise<void> {
  const log = await sqliteLog(path)
  const ids = ulidIds()
  const ulid = templates[0]?.name.split('.').at(-1) ?? ''
  const parts = templates.map(({ name, bytes }) => ({
    name: name.split(ulid),
    text: Buffer.from(bytes).toString(encoding).split(ulid),
  }))
  const began = Date.now()
  for (let done = 0; done < facts; done += group) {
    const length = Math.min(group, facts - done) / templates.length
    const next = Array.from({ length: Math.ceil(length) }, () => ids.next(began + done))
    const entries = parts.flatMap(({ name, text }) =>
      next.map((id) => ({ name: name.join(id), bytes: Buffer.from(text.join(id), encoding) })),
    )
    await Promise.all(entries.map((entry) => log.append(entry)))
  }
  await log.close()
}

/** Opens it as a command does; without snapshots where none are to be used nor written. */
async function startOn(path: string, withSnapshots: boolean): Promise<Started> {
  const log = findLog(path, {})
  const start = performance.now()
  const cpu = process.cpuUsage()
  const snapshots = withSnapshots ? snapshotsFolder(log) : null
  const runtime = await openRuntime({ log, snapshots, stages: [] })
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  const { state } = runtime.follower
  const { position } = state
  assert(state.catalogRevision > 0 && state.intents.size === 0, 'it has folded what was made')
  await runtime.stop()
  return { seconds, cpuSeconds, position, resident: process.memoryUsage().rss }
}

const [, program, task, path, facts] = process.argv
if (program === import.meta.filename && path !== undefined) {
  if (task === 'make') await makeLog(path, Number(facts))
  else process.stdout.write(`${JSON.stringify(await startOn(path, task === 'near'))}\n`)
}
