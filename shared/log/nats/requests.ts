// Requests over one connection, with one subject for all answers: cheaper than the driver's own,
// which makes a timer and a promise chain for each. What gets no answer is a fault of its own.
import { Fault } from '#record/fault'
import type { NatsLink } from './link.ts'
import type { Message } from './message.ts'

const askAgainMs = 1_000
const sweepMs = 500
/**
 * How many sweeps an answer may take, five seconds. In a process that did not run for so long, on a
 * busy machine, one sweep is late: what came meanwhile is read before the next one.
 */
const sweepsMax = 10
/** What the server says where no one takes a subject. */
const noResponders = 503

interface Waiting {
  readonly subject: string
  /** The sweep that ends it. */
  readonly until: number
  /** Whether the answer has come whole; most come in one message. */
  readonly receive: (message: Message) => boolean
  readonly fail: (fault: Fault) => void
}

export class Requests {
  readonly link: NatsLink
  readonly #inbox: string
  readonly #waiting = new Map<string, Waiting>()
  readonly #stop: (() => void)[]
  #next = 0
  #sweeps = 0
  #sweeper: NodeJS.Timeout | null = null

  constructor(link: NatsLink) {
    this.link = link
    this.#inbox = `${link.inbox}.r`
    this.#stop = [
      link.subscribe(`${this.#inbox}.*`, (message) => this.#receive(message)),
      link.listen({
        onLost: () => this.#failAll(() => true, unanswered),
        onBack: () => undefined,
        onRefused: (subject) => this.#failAll((to) => to === subject, notPermitted),
      }),
    ]
  }

  /** Sends, and resolves with the answer. */
  send(
    subject: string,
    bytes: Uint8Array | string,
    header?: Readonly<Record<string, string>>,
  ): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#send({
        subject,
        bytes,
        header,
        receive: received(subject, resolve, reject),
        fail: reject,
      })
    })
  }

  /**
   * Asks what changes nothing. Where there was no leader the question is never answered, so it is
   * asked again meanwhile.
   */
  ask(subject: string, text: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      let repeated = ''
      let waitMs = askAgainMs
      let again: NodeJS.Timeout | undefined
      const settled = <T>(settle: (what: T) => void) => {
        return (what: T): void => {
          clearTimeout(again)
          this.#waiting.delete(repeated)
          settle(what)
        }
      }
      const receive = received(subject, settled(resolve), settled(reject))
      // A slow server is not asked the more often the slower it is: of what is asked again one is
      // out, and each is waited for twice as long as the one before.
      const repeat = (): void => {
        this.#waiting.delete(repeated)
        repeated = this.#send({ subject, bytes: text, receive, fail: () => undefined })
        waitAgain()
      }
      const waitAgain = (): void => {
        again = setTimeout(repeat, waitMs)
        waitMs *= 2
      }
      waitAgain()
      this.#send({ subject, bytes: text, receive, fail: settled(reject) })
    })
  }

  /** Sends, and resolves with all answers, of which the last has a status. */
  gather(subject: string, bytes: Uint8Array | string): Promise<readonly Message[]> {
    return new Promise((resolve, reject) => {
      const messages: Message[] = []
      const receive = (message: Message): boolean => {
        messages.push(message)
        if (message.status === 0) return false
        if (isRefused(message)) reject(noAnswerFrom(subject))
        else resolve(messages)
        return true
      }
      this.#send({ subject, bytes, receive, fail: reject })
    })
  }

  close(): void {
    for (const stop of this.#stop) stop()
    this.#failAll(() => true, unanswered)
    if (this.#sweeper !== null) clearInterval(this.#sweeper)
  }

  #send(request: {
    readonly subject: string
    readonly bytes: Uint8Array | string
    readonly header?: Readonly<Record<string, string>> | undefined
    readonly receive: (message: Message) => boolean
    readonly fail: (fault: Fault) => void
  }): string {
    const { subject, bytes, header, receive, fail } = request
    const reply = `${this.#inbox}.${(this.#next += 1).toString(36)}`
    // One is under way already.
    const until = this.#sweeps + sweepsMax + 1
    this.#waiting.set(reply, { subject, until, receive, fail })
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs)
    try {
      this.link.publish(subject, bytes, header === undefined ? { reply } : { reply, header })
    } catch (error) {
      this.#waiting.delete(reply)
      fail(error instanceof Fault ? error : unanswered(subject))
    }
    return reply
  }

  #receive(message: Message): void {
    const waiting = this.#waiting.get(message.subject)
    if (waiting !== undefined && waiting.receive(message)) this.#waiting.delete(message.subject)
  }

  #sweep(): void {
    this.#sweeps += 1
    for (const [reply, { until, fail, subject }] of this.#waiting) {
      // They wait in the order in which they were sent, and all as long.
      if (until > this.#sweeps) break
      this.#waiting.delete(reply)
      fail(unanswered(subject))
    }
    if (this.#waiting.size > 0 || this.#sweeper === null) return
    clearInterval(this.#sweeper)
    this.#sweeper = null
  }

  #failAll(which: (subject: string) => boolean, why: (subject: string) => Fault): void {
    for (const [reply, { subject, fail }] of this.#waiting) {
      if (!which(subject)) continue
      this.#waiting.delete(reply)
      fail(why(subject))
    }
  }
}

/** Of a question that has one answer. */
function received(
  subject: string,
  resolve: (message: Message) => void,
  reject: (fault: Fault) => void,
): Waiting['receive'] {
  return (message) => {
    if (isRefused(message)) reject(noAnswerFrom(subject))
    else resolve(message)
    return true
  }
}

function isRefused({ status, bytes }: Message): boolean {
  return status === noResponders && bytes.length === 0
}

/** Whether it was taken is not known; the same again shows. */
function unanswered(subject: string): Fault {
  const message = `no answer to \`${subject}\`: is the server up, and has its stream a leader`
  return new Fault('log_unreachable', message)
}

function noAnswerFrom(subject: string): Fault {
  const fix =
    'is there a stream for it (`warrant nats init`), and is the configuration of the server from ' +
    'this version (`warrant nats-config`)'
  const message = `no one takes \`${subject}\`: ${fix}`
  return new Fault('log_unreachable', message)
}

function notPermitted(subject: string): Fault {
  // What is asked of the server about a stream is published, too.
  const isAsked = subject.includes('.API.')
  const why = isAsked ? 'its role does not read that log' : 'its role does not bind such a name'
  const message = `this user may not publish \`${subject}\`: ${why}`
  return new Fault('not_permitted', message)
}
