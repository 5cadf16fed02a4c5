// The jobs of one worker on one era's queue, which an operator made: it asks for as many as it may
// have out, keeps alive what is out, and gives back what no one has seen.
import type { Fault } from '#record/fault'
import type { Fact, Job } from '#ports/log'
import { deliveredAs } from '../nats/ack-subject.ts'
import type { NatsLink } from '../nats/link.ts'
import type { Message } from '../nats/message.ts'
import { turnOf, Crowd, crowdMin, reachBytesMax } from '../crowd.ts'
import { Notifier, type JobSource } from '../delivery.ts'
import { logClosed } from '../refusals.ts'

/**
 * How long a request for a job waits at the server, and when it counts as lost, as when a leader
 * changes. A sign of life in between would be taken for the answer, between accounts.
 */
const askMs = 2_000
const askLostMs = 2_500
/** How soon it asks again after the server refused. */
const askAgainMs = 100
/**
 * A job that is redelivered again and again waits longer each time, so that others have their turn.
 */
const retryMsMax = 1_000
const timedOut = 408
const nanosecondsPerMs = 1_000_000
/**
 * One job at a time: between accounts an empty message ends an answer of many, and the jobs behind
 * it would be out with no one.
 */
const askForOne = new TextEncoder().encode(
  JSON.stringify({ batch: 1, expires: askMs * nanosecondsPerMs }),
)

export interface ConsumerOptions {
  readonly link: NatsLink
  readonly stream: string
  readonly queue: string
  readonly inFlightMax: number
  /** After this long without a sign of life the server gives a job to another. */
  readonly ackWaitMs: number
  /** Is notified of each fact that comes as a job. */
  readonly onFact: (fact: Fact) => void
  /** Whether the log is closed. */
  readonly isClosed: () => boolean
}

/**
 * So many may be out in all: what one agent has out beyond a few takes no room from others, so that
 * the worker finds theirs behind it and gives each its turn.
 */
const reachMax = 2_048
/**
 * So many are asked for at once: the server answers who asked first, and one that asks for all it
 * has room for gets every job of a moment, while a worker beside it gets none.
 */
const askedMax = 128

interface Out {
  readonly reply: string
  readonly fact: Fact
}

interface Waiting {
  readonly fact: Fact
  readonly attempt: number
  readonly out: Out
}

export class JetStreamJobs implements JobSource {
  readonly notifier = new Notifier()
  readonly #options: ConsumerOptions
  readonly #inbox: string
  readonly #buffer = new Crowd<Waiting>()
  readonly #out = new Set<Out>()
  #outBytes = 0
  readonly #outOf = new Map<string, number>()
  /** What is out, but of each agent no more than what crowds no one out. */
  #counted = 0
  readonly #stops: (() => void)[]
  readonly #alive: NodeJS.Timeout
  #asked = 0
  #receivedAt = 0
  #sentAt = 0
  /** It asks for one job, and for twice as many whenever all have been taken. */
  #ramp = 1
  #left = false
  #ended = false
  #failure: Fault | null = null
  #again: NodeJS.Timeout | null = null

  constructor(options: ConsumerOptions, number: number) {
    this.#options = options
    const { link, ackWaitMs } = options
    this.#inbox = `${link.inbox}.j${number}`
    this.#stops = [
      link.subscribe(this.#inbox, (message) => this.#receive(message)),
      link.listen({
        onLost: () => undefined,
        onBack: () => this.#askAgain(),
        onRefused: () => undefined,
      }),
    ]
    // Often enough for a short wait, and for a request that was lost.
    const every = Math.max(20, Math.min(ackWaitMs / 3, askLostMs))
    this.#alive = setInterval(() => this.#keepAlive(), every)
  }

  get ended(): boolean {
    return this.#ended
  }

