// Contracts that are open: a task that an issuer gave an agent, its claims, and what was found of
// each. One that has ended is forgotten; what it moved is in the standing of its worker.
import type { VerificationData } from '#schemas/work/facts'
import { PartedMap } from './parted-map.ts'

/** A claim that no verification has ended. */
export interface PendingClaim {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
}

export interface PastTrial {
  readonly claim: string | null
  readonly status: VerificationData['status']
  readonly verification: VerificationData['verification']
}

export interface OpenContract {
  readonly address: string
  /** Of its message. */
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly issuer: string
  readonly worker: string
  readonly taskId: string
  readonly objective: string
  readonly digest: string
  readonly workspace: string
  readonly maxRetries: number
  readonly claimWithinMs: number
  /** How long a verification of it may take. */
  readonly mayTakeMs: number
  readonly past: readonly PastTrial[]
  /** In log order: the first is looked at. */
  readonly pending: readonly PendingClaim[]
  /** When the latest of `past` was appended. */
  readonly pastAt: number | null
  /** Of the attempt that is looked at: how often someone has begun, and until when it may take. */
  readonly started: { readonly number: number; readonly until: number }
  /** Attempts, and starts of them as `2.1`, whose names someone has used before their turn. */
  readonly used?: readonly string[]
}

type Party = 'issuer' | 'worker'

/** By their addresses; replaced, and never changed in place. */
export class Contracts {
  static readonly none = new Contracts(PartedMap.empty(), PartedMap.empty())
  readonly #open: PartedMap<OpenContract>
  /** How many each has. */
  readonly #counts: PartedMap<number>

  private constructor(open: PartedMap<OpenContract>, counts: PartedMap<number>) {
    this.#open = open
    this.#counts = counts
  }

  get size(): number {
    return this.#open.size
  }

  get(address: string): OpenContract | undefined {
    return this.#open.get(address)
  }

  has(address: string): boolean {
    return this.#open.has(address)
  }

  /** The one that this message opened. */
  opened(name: string): OpenContract | undefined {
    const contract = this.get(name.split('.').slice(3).join('.'))
    return contract?.name === name ? contract : undefined
  }

  /** In no order that means anything. */
  each(): Iterable<OpenContract> {
    return this.#open.values()
  }

  /** Oldest first. */
  values(): readonly OpenContract[] {
    return [...this.#open.values()].toSorted((one, other) => one.position - other.position)
  }

  countOf(party: Party, id: string): number {
    return this.#counts.get(`${party} ${id}`) ?? 0
  }

  with(contract: OpenContract): Contracts {
    const { address } = contract
    // Whose it is does not change while it is open.
    const counts = this.#open.has(address) ? this.#counts : this.#counted(contract, 1)
    return new Contracts(this.#open.with(address, contract), counts)
  }

  without(address: string): Contracts {
    const { size } = this
    const open = this.#open.without(address)
    if (open.size === size) return this
    return new Contracts(open, this.#counted(this.get(address), -1))
  }

  #counted(contract: OpenContract | undefined, by: number): PartedMap<number> {
    let counts = this.#counts
    if (contract === undefined) return counts
    for (const party of ['issuer', 'worker'] as const) {
      const key = `${party} ${contract[party]}`
      const count = (counts.get(key) ?? 0) + by
      counts = count === 0 ? counts.without(key) : counts.with(key, count)
    }
    return counts
  }
}

/** So many contracts of one issuer, or for one worker, may be open. */
export const contractsOpenMax = 256

export const notStarted: OpenContract['started'] = { number: 0, until: 0 }

/** The number of the attempt that is looked at next. */
export function trialOf({ past }: Pick<OpenContract, 'past'>): number {
  return past.length + 1
}

/** Until when a claim must come, while none is there. */
export function claimBy({ appendedAt, pastAt, claimWithinMs }: OpenContract): number {
  return (pastAt ?? appendedAt) + claimWithinMs
}

/** Whether one more claim is taken. */
export function takesClaim({ past, pending, maxRetries }: OpenContract): boolean {
  return past.length + pending.length < maxRetries
}

/** After what is looked at was found to be this, and another attempt may follow. */
export function afterTrial(contract: OpenContract, trial: PastTrial, at: number): OpenContract {
  const { pending, used = [] } = contract
  const past = [...contract.past, trial]
  // An attempt whose name is used already can be looked at by no one: no claim is taken for it.
  while (used.includes(String(past.length + 1))) past.push(notTried)
  return { ...contract, past, pending: pending.slice(1), pastAt: at, started: notStarted }
}

const notTried: PastTrial = { claim: null, status: null, verification: 'unverified' }

/** Of the attempt that is looked at, the next start whose name is free. */
export function nextStart(contract: OpenContract): number {
  const { started, used = [] } = contract
  const attempt = trialOf(contract)
  let next = started.number + 1
  while (used.includes(`${attempt}.${next}`)) next += 1
  return next
}
