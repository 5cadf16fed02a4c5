// The other end of a worker that is made to be killed: starts it, receives what it says, and ends
// it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { assert } from '#record/fault'
import type { Order } from './kill-worker.ts'

export interface Weight {
  /** After everything that can be collected has been. */
  readonly heapBytes: number
  readonly residentBytes: number
}

export class Victim {
  /** The positions of the jobs that it has begun and not ended. */
  readonly underWay = new Set<number>()
  /** Those of all that it has ever begun. */
  readonly begun = new Set<number>()
  readonly #process: ChildProcess
  readonly #ready: Promise<unknown>
  readonly #gone: Promise<unknown>
  #rest = ''
  #killAfter = Infinity
  #weighed: (weight: Weight) => void = () => undefined
  #ended = 0

  constructor(script: string) {
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
    this.#process = fork(script, { stdio: [...stdio], execArgv: ['--expose-gc'] })
    this.#gone = once(this.#process, 'close')
    const { stdout } = this.#process
    assert(stdout !== null, 'the process has a pipe')
    this.#ready = once(stdout, 'data')
    stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  async report(order: Order): Promise<void> {
    await this.#ready
    this.#process.send(order)
  }

  /**
   * Kills it in the middle of a job, once it has ended so many. Resolves with the jobs that were
   * under way as it died, which may be none.
   */
  async kill(jobsBefore: number): Promise<readonly number[]> {
    this.#killAfter = jobsBefore
    this.#killIfDue()
    await this.#gone
    assert(this.#process.signalCode === 'SIGKILL', 'it died by nothing else')
    return [...this.underWay]
  }

  async stop(): Promise<void> {
    await this.report({ kind: 'stop' })
    await this.#gone
    assert(this.#process.exitCode === 0, 'it ended in order')
  }

  /** Whatever it does. */
  async end(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#gone
  }

  async weigh(): Promise<Weight> {
    const weighed = new Promise<Weight>((resolve) => (this.#weighed = resolve))
    await this.report({ kind: 'weigh' })
    return weighed
  }

  #receive(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString()).split('\n')
    // What the process could not say to the end, it has not said.
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const [verb, ...numbers] = line.split(' ')
      const [first = 0, second = 0] = numbers.map(Number)
      if (verb === 'ready' || verb === 'working') continue
      if (verb === 'weighs') this.#weighed({ heapBytes: first, residentBytes: second })
      else if (verb === 'begun') this.#begin(first)
      else if (this.underWay.delete(first)) this.#ended += 1
    }
    this.#killIfDue()
  }

  #begin(position: number): void {
    this.underWay.add(position)
    this.begun.add(position)
  }

  #killIfDue(): void {
    if (this.#ended >= this.#killAfter && this.underWay.size > 0) this.#process.kill('SIGKILL')
  }
}
