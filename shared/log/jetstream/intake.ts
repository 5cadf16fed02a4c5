// What is bound in another stream, which the log sources: what speakers publish, and what all cells
// share. It is found again in the log, and no fact is ever reported that the log has not.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'
import { eraOf } from '#record/names'
import { nameInside } from '#record/roles'
import type { Appended, Entry, Fact } from '#ports/log'
import type { Requests } from '../nats/requests.ts'
import type { TakenPosition } from './appends.ts'
import type { JetStreamEras } from './eras.ts'
import type { JetStreamFollowing } from './following.ts'
import { namedFact } from './reads.ts'

/** So long may the log not take in what was published, as while an era is rotated. */
const takenInMsMax = 30_000
const lookMsMin = 1
const lookMsMax = 250
/** Where someone follows, the fact comes without a question. */
const followedMsMin = 100
const followedMsMax = 2_000

type Publish = (entry: Entry) => Promise<TakenPosition>

interface IntakeParts {
  readonly requests: Requests
  readonly eras: JetStreamEras
  readonly following: JetStreamFollowing
  /** Binds it in the stream that takes that subject. */
  readonly publish: Publish
}

export class JetStreamIntake {
  readonly #requests: Requests
  readonly #publish: Publish
  readonly #eras: JetStreamEras
  readonly #following: JetStreamFollowing

  constructor({ requests, eras, following, publish }: IntakeParts) {
    this.#requests = requests
    this.#eras = eras
    this.#following = following
    this.#publish = publish
  }

  /** Resolves when the log has it, perhaps under the name of a later era. */
  async append({ name, bytes }: Entry, subject: string): Promise<Appended> {
    const coming = this.#following.coming(nameInside(name))
    try {
      const isNew = (await this.#publish({ name: subject, bytes })) !== null
      const fact = await this.#inLog(name, isNew ? coming.fact : null)
      return { appended: isNew, fact }
    } finally {
      coming.stop()
    }
  }

  async #inLog(name: string, coming: Promise<Fact> | null): Promise<Fact> {
    const end = performance.now() + takenInMsMax
    let pauseMs = lookMsMin
    while (performance.now() < end) {
      const { isOpen } = this.#following
      const follows = coming !== null && isOpen
      if (follows) pauseMs = Math.max(pauseMs, followedMsMin)
      // Thousands may wait at once: who follows asks the leader ever more seldom.
      const came = follows ? await this.#following.whileMoving(coming, pauseMs) : null
      const fact = came ?? (await this.look(name))
      if (fact !== undefined) return fact
      if (!follows) await sleep(pauseMs)
      pauseMs = Math.min(pauseMs * 2, follows ? followedMsMax : lookMsMax)
      // While an era is rotated it waits for the next, which is not known here yet; where someone
      // follows, the log looks for it once for all who wait.
      if (!isOpen && pauseMs === lookMsMax) await this.#eras.refresh()
    }
    const why = 'it was taken in, and the log has not sourced it'
    const fix = 'look whether an era was left half rotated (`warrant doctor`)'
    throw new Fault('not_in_log', `\`${nameInside(name)}\`: ${why}; ${fix}`)
  }

  /** The fact of that name, in whatever era it came into the log. */
  async look(name: string): Promise<Fact | undefined> {
    const isShared = this.#eras.isShared(name)
    const [realm = '', , ...rest] = name.split('.')
    // What another published before may be in the era before this one.
    const from = isShared ? 1 : (eraOf(name) ?? 1) - 1
    for (const era of this.#eras.all) {
      if (era.era < from) continue
      const there = isShared ? name : [realm, era.era, ...rest].join('.')
      const found = await namedFact(this.#requests, era, there)
      if (found !== undefined) return found
    }
    return undefined
  }
}
