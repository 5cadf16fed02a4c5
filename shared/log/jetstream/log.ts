// The log on JetStream, for many machines: a stream an era, in which the server itself binds a name
// once. It must never decide about existence by a copy, nor go on when the stream is not whole.
import { assert, Fault } from '#record/fault'
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
import { queueInfo } from '../nats/api.ts'
import { intakeSubject } from '../nats/intake.ts'
import type { NatsLink } from '../nats/link.ts'
import { ackWaitMsIn, queueNamesIn } from '../nats/wholeness.ts'
import { Requests } from '../nats/requests.ts'
import { deliver, oneByOne, type Take } from '../delivery.ts'
import { JetStreamAppends, type TakenPosition } from './appends.ts'
import { JetStreamEras } from './eras.ts'
import { JetStreamFollowing } from './following.ts'
import { JetStreamIntake } from './intake.ts'
import { JetStreamJobs } from './jobs.ts'
import { untilTaken, type Patience } from './patience.ts'
import { factAt, namedFact, readAll, readNamed, type Sentinel, type EraSpan } from './reads.ts'
import { logClosed, queueDiffers, queueNames, refuseEntry } from '../refusals.ts'
import { refusePatterns, refuseQueue } from '../refusals.ts'

/** About four seconds, each wait twice as long as the one before. */
const boundTriesMax = 12
/** So long an append waits for a server that takes no more, before it fails. */
const overloadMsMax = 10_000
/** How often a log that is followed or worked looks whether it is still whole. */
const watchMs = 2_000

export interface JetStreamOptions {
  readonly realm: string
  /** The shapes of the names that the stream takes, if they are not those of the realm's facts. */
  readonly subjects?: readonly string[]
}

/**
 * The log of that realm; the link is closed with it. Throws a Fault where there is none, or it is
 * not as an operator made it.
 */
export async function jetStreamLog(link: NatsLink, options: JetStreamOptions): Promise<Log> {
  const requests = new Requests(link)
  const eras = new JetStreamEras(requests, options.realm, options.subjects)
  try {
    await eras.refresh()
  } catch (error) {
    requests.close()
    await link.close()
    throw error
  }
  return new JetStreamLog(requests, eras)
}

