import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assert } from '#record/fault'
import { sqliteLog } from '#log/sqlite/log'
import type { Fact } from '#ports/log'
import { bytesOf, type Task } from './log-kill-writer.ts'
import { gather, plain, upTo } from './conformance/cases.ts'
import { count, isFull } from '../support/vitest/counts.ts'
import { builtFile } from '../support/vitest/built.ts'

const underMax = 64
const crewSize = 4
const rounds = count(25, 1)
const kills = rounds * crewSize
const script = builtFile('test/log/log-kill-writer.ts')

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * sides)
  }
}

/** A process that works until it has said that many lines, and is killed in the middle of it. */
class Victim {
  readonly lines: (readonly string[])[] = []
  readonly #process: ChildProcess
  readonly #ready: Promise<unknown>
  readonly #gone: Promise<unknown>
  #rest = ''
  #linesMax = Infinity

  constructor() {
    this.#process = fork(script, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] })
    this.#gone = once(this.#process, 'close')
    const { stdout } = this.#process
    assert(stdout !== null, 'the process has a pipe')
    this.#ready = once(stdout, 'data')
    stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  async live(task: Task, linesMax: number): Promise<void> {
    await this.#ready
    this.#linesMax = linesMax
    this.#process.send(task)
    await this.#gone
    expect(this.#process.signalCode).toBe('SIGKILL')
  }

  said(verb: string): (readonly string[])[] {
    return this.lines.filter(([first]) => first === verb)
  }

  #receive(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString()).split('\n')
    // What the process could not say to the end, it has not said.
    this.#rest = lines.pop() ?? ''
    this.lines.push(...lines.map((line) => line.split(' ')))
    if (this.lines.length >= this.#linesMax) this.#process.kill('SIGKILL')
  }
}

/** Every fact of the log is whole, at its place, and the only one of its name. */
async function wholeFacts(path: string): Promise<readonly Fact[]> {
  const log = await sqliteLog(path)
  const facts = await gather(log.read({}))
  await log.close()
  expect(facts.map((fact) => fact.position)).toEqual(upTo(facts.length))
  expect(new Set(facts.map((fact) => fact.name)).size).toBe(facts.length)
  for (const fact of facts) {
    const [name = '', writer = ''] = Buffer.from(fact.bytes).toString().split(' ')
    const index = Number(/n(\d+)$/.exec(name)?.[1])
    expect(name).toBe(fact.name)
    expect(Buffer.compare(fact.bytes, bytesOf(name, writer, index))).toBe(0)
  }
  return facts
}

function expectKept(victim: Victim, writer: string, facts: readonly Fact[]): void {
  for (const [, name = '', position = '', whose] of victim.said('bound')) {
    const fact = facts[Number(position) - 1]
    expect(fact?.name).toBe(name)
    const author = Buffer.from(fact?.bytes ?? [])
      .toString()
      .split(' ')[1]
    expect(author === writer, `${name} is ${whose}, by ${author}`).toBe(whose === 'mine')
  }
}

test(`through ${kills} kills no acknowledged fact is lost and no half fact is read`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-kill-'))
  const roll = dice(1)
  const crew = (): Victim[] => Array.from({ length: crewSize }, () => new Victim())
  let bound = 0
  let next = crew()
  for (let round = 0; round < rounds; round += 1) {
    // Five rounds on one file: so a log that was killed is appended to, and killed again.
    const path = join(folder, `log${Math.floor(round / 5)}.db`)
    const victims = next
    // The next ones start while these work.
    next = round === rounds - 1 ? [] : crew()
    await Promise.all(
      victims.map((victim, which) =>
        victim.live(
          { kind: 'append', path, writer: `w${round}-${which}`, under: underMax },
          underMax + 20 + roll(800),
        ),
      ),
    )
    const facts = await wholeFacts(path)
    for (const [which, victim] of victims.entries()) {
      const [begun, acknowledged] = [victim.said('begun').length, victim.said('bound').length]
      expect(begun).toBeGreaterThan(acknowledged)
      expectKept(victim, `w${round}-${which}`, facts)
      bound += acknowledged
    }
  }
  rmSync(folder, { recursive: true })
  // That many promises were there to be broken.
  expect(bound).toBeGreaterThan(kills * 50)
})

test.runIf(isFull)(
  'a handle that lives through the death of others follows every fact once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-kill-'))
    const path = join(folder, 'log.db')
    const log = await sqliteLog(path)
    const last = 'main.1.own.me.n1'
    const follow = async (): Promise<readonly Fact[]> => {
      const seen: Fact[] = []
      for await (const fact of log.follow(1, new AbortController().signal)) {
        seen.push(fact)
        if (fact.name === last) break
      }
      return seen
    }
    const followed = follow()
    const victims = [new Victim(), new Victim()]
    const lives = victims.map((victim, which) => {
      const task = { kind: 'append', path, writer: `w${which}`, under: underMax } as const
      return victim.live(task, 400 + 300 * which)
    })
    await Promise.all(lives)
    await log.append({ name: last, bytes: bytesOf(last, 'me', 1) })
    const seen = await followed
    await log.close()
    expect(seen.map(plain)).toEqual((await wholeFacts(path)).map(plain))
    rmSync(folder, { recursive: true })
  },
)

test('the jobs of killed processes are redelivered to a living one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-kill-'))
  const path = join(folder, 'log.db')
  const log = await sqliteLog(path, { leaseMs: 300 })
  const names = upTo(400).map((index) => `main.1.job.n${index}`)
  await Promise.all(names.map((name) => log.append({ name, bytes: bytesOf(name, 'me', 0) })))
  const victims = [new Victim(), new Victim(), new Victim()]
  await Promise.all(victims.map((victim) => victim.live({ kind: 'work', path, leaseMs: 300 }, 10)))
  const begun = new Set(victims.flatMap((victim) => victim.said('begun').map(([, name]) => name)))
  const done = new Set(victims.flatMap((victim) => victim.said('done').map(([, name]) => name)))
  const here = new Map<string, number>()
  const { signal } = new AbortController()
  for await (const job of log.work('kill', ['main.1.job.>'], { inFlightMax: 16, signal })) {
    here.set(job.fact.name, job.attempt)
    await job.done()
    if (names.every((name) => here.has(name) || done.has(name))) break
  }
  await log.close()
  rmSync(folder, { recursive: true })
  const left = names.filter((name) => begun.has(name) && !done.has(name))
  expect(left.length).toBeGreaterThan(0)
  for (const name of left) expect(here.get(name), name).toBeGreaterThanOrEqual(2)
})
