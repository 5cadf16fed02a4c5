// A gateway dies by SIGKILL at any moment of its calls, again and again, on a log in a file: no
// call is carried out twice, and each that was begun has an end. What is idempotent is gone on
// with, by its one key.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { localDriver } from '#gateway/tools/local'
import { toolSecrets } from '#gateway/tools/secrets'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { assert } from '#record/fault'
import { readEvent } from '#record/event'
import type { Runtime } from '#runtime/engine/runtime'
import { openGateway } from '#gateway/gateway'
import { idempotencyKey } from '#gateway/carried'
import { findLog } from '#runtime/logs/log-url'
import { replay } from '#replay/replay'
import { provingOn } from '#replay/verdicts/proving'
import { openRuntime } from '#wiring/open'
import { connect } from '#client/connect'
import { stages } from '#workers/stages'
import { endWithTest } from '../support/vitest/endings.ts'
import { genesis } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { builtFile } from '../support/vitest/built.ts'
import { count } from '../support/vitest/counts.ts'
import { toolsOn, type Ending, type Moment } from './kill-gateway-worker.ts'

const kills = count(200, 15)
const seed = 20_260_101
/** Calls that are open at once. */
const lanes = 6
/** How many calls it may end before it dies, and how far into the next ones it may be then. */
const endsMax = 8
const intoMsMax = 14
/** Where a tool stands still until it dies; null: anywhere, as time has it. */
const moments: readonly (Moment | null)[] = ['before write', 'after write', 'after put', null]
const kinds = ['done', 'tool_failed']
/** Started before they are needed, and so open beside the one that works. */
const ahead = 2

const write = {
  id: 'write',
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  driver: { kind: 'local' as const, operation: 'write' },
  execution: { concurrency: 32, agentConcurrency: 32 },
}
const put = {
  ...write,
  id: 'put',
  driver: { ...write.driver, operation: 'put' },
  // None lives long here, and each derives again what it goes on with: the last one still may.
  execution: { ...write.execution, idempotent: true, timeoutMs: 600_000 },
}
const catalog = {
  capabilities: [write, put],
  limits: ['write', 'put'].map((capability) => ({
    capability,
    uses: 'unlimited' as const,
    windowMs: 60_000,
  })),
}

