// When which notification is sent: one timer for each open review, and what is due is delivered, so
// many at once. What a review comes to is asked again after everything that may change it.
import { notificationKey } from './agenda/notification-id.ts'
import { agendaOf, type DueNotification } from './agenda/agenda.ts'
import type { State } from '#state/state'
import type { Reach } from '#schemas/outreach/reach'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import { askedBy, troubleOf, type AskedPeople, type ReviewTrouble } from './asking.ts'
import { deliverDue, type Delivering } from './delivering.ts'
import type { RecordedNotifications } from './recorded-notifications.ts'

export type OutreachOptions = Omit<Delivering, 'signal'>

/** What is known of an open review beside the state. */
interface Kept {
  readonly review: string
  /** Undefined until it is read. */
  confirmation: string | null | undefined
  cancel: () => void
}

/** Deliveries at once. */
const underWayMax = 16
/** Where the log does not take that a delivery began, it is tried again so much later. */
const againMs = 5_000
/** The longest that a timer can wait. */
const timerMsMax = 2_147_483_647

export class Schedule {
  readonly #options: OutreachOptions
  readonly #past: RecordedNotifications
  readonly #signal: AbortSignal
  readonly #state: State
  readonly #find: (person: string) => Reach | null
  readonly #kept = new Map<string, Kept>()
  /** The addresses of intents, by the names of their reviews. */
  readonly #addresses = new Map<string, string>()
  readonly #troubles = new Map<string, ReviewTrouble>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #reading = new Set<Promise<void>>()
  /** What is due and waits until another delivery has ended. */
  readonly #waiting = new Set<string>()
  #runs = false

  constructor(options: OutreachOptions, past: RecordedNotifications, signal: AbortSignal) {
    this.#options = options
    this.#past = past
    this.#signal = signal
    this.#state = options.runtime.follower.state
    this.#find = finding(options)
  }

  /** What is wrong with open reviews, by the addresses of their intents. */
  get troubles(): ReadonlyMap<string, ReviewTrouble> {
    return this.#troubles
  }

  begin(): void {
    this.#runs = true
    this.all()
  }

  /** Begins nothing more. */
  end(): void {
    this.#runs = false
    for (const { cancel } of this.#kept.values()) cancel()
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size + this.#reading.size > 0) {
      await Promise.all([...this.#underWay.values(), ...this.#reading])
    }
  }

  /** Looks at every open review again. */
  all(): void {
    for (const { address, review } of this.#state.intents.values()) {
      if (review !== null) this.intent(address)
    }
  }

  review(name: string): void {
    const address = this.#addresses.get(name)
    if (address !== undefined) this.intent(address)
  }

  intent(address: string): void {
    if (!this.#runs) return
    const known = this.#keptOf(address)
    if (known === null) return
    if (known.confirmation !== undefined) {
      this.#look(address, known)
      return
    }
    const reading: Promise<void> = this.#read(address, known).finally(() => {
      this.#reading.delete(reading)
    })
    this.#reading.add(reading)
  }

  #keptOf(address: string): Kept | null {
    const review = this.#state.intents.get(address)?.review?.name
    const known = this.#kept.get(address)
    if (known !== undefined && known.review === review) return known
    if (known !== undefined) this.#forget(address, known)
    if (review === undefined) return null
    const opened = { review, confirmation: undefined, cancel: () => undefined }
    this.#kept.set(address, opened)
    this.#addresses.set(review, address)
    return opened
  }

