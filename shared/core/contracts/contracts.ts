// Contracts that are open: a task that an issuer gave an agent, its claims, and what was found of
// each. One that has ended is forgotten; what it moved is in the standing of its worker.
import type { VerificationData } from '#schemas/work/facts'

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
}

/** By their addresses; replaced, and never changed in place. */
export type Contracts = ReadonlyMap<string, OpenContract>

export const noContracts: Contracts = new Map()

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

export function withContract(contracts: Contracts, contract: OpenContract): Contracts {
  return new Map(contracts).set(contract.address, contract)
}

export function withoutContract(contracts: Contracts, address: string): Contracts {
  const left = new Map(contracts)
  left.delete(address)
  return left
}

/** After what is looked at was found to be this, and another attempt may follow. */
export function afterTrial(contract: OpenContract, trial: PastTrial, at: number): OpenContract {
  return {
    ...contract,
    past: [...contract.past, trial],
    pending: contract.pending.slice(1),
    pastAt: at,
    started: notStarted,
  }
}
