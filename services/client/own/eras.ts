// In which era an agent's own words are bound and found, where no one notifies it when an era is
// rotated: a sealed era refuses, and then the next is tried and remembered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnLog } from '#adapters/jetstream/own-log'
import { Fault } from '#core/kernel/fault'
import { nameOf } from '#core/kernel/names'
import type { Kind } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import type { SaidFact } from '#runtime/engine/binding'
import type { Bound } from '../intent-log.ts'

/** Rotations that may happen while one fact is bound; the first time, as many as there are. */
const erasMax = 10_000
/** So long may one era be sealed and the next not open. */
const turningMsMax = 30_000
const turningPauseMs = 250

/** Where to look for what is about an intent. */
export interface EraSearch {
  /** The era that opened it; the first, if that is not known. */
  readonly from: number
  /** Whether eras after the last known one may have begun. */
  readonly beyond: boolean
}

export class OwnEras {
  readonly #log: OwnLog
  readonly #realm: string
  #current = 1
  #position = 0

  constructor(log: OwnLog, realm: string) {
    this.#log = log
    this.#realm = realm
  }

  /** The newest era that is known here. */
  get current(): number {
    return this.#current
  }

  /** The last position that was seen here. */
  get position(): number {
    return this.#position
  }

  /**
   * Binds it in the era that takes it. Throws a Fault `era_sealed` if none does. What is bound
   * while an era is turning may have come before the new one began: then it is void.
   */
  async bind(said: SaidFact, waitMs?: number): Promise<Bound> {
    for (let turn = 0; turn < erasMax; turn += 1) {
      const era = this.#current
      const bound = await this.bindIn(era, said, waitMs)
      if (bound !== null) return bound
      // Another may have found the next one meanwhile.
      if (this.#current === era) await this.#turn(said)
    }
    throw stillSealed(this.#current)
  }

  /** Binds it in that era; null if it is sealed. */
  async bindIn(era: number, said: SaidFact, waitMs?: number): Promise<Bound | null> {
    const name = nameOf({ realm: this.#realm, era }, said.kind, ...said.tokens)
    try {
      const entry = { name, bytes: said.bytes(name) }
      const { appended, position } = await this.#log.append(entry, waitMs)
      this.#saw(position)
      return { appended, name, position }
    } catch (error) {
      if (error instanceof Fault && error.code === 'era_sealed') return null
      throw error
    }
  }

  /** The fact of that kind about the intent, of the first era that has it; undefined: not yet. */
  async find(kind: Kind, address: string, { from, beyond }: EraSearch): Promise<Fact | undefined> {
    for (let era = from; era <= this.#current; era += 1) {
      const fact = await this.#get(era, kind, address)
      if (fact !== undefined) return fact
    }
    return beyond ? this.#further(kind, address) : undefined
  }

  #saw(position: number): void {
    this.#position = Math.max(this.#position, position)
  }

  async #get(era: number, kind: Kind, ...tokens: readonly string[]): Promise<Fact | undefined> {
    const fact = await this.#log.get(nameOf({ realm: this.#realm, era }, kind, ...tokens))
    if (fact !== undefined) this.#saw(fact.position)
    return fact
  }

  /** Looks in each era more that there is. */
  async #further(kind: Kind, address: string): Promise<Fact | undefined> {
    for (let known = 0; known < this.#current;) {
      known = this.#current
      const fact = await this.#ahead(kind, [address])
      if (fact !== undefined) return fact
    }
    return undefined
  }

  /** Looks in the next era, which is there if it answers at all. */
  async #ahead(kind: Kind, tokens: readonly string[]): Promise<Fact | undefined> {
    const next = this.#current + 1
    try {
      const fact = await this.#get(next, kind, ...tokens)
      this.#current = Math.max(this.#current, next)
      return fact
    } catch (error) {
      if (error instanceof Fault && notThere.has(error.code)) return undefined
      throw error
    }
  }

  /** Waits until the next era is there. */
  async #turn({ kind, tokens }: SaidFact): Promise<void> {
    const sealed = this.#current
    for (let waitedMs = 0; waitedMs <= turningMsMax; waitedMs += turningPauseMs) {
      await this.#ahead(kind, tokens)
      if (this.#current > sealed) return
      await sleep(turningPauseMs)
    }
    throw stillSealed(sealed)
  }
}

/** No one answers for it, or this user may not ask. */
const notThere: ReadonlySet<string> = new Set(['log_unreachable', 'not_permitted'])

function stillSealed(era: number): Fault {
  const fix = 'a policy admin ends it by `warrant log rotate`, and an operator lets users in'
  return new Fault('era_sealed', `era ${era} is sealed and no next one is open: ${fix}`)
}
