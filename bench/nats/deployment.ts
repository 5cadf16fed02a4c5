// A whole runtime on a log, in one SQLite file if not said otherwise, with its stages in this
// process, and messages of its agent whose plain allow is three facts: the message, its grounding,
// its verdict.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ulidIds } from '#adapters/system/ids'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import { addressOf, nameOf, type Place } from '#core/kernel/names'
import { buildMessage } from '#core/messages/build'
import { writeLine } from '#core/kernel/ndjson'
import type { Stage } from '#core/stages/stage'
import type { Entry, Fact, Log } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { IntentFields } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import { stages as allStages } from '#services/stages'
import { testRuntime } from '../../test/support/runtime.ts'

export interface Deployment {
  readonly runtime: Runtime
  readonly bot: Warrant
}

export const capability = {
  id: 'read_file',
  description: 'Reads one file',
  safetyClass: 'READ' as const,
  concepts: ['file'],
  argsSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, line: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
}

export const file = {
  name: 'file',
  depths: [{ level: 0 }, { level: 1, properties: { is: 'bytes under a name' } }],
}

export async function deploy(path: string): Promise<Deployment> {
  return deployOn(await sqliteLog(path))
}

/** The same on that log; stages that are not named run elsewhere. */
export async function deployOn(
  log: Log,
  stages: readonly Stage[] = allStages,
  others: readonly string[] = ['polite'],
): Promise<Deployment> {
  const { runtime, bot } = await testRuntime({
    log,
    stages,
    catalog: {
      capabilities: [capability],
      principals: [...others, ...crowd].map((id) => ({ id })),
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }],
    },
    graph: { primitives: [file] },
  })
  return { runtime, bot }
}

/** The same call again and again, but for one of its arguments. */
export function intentOf(index: number): IntentFields {
  return { tool: 'read_file', args: { path: '/etc/hosts', line: index }, goal: 'read one line' }
}

/** One agent alone is served 256 open intents: of a thousand, no one of these has so many. */
export const crowd = Array.from({ length: 32 }, (_, index) => `bot${index}`)

/** Messages as agents in other processes would publish them, in turns, each made as it is taken. */
export function messages(
  deployment: Deployment,
  count: number,
  session: string | null = null,
  agents: readonly string[] = crowd,
): Generator<Entry> {
  return messagesIn(deployment.runtime.place, count, { session, agents })
}

interface Asking {
  readonly agents: readonly string[]
  readonly session?: string | null
  readonly tool?: string
  /** Whether the message asks for a person to look at it. */
  readonly isDoubtful?: boolean
}

export function* messagesIn(
  place: Place,
  count: number,
  { agents, session = null, tool = capability.id, isDoubtful = false }: Asking,
): Generator<Entry> {
  const ids = ulidIds()
  const now = Date.now()
  for (let index = 0; index < count; index += 1) {
    const ulid = ids.next(now)
    const { goal = '', ...call } = intentOf(index)
    const intent = { ...call, tool }
    const agent = agents[index % agents.length] ?? ''
    const fields = { type: 'query', sender: agent, content: goal, payload: { intent } }
    const doubt = isDoubtful ? { safety: { level: 'review' as const, issues: [] } } : {}
    const within = session === null ? {} : { session_id: session }
    const message = buildMessage({ ...fields, ...doubt, ...within }, { now, id: `MSG-${ulid}` })
    const name = nameOf(place, 'vlp', addressOf(agent, session, ulid))
    yield { name, bytes: Buffer.from(writeLine(message).trimEnd(), 'utf8') }
  }
}

/** Publishes them all, never with more waiting for their verdicts than that. */
export function answerAll(
  { runtime }: Pick<Deployment, 'runtime'>,
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
export async function factsAbout({ runtime }: Deployment, from: number): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for await (const fact of runtime.log.read({ from })) facts.push(fact)
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