  #forget(address: string, { review, cancel }: Kept): void {
    cancel()
    this.#kept.delete(address)
    this.#addresses.delete(review)
    this.#troubles.delete(address)
    this.#past.forget(review)
  }

  async #read(address: string, known: Kept): Promise<void> {
    const { runtime } = this.#options
    const intent = this.#state.intents.get(address)
    try {
      const open = intent === undefined ? null : await openReviewOf(runtime, intent)
      if (open?.name !== known.review) return
      known.confirmation = open.review.confirmation
    } catch (error) {
      runtime.logger.warn({ intent: address, error }, 'review not readable')
      this.#again(address, known)
      return
    }
    if (this.#kept.get(address) === known) this.intent(address)
  }

  /** Sends what is due, and waits for what is next. */
  #look(address: string, known: Kept): void {
    const { timer, logClock } = this.#options.runtime
    known.cancel()
    known.cancel = () => undefined
    const found = this.#asked(address, known)
    const now = logClock.now()
    const past = this.#past.of(known.review)
    this.#note(address, found === null ? null : troubleOf(found, past, now))
    if (found === null) return
    const agenda = agendaOf(found.asking, past, now)
    for (const due of agenda) if (due.at <= now) this.#send(address, due)
    const next = agenda.find(({ at }) => at > now)?.at ?? found.asking.decideBy + 1
    const delayMs = Math.min(Math.max(1, next - now), timerMsMax)
    known.cancel = timer.after(delayMs, () => this.intent(address))
  }

  #asked(address: string, known: Kept | undefined = this.#kept.get(address)): AskedPeople | null {
    const { runtime, channels } = this.#options
    const intent = this.#state.intents.get(address)
    if (intent === undefined || known?.confirmation === undefined) return null
    if (intent.review?.name !== known.review) return null
    const kinds = channels.map(({ kind }) => kind)
    const reached = { state: this.#state, find: this.#find, channels: kinds }
    return askedBy(reached, intent, known.confirmation, runtime.logClock.now())
  }

  #note(address: string, found: ReviewTrouble | null): void {
    const { logger } = this.#options.runtime
    if (this.#troubles.get(address) === (found ?? undefined)) return
    if (found === null) this.#troubles.delete(address)
    else this.#troubles.set(address, found)
    if (found === 'unanswerable') logger.warn({ intent: address }, 'no one can answer the review')
    if (found === 'unreached') logger.warn({ intent: address }, 'no one was reached for the review')
  }

  #send(address: string, due: DueNotification): void {
    const key = `${notificationKey(due)} ${due.attempt}`
    if (this.#underWay.has(key)) return
    if (this.#underWay.size >= underWayMax) {
      this.#waiting.add(address)
      return
    }
    this.#underWay.set(key, this.#sent(address, due, key))
  }

  async #sent(address: string, due: DueNotification, key: string): Promise<void> {
    const { logger } = this.#options.runtime
    const isDue = (): boolean => this.#isDue(address, due)
    let hasEndedWell = true
    try {
      await deliverDue({ ...this.#options, signal: this.#signal }, { due, address, isDue })
    } catch (error) {
      hasEndedWell = false
      logger.warn({ intent: address, error }, 'notification failed')
    }
    this.#underWay.delete(key)
    const known = this.#kept.get(address)
    // The log may be out of reach: to ask it again at once would not help it.
    if (hasEndedWell) this.intent(address)
    else if (known !== undefined) this.#again(address, known)
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    this.intent(next)
  }

  #isDue(address: string, due: DueNotification): boolean {
    const { asking } = this.#asked(address) ?? {}
    if (asking === undefined || asking.review !== due.review) return false
    const people = due.step === 'escalated' ? asking.escalated : asking.asked
    return people.some(({ person }) => person === due.person)
  }

  #again(address: string, known: Kept): void {
    if (!this.#runs) return
    known.cancel()
    known.cancel = this.#options.runtime.timer.after(againMs, () => this.intent(address))
  }
}

/** A store that cannot be read reaches no one, and is reported once for each change of it. */
function finding({ book, runtime: { logger } }: OutreachOptions): (person: string) => Reach | null {
  let reported: string | null = null
  return (person) => {
    try {
      return book.find(person)
    } catch (error) {
      const mark = error instanceof Error ? error.message : ''
      if (mark !== reported) logger.error({ error }, 'addresses not readable')
      reported = mark
      return null
    }
  }
}
