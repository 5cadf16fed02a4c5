// The log in memory, for simulation and tests: nothing survives the process. Facts and jobs reach
// their readers through promises alone, and all time comes from the given clock and timer, so that
// anyone who owns those two decides every order.
import { assert } from '#record/fault'
import { covering } from '#record/pattern'
import type { Clock, Timer } from '#ports/clock'
import type {
  AppendOptions,
  Appended,
  Arriving,
  Entry,
  Fact,
  Head,
  Job,
  Log,
  Range,
  WorkOptions,
} from '#ports/log'
import { systemClock, systemTimer } from '#system/clock'
import { Notifier, deliver, follow, oneByOne, type FactSource, type Take } from '../delivery.ts'
import { MemoryQueue } from './queue.ts'
import {
  logClosed,
  queueDiffers,
  queueNames,
  refuseEntry,
  refusePatterns,
  refuseQueue,
} from '../refusals.ts'
import { appendTimeOf } from '../stamp.ts'

const pageMax = 256
const ended: Promise<void> = Promise.resolve()

export interface MemoryPorts {
  readonly clock: Clock
  readonly timer: Timer
}

/** A log of its own, with one handle; by the real time, unless another is given. */
export function memoryLog(ports: MemoryPorts = { clock: systemClock, timer: systemTimer }): Log {
  return new MemoryStore(ports).open()
}

/** What the log keeps. Each handle opened on it stands for a process of its own. */
export class MemoryStore {
  readonly notifier = new Notifier()
  readonly #ports: MemoryPorts
  readonly #facts: Fact[] = []
  readonly #named = new Map<string, Fact>()
  readonly #queues = new Map<string, MemoryQueue>()

  constructor(ports: MemoryPorts) {
    this.#ports = ports
  }

  open(): Log {
    return new MemoryLog(this)
  }

  bind(entry: Entry, { behind }: AppendOptions = {}): Appended {
    const bound = this.#named.get(entry.name)
    if (bound !== undefined) return { appended: false, fact: bound }
    const head = this.head()
    // It is gone with its process, so that it was quiet for long needs no one's word.
    const stamping = { head, now: this.#ports.clock.now(), acceptsAhead: true, behind }
    const fact: Fact = {
      position: head.position + 1,
      name: entry.name,
      appendedAt: appendTimeOf(stamping),
      bytes: entry.bytes,
    }
    this.#facts.push(fact)
    this.#named.set(fact.name, fact)
    this.notifier.ring()
    for (const queue of this.#queues.values()) queue.assign()
    return { appended: true, fact }
  }

  named(name: string): Fact | undefined {
    return this.#named.get(name)
  }

  head(): { readonly position: number; readonly appendedAt: number } {
    const { position = 0, appendedAt = 0 } = this.#facts.at(-1) ?? {}
    return { position, appendedAt }
  }

  page(from: number): readonly Fact[] {
    return this.#facts.slice(from - 1, from - 1 + pageMax)
  }

  queue(name: string, names: readonly string[]): MemoryQueue {
    const key = queueNames(names)
    const known = this.#queues.get(name)
    if (known === undefined) {
      const queue = new MemoryQueue(key, names, this.#facts, this.#ports)
      this.#queues.set(name, queue)
      return queue
    }
    if (known.names !== key) throw queueDiffers(name, known.names, key)
    return known
  }
}

class MemoryLog implements Log, FactSource {
  readonly #store: MemoryStore
  readonly #closing = new AbortController()

  constructor(store: MemoryStore) {
    this.#store = store
  }

  get notifier(): Notifier {
    return this.#store.notifier
  }

  get ended(): boolean {
    return this.#closing.signal.aborted
  }

  async append(entry: Entry, options?: AppendOptions): Promise<Appended> {
    this.#refuseClosed()
    refuseEntry(entry)
    return this.#store.bind(entry, options)
  }

  async get(name: string): Promise<Fact | undefined> {
    this.#refuseClosed()
    return this.#store.named(name)
  }

  async *read(range: Range, names?: readonly string[]): AsyncGenerator<Fact, void, void> {
    this.#refuseClosed()
    if (names !== undefined) refusePatterns(names)
    const covered = names === undefined ? () => true : covering(names)
    const to = Math.min(range.to ?? Infinity, this.#store.head().position)
    let next = Math.max(range.from ?? 1, 1)
    while (next <= to) {
      this.#refuseClosed()
      for (const fact of this.#store.page(next)) {
        if (fact.position <= to && covered(fact.name)) yield fact
        next = fact.position + 1
      }
    }
  }

  follow(from: number, signal: AbortSignal): Arriving<Fact> {
    return oneByOne(this.#pages(from, signal))
  }

  async *#pages(from: number, signal: AbortSignal): AsyncGenerator<Take<Fact>, void, void> {
    this.#refuseClosed()
    assert(Number.isSafeInteger(from), 'a position is a whole number')
    yield* follow(this, from, signal)
  }

  work(queue: string, names: readonly string[], options: WorkOptions): Arriving<Job> {
    return oneByOne(this.#jobsOf(queue, names, options))
  }

  async *#jobsOf(
    queue: string,
    names: readonly string[],
    options: WorkOptions,
  ): AsyncGenerator<Take<Job>, void, void> {
    this.#refuseClosed()
    refuseQueue(queue, names, options.inFlightMax)
    const known = this.#store.queue(queue, names)
    yield* deliver(known.join(options.inFlightMax, this.#closing.signal), options.signal)
  }

  async head(): Promise<Head> {
    this.#refuseClosed()
    return this.#store.head()
  }

  close(): Promise<void> {
    this.#closing.abort()
    this.notifier.ring()
    return ended
  }

  page(from: number): readonly Fact[] {
    return this.#store.page(from)
  }

  pause(): Promise<void> {
    return ended
  }

  #refuseClosed(): void {
    if (this.ended) throw logClosed()
  }
}