test(`killed ${kills} times, a gateway does nothing twice and closes all that it began`, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'executions')
  const log = join(folder, 'log.db')
  const runtime = await openRuntime({ log: findLog(log, {}), stages })
  endWithTest(() => runtime.stop())
  await genesis(runtime, { catalog })
  const ends = await calledWhileKilled(runtime, [log, file])
  const { starts, outcomes, id } = await closed(runtime, file)
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const executions = (tool: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${tool} `) ? [line.slice(tool.length + 1)] : []))
  const written = executions('write')
  expect(new Set(written).size, 'no key stands twice').toBe(written.length)
  expect([...outcomes.keys()].toSorted()).toEqual([...starts.keys()].toSorted())
  expect(new Set(outcomes.values())).toEqual(new Set(['succeeded', 'failed', 'unknown']))
  const ran = new Set([...written, ...executions('put')])
  const hasRun = (address: string) =>
    ran.delete(idempotencyKey({ log: id, place: runtime.place }, address))
  const unknown = { before: 0, after: 0 }
  for (const [address, outcome] of outcomes) {
    const isThere = hasRun(address)
    const isLost = outcome === 'unknown' && starts.get(address) === 'put'
    expect(isLost, `${address} was not gone on with`).toBe(false)
    if (outcome === 'unknown') unknown[isThere ? 'after' : 'before'] += 1
    else expect(isThere, `${address} ran`).toBe(true)
  }
  expect([...ran], 'nothing ran that was not begun').toEqual([])
  // It died before tools ran as well as after: else the moments would show little.
  expect(unknown.before).toBeGreaterThan(0)
  expect(unknown.after).toBeGreaterThan(0)
  expect(executions('put').length).toBeGreaterThan(new Set(executions('put')).size)
  expect([...ends].toSorted()).toEqual(['done', 'tool_failed', 'warrant_used'])
})

/** Calls without a pause while gateways die, and resolves with how calls ended. */
async function calledWhileKilled(
  runtime: Runtime,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const agent = await connect({ as: 'bot', runtime })
  const roll = dice(seed)
  const ends = new Set<string>()
  const open = new Set<string>()
  let number = 0
  let victim: Victim | null = null
  let hasEnded = false
  const ask = async (): Promise<void> => {
    if (hasEnded) return
    const args = { n: (number += 1) }
    const tool = number % 4 === 0 ? 'put' : 'write'
    const { intent } = await agent.ask({ tool, args, justification: 'it was asked for' })
    open.add(intent)
    victim?.send(intent)
  }
  const asking = new Set<Promise<void>>()
  const askMore = (): void => {
    const one: Promise<void> = ask().finally(() => asking.delete(one))
    asking.add(one)
  }
  const take = ({ intent, end }: Ending): void => {
    ends.add(end)
    if (intent !== null && open.delete(intent)) askMore()
  }
  for (let lane = 0; lane < lanes; lane += 1) askMore()
  const started = (round: number): Victim =>
    new Victim({ words, take, moment: moments[round % moments.length] ?? null })
  const spares = Array.from({ length: ahead }, (_none, round) => started(round))
  for (let round = 0; round < kills; round += 1) {
    spares.push(started(round + ahead))
    victim = spares.shift() ?? null
    await victim?.ready
    // What the one before has left is called again, as by an agent that got no answer.
    for (const intent of open) victim?.send(intent)
    await victim?.killed(Math.floor(roll() * endsMax), roll() * intoMsMax)
  }
  hasEnded = true
  await Promise.all([...asking, ...spares.map((spare) => spare.ended())])
  return ends
}

interface VictimOptions {
  readonly words: readonly string[]
  readonly take: (ending: Ending) => void
  readonly moment: Moment | null
}

class Victim {
  readonly ready: Promise<unknown>
  readonly #process: ChildProcess
  readonly #gone: Promise<unknown>
  readonly #moment: Moment | null
  readonly #seen = new Set<string>()
  #ended = 0
  #stands = false
  #onMessage = (): void => undefined

  constructor({ words, take, moment }: VictimOptions) {
    const script = builtFile('test/system/kill-gateway-worker.ts')
    this.#moment = moment
    this.#process = fork(script, [...words, moment ?? ''], { execArgv: [] })
    this.#gone = once(this.#process, 'exit')
    this.ready = once(this.#process, 'message')
    this.#process.on('message', (ending: Ending) => {
      if (ending.end === 'stands') this.#stands = true
      if (ending.intent !== null) {
        take(ending)
        this.#seen.add(ending.end)
        this.#ended += 1
      }
      this.#onMessage()
    })
  }

  send(intent: string): void {
    // One that has died takes nothing; the next one gets it.
    if (this.#process.connected) this.#process.send(intent, () => undefined)
  }

  /**
   * Kills it where a tool stands still, or that long after it has ended so many calls, some of each
   * kind among them.
   */
  async killed(ends: number, intoMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onMessage = () => {
        const isPast = this.#ended >= ends && kinds.every((kind) => this.#seen.has(kind))
        if (this.#moment === null ? isPast : this.#stands) resolve()
      }
      this.#onMessage()
    })
    if (this.#moment === null) await pause(intoMs)
    await this.ended()
  }

  async ended(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#gone
    assert(this.#process.signalCode === 'SIGKILL', 'it died by nothing else')
  }
}

/** Numbers below 1 that look random and are the same each time. */
function dice(from: number): () => number {
  let state = from
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

interface Closed {
  readonly id: string | null
  /** The capabilities, by address. */
  readonly starts: ReadonlyMap<string, string>
  /** By address, too. */
  readonly outcomes: ReadonlyMap<string, string>
}

/** A last gateway ends what is left; then all of the log is read, and derived again. */
async function closed(runtime: Runtime, file: string): Promise<Closed> {
  const { log, follower, place } = runtime
  const proving = provingOn(runtime, stages, null)
  const secrets = toolSecrets({ variables: {}, folder: null })
  const drivers = [localDriver({ tools: toolsOn(file), secrets })]
  const gateway = openGateway({ runtime, proving, drivers, name: 'victim' })
  const left = () => follower.state.running.size + follower.state.intents.size
  await expect.poll(left).toBe(0)
  await gateway.close()
  proving.stop()
  const starts = new Map<string, string>()
  const outcomes = new Map<string, string>()
  for await (const fact of log.read({}, ['main.1.start.>', 'main.1.outcome.>'])) {
    const start = readEvent('start', fact)
    if (start.ok) starts.set(start.event.data.intent.address, start.event.data.capability ?? '')
    const outcome = readEvent('outcome', fact)
    if (!outcome.ok) continue
    outcomes.set(outcome.event.data.intent.address, outcome.event.data.outcome)
  }
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const report = await replay({ log, place, rootKey: null, stages, callbacks })
  await callbacks.close()
  expect(report).toMatchObject({ first: null, differences: 0, open: 0, voidCount: 0 })
  expect(report.findings.shown).toEqual([])
  return { id: report.log, starts, outcomes }
}
