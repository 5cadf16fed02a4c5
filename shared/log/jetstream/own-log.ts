// The log for an agent that may bind and get its own names and nothing else. What it gets comes
// from any copy, which may lag: absence is never more than "not yet", and decides nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, Fault } from '#record/fault'
import { eraOf } from '#record/names'
import type { Entry, Fact } from '#ports/log'
import { JetStreamAppends } from './appends.ts'
import { logClosed, refuseEntry } from '../refusals.ts'
import { copyOf } from '../nats/api.ts'
import { intakeSubject } from '../nats/intake.ts'
import type { NatsLink } from '../nats/link.ts'
import { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'
import { untilTaken } from './patience.ts'

/** Where the caller does not say how long it waits. */
const waitMsDefault = 15_000
/** About two seconds, each wait twice as long as the one before. */
const lagTriesMax = 11

export class OwnLog {
  readonly #requests: Requests
  readonly #appends: JetStreamAppends
  readonly #realm: string
  #isClosed = false

  /** The link is closed with it. */
  constructor(link: NatsLink, realm: string) {
    this.#requests = new Requests(link)
    this.#appends = new JetStreamAppends(this.#requests, { batches: false })
    this.#realm = realm
  }

  /**
   * Resolves when it is taken in and durable; the log has it a moment later, in whichever era is
   * open then. What got no answer, or found no room, is sent again for so long: a name takes one
   * fact, and whose it was its bytes in the log show.
   */
  async publish(entry: Entry, waitMs = waitMsDefault): Promise<void> {
    refuseEntry(entry)
    const { name, bytes } = entry
    const subject = intakeSubject(name)
    assert(subject !== null, 'a speaker publishes what is taken in')
    const isWorthIt = ({ retry }: Fault): boolean => retry === 'soon' && !this.#isClosed
    const attempt = (): Promise<unknown> => {
      this.#refuseClosed()
      return this.#appends.push({ name: subject, bytes })
    }
    await untilTaken(attempt, { waitMs, isWorthIt })
  }

  /** The fact of that name, if the copy that answers has it yet. */
  async get(name: string): Promise<Fact | undefined> {
    this.#refuseClosed()
    const stream = streamNames({ realm: this.#realm, era: eraOf(name) ?? 1 }).log
    return (await copyOf(this.#requests, stream, name)) ?? undefined
  }

  /** The fact of a name that is known to be bound. */
  async bound(name: string): Promise<Fact> {
    for (let attempt = 0; attempt < lagTriesMax; attempt += 1) {
      const fact = await this.get(name)
      if (fact !== undefined) return fact
      await sleep(2 ** attempt)
    }
    throw new Fault('log_unreachable', `\`${name}\` is bound, and no copy has it yet`)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#requests.close()
    await this.#requests.link.close()
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw logClosed()
  }
}