class JetStreamLog implements Log {
  readonly #requests: Requests
  readonly #eras: JetStreamEras
  readonly #appends: JetStreamAppends
  readonly #following: JetStreamFollowing
  readonly #intake: JetStreamIntake
  readonly #jobs = new Set<JetStreamJobs>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #patience: Patience = {
    waitMs: overloadMsMax,
    isWorthIt: ({ code }) => code === 'log_overloaded' && this.#closing === null,
  }
  #watching: NodeJS.Timeout | null = null
  #workers = 0
  #closing: Promise<void> | null = null

  constructor(requests: Requests, eras: JetStreamEras) {
    this.#requests = requests
    this.#eras = eras
    this.#appends = new JetStreamAppends(requests)
    const following = new JetStreamFollowing(requests, eras)
    this.#following = following
    const speaking = new JetStreamAppends(requests, { batches: false })
    const publish = (entry: Entry): Promise<TakenPosition> => this.#publish(speaking, entry)
    this.#intake = new JetStreamIntake({ requests, eras, following, publish })
  }

  append(entry: Entry, { untimed = false }: AppendOptions = {}): Promise<Appended> {
    const appending = this.#append(entry, untimed)
    this.#underWay.add(appending)
    const end = (): void => void this.#underWay.delete(appending)
    appending.then(end, end)
    return appending
  }

  async get(name: string): Promise<Fact | undefined> {
    this.#refuseClosed()
    return this.#eras.isShared(name)
      ? this.#intake.look(name)
      : namedFact(this.#requests, await this.#eras.ofName(name), name)
  }

  async *read(range: Range, names?: readonly string[]): AsyncGenerator<Fact, void, void> {
    this.#refuseClosed()
    if (names !== undefined) refusePatterns(names)
    const from = Math.max(range.from ?? 1, this.#eras.all[0]?.first ?? 1)
    const to = await this.#upTo(range.to ?? Infinity)
    for (const era of this.#eras.all) {
      const span = { era, from: Math.max(from, era.first), to: Math.min(to, era.last ?? to) }
      if (span.from > span.to) continue
      for await (const fact of this.#readSpan(span, names)) {
        this.#refuseClosed()
        yield fact
      }
    }
  }

  follow(from: number, signal: AbortSignal): Arriving<Fact> {
    return oneByOne(this.#pages(from, signal))
  }

  async *#pages(from: number, signal: AbortSignal): AsyncGenerator<Take<Fact>, void, void> {
    this.#refuseClosed()
    assert(Number.isSafeInteger(from), 'a position is a whole number')
    this.#watch()
    yield* this.#following.follow(Math.max(from, 1), signal)
  }

  work(queue: string, names: readonly string[], options: WorkOptions): Arriving<Job> {
    return oneByOne(this.#delivered(queue, names, options))
  }

  async *#delivered(
    queue: string,
    names: readonly string[],
    options: WorkOptions,
  ): AsyncGenerator<Take<Job>, void, void> {
    this.#refuseClosed()
    refuseQueue(queue, names, options.inFlightMax)
    const { inFlightMax, signal } = options
    const jobs = await this.#jobsUnlessClosed(queue, names, inFlightMax)
    if (jobs === null) return
    this.#jobs.add(jobs)
    this.#watch()
    try {
      yield* deliver(jobs, signal)
    } finally {
      // What is still out may be ended later, so it is known until the log is closed.
      if (jobs.ended) this.#jobs.delete(jobs)
    }
  }

  async head(): Promise<Head> {
    this.#refuseClosed()
    return this.#eras.head()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #append(entry: Entry, untimed: boolean): Promise<Appended> {
    this.#refuseClosed()
    refuseEntry(entry)
    const { name, bytes } = entry
    // What all cells share is bound in their control log, and comes into this one as well.
    const subject = this.#eras.isShared(name)
      ? name
      : this.#eras.takesFromSpeakers
        ? null
        : intakeSubject(name)
    if (subject !== null) return this.#intake.append(entry, subject)
    const position = await this.#publish(this.#appends, entry)
    if (position === null) {
      const fact = await this.#boundFact(name)
      return { appended: false, fact }
    }
    const appendedAt = untimed
      ? 0
      : await this.#following.timeOf(await this.#eras.ofName(name), position)
    return { appended: true, fact: { name, bytes, position, appendedAt } }
  }

  #publish(appends: JetStreamAppends, entry: Entry): Promise<TakenPosition> {
    return untilTaken(() => appends.push(entry), this.#patience)
  }

  async #boundFact(name: string): Promise<Fact> {
    for (let attempt = 0; attempt < boundTriesMax; attempt += 1) {
      const fact = await namedFact(this.#requests, await this.#eras.ofName(name), name)
      if (fact !== undefined) return fact
      // The leader refuses a name from the moment that it proposes it to the others.
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt))
    }
    const message = `\`${name}\` is bound, and yet its fact is not there`
    throw new Fault('log_tampered', message)
  }

  /** The last position to read; what is followed already is known to be there. */
  async #upTo(to: number): Promise<number> {
    const { followed } = this.#following
    if (followed !== null && to <= followed.position) return to
    return Math.min(to, (await this.#eras.head()).position)
  }

  async *#readSpan(span: EraSpan, names?: readonly string[]): AsyncGenerator<Fact, void, void> {
    if (names === undefined) yield* readAll(this.#requests, span)
    else yield* readNamed(this.#requests, span, names, await this.#sentinel(span))
  }

  async #sentinel({ era, to }: EraSpan): Promise<Sentinel> {
    const { followed } = this.#following
    const isOf = followed !== null && followed.position >= to && followed.era === era.era
    if (isOf) return followed
    const fact = await factAt(this.#requests, era, to)
    if (fact !== undefined) return fact
    throw new Fault('log_tampered', `position ${to} is missing in \`${era.log}\``)
  }

  // A worker that began before the log was closed ends with it, also while its queue is looked up.
  async #jobsUnlessClosed(
    queue: string,
    names: readonly string[],
    inFlightMax: number,
  ): Promise<JetStreamJobs | null> {
    try {
      return await this.#jobsOf(queue, names, inFlightMax)
    } catch (error) {
      if (this.#closing !== null) return null
      throw error
    }
  }

  async #jobsOf(
    queue: string,
    names: readonly string[],
    inFlightMax: number,
  ): Promise<JetStreamJobs> {
    // Each era has queues of its own, on its own stream.
    const own = names.find((name) => !this.#eras.isShared(name))
    const era = await this.#eras.ofName(own ?? '')
    const found = await queueInfo(this.#requests, era.log, queue)
    if (found === null) {
      const fix = 'an operator makes it: `warrant nats init`'
      const message = `the stream \`${era.log}\` has no queue \`${queue}\`: ${fix}`
      throw new Fault('queue_missing', message)
    }
    const [has, given] = [queueNamesIn(found), names].map(queueNames)
    if (has !== given) throw queueDiffers(queue, has ?? '', given ?? '')
    this.#refuseClosed()
    this.#workers += 1
    const options = {
      link: this.#requests.link,
      stream: era.log,
      queue,
      inFlightMax,
      ackWaitMs: ackWaitMsIn(found),
      onFact: (fact: Fact) => this.#following.offer(era, fact),
      isClosed: () => this.#closing !== null,
    }
    return new JetStreamJobs(options, this.#workers)
  }

  #watch(): void {
    this.#watching ??= setInterval(() => void this.#look(), watchMs).unref()
  }

  async #look(): Promise<void> {
    try {
      await this.#eras.refresh()
      this.#following.turned()
      this.#following.hasUpTo(this.#eras.position)
    } catch (error) {
      // What is only out of reach comes back; what is not whole never will.
      if (error instanceof Fault && error.retry === 'never') this.#fail(error)
    }
  }

  #fail(fault: Fault): void {
    this.#following.fail(fault)
    for (const jobs of this.#jobs) jobs.fail(fault)
  }

  async #close(): Promise<void> {
    if (this.#watching !== null) clearInterval(this.#watching)
    this.#following.close()
    for (const jobs of this.#jobs) jobs.close()
    await Promise.allSettled(this.#underWay)
    const { link } = this.#requests
    try {
      if (!link.closed) await link.flush()
    } catch {
      // What could not be given back is redelivered when the server has waited for it.
    }
    this.#requests.close()
    await link.close()
  }

  #refuseClosed(): void {
    if (this.#closing !== null) throw logClosed()
  }
}