  next(): Job | undefined {
    if (this.#failure !== null) throw this.#failure
    // More may have come than there is room for, when what seemed lost came after all. They wait
    // here, since each delivery more makes a job suspect.
    const underWay = this.#out.size - this.#buffer.size
    const isFull = underWay >= this.#options.inFlightMax
    const waiting = isFull ? undefined : this.#buffer.take(underWay)
    if (waiting === undefined) {
      this.#ask()
      return undefined
    }
    this.#ramp = Math.min(this.#ramp * 2, this.#options.inFlightMax)
    return this.#jobOf(waiting.fact, waiting.attempt, waiting.out)
  }

  leave(): void {
    this.#left = true
    for (const { out } of this.#buffer.takeAll()) this.#giveBack(out, 0)
    // What the server has sent already is still to be given back.
    if (this.#asked === 0 && this.#out.size === 0) this.#stop()
  }

  /** The log closes: what is out is redelivered to another at once. */
  close(): void {
    if (this.#ended) return
    this.leave()
    for (const out of this.#out) this.#giveBack(out, 0)
    this.#stop()
    this.notifier.ring()
  }

  /** The log is not whole: no one may work on it. */
  fail(fault: Fault): void {
    this.#failure = fault
    this.notifier.ring()
  }

  #jobOf(fact: Fact, attempt: number, out: Out): Job {
    const end = async (how: () => void): Promise<void> => {
      if (this.#options.isClosed()) throw logClosed()
      if (this.#remove(out)) how()
      // There is room for another.
      if (!this.#left) this.notifier.ring()
      else if (this.#out.size === 0 && this.#asked === 0) this.#stop()
    }
    return {
      fact,
      attempt,
      done: () => end(() => this.#report(out, '+ACK')),
      retry: (delayMs) => {
        const backoff = Math.min(2 ** Math.min(attempt, 20), retryMsMax)
        return end(() => this.#nak(out, Math.max(delayMs, backoff)))
      },
    }
  }

  #giveBack(out: Out, delayMs: number): void {
    if (this.#remove(out)) this.#nak(out, delayMs)
  }

  #add(out: Out): void {
    const agent = turnOf(out.fact)
    const count = (this.#outOf.get(agent) ?? 0) + 1
    this.#out.add(out)
    this.#outOf.set(agent, count)
    this.#outBytes += out.fact.bytes.length
    if (count <= crowdMin) this.#counted += 1
  }

  #remove(out: Out): boolean {
    if (!this.#out.delete(out)) return false
    const agent = turnOf(out.fact)
    const count = this.#outOf.get(agent) ?? 0
    if (count <= 1) this.#outOf.delete(agent)
    else this.#outOf.set(agent, count - 1)
    this.#outBytes -= out.fact.bytes.length
    if (count <= crowdMin) this.#counted -= 1
    return true
  }

  /** For how many more jobs there is room. */
  get #room(): number {
    const { inFlightMax } = this.#options
    const isHeavy = this.#outBytes > reachBytesMax
    const counted = isHeavy ? this.#out.size : this.#counted
    return Math.min(inFlightMax - counted, Math.max(reachMax, inFlightMax) - this.#out.size)
  }

  #nak(out: Out, delayMs: number): void {
    const delay = Math.ceil(delayMs) * nanosecondsPerMs
    this.#report(out, delayMs === 0 ? '-NAK' : `-NAK {"delay":${delay}}`)
  }

  /** Without a connection nothing is reported, and the server gives the job to another in time. */
  #report({ reply }: Out, what: string): void {
    const { link } = this.#options
    if (!link.closed) link.publish(reply, what)
  }

  #ask(): void {
    if (this.#left || this.#again !== null || this.#options.link.closed) return
    const { link, stream, queue } = this.#options
    const want = Math.min(this.#ramp, this.#room, askedMax)
    // A request that is nearly used up is filled up; each costs the server something.
    if (want <= 0 || this.#asked > want / 2) return
    const batch = want - this.#asked
    this.#asked += batch
    this.#receivedAt = performance.now()
    const subject = `${link.api}.CONSUMER.MSG.NEXT.${stream}.${queue}`
    for (let count = 0; count < batch; count += 1) {
      link.publish(subject, askForOne, { reply: this.#inbox })
    }
  }

  #receive(message: Message): void {
    this.#receivedAt = performance.now()
    if (message.status === 0) this.#take(message)
    else if (message.status === timedOut) this.#expired()
    else this.#askSoon()
  }

  #take(message: Message): void {
    this.#asked = Math.max(0, this.#asked - 1)
    const delivery = deliveredAs(message.reply)
    if (delivery === null) return
    const { position, appendedAt, attempt } = delivery
    const fact = { name: message.subject, bytes: message.bytes, position, appendedAt }
    const out = { reply: message.reply, fact }
    this.#add(out)
    if (this.#left) {
      this.#giveBack(out, 0)
      return
    }
    this.#options.onFact(fact)
    this.#buffer.add({ fact, attempt, out })
    this.notifier.ring()
  }

  /** No one needs as many jobs as were asked for. */
  #expired(): void {
    this.#asked = Math.max(0, this.#asked - 1)
    this.#ramp = Math.max(1, Math.floor(this.#ramp / 2))
    if (this.#left && this.#asked === 0 && this.#out.size === 0) this.#stop()
    else this.notifier.ring()
  }

  /** The queue has no leader just now, or the server goes: what was asked is forgotten. */
  #askSoon(): void {
    this.#asked = 0
    if (this.#again !== null || this.#ended) return
    this.#again = setTimeout(() => {
      this.#again = null
      this.notifier.ring()
    }, askAgainMs)
  }

  #askAgain(): void {
    this.#asked = 0
    this.notifier.ring()
  }

  #keepAlive(): void {
    const now = performance.now()
    if (now - this.#sentAt >= this.#options.ackWaitMs / 3) {
      this.#sentAt = now
      for (const out of this.#out) this.#report(out, '+WPI')
    }
    if (this.#asked === 0 || now - this.#receivedAt < askLostMs) return
    this.#asked = 0
    if (this.#left && this.#out.size === 0) this.#stop()
    else this.notifier.ring()
  }

  #stop(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#alive)
    if (this.#again !== null) clearTimeout(this.#again)
    for (const stop of this.#stops) stop()
  }
}
