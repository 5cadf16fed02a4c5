// What the stage of verification draws up: that it begins, what was found, and that time has
// passed. All of it follows from the log and from what was found, so replay draws it up again.
import type { Completion } from '#schemas/work/contract'
import type { VerificationData, WorkFound } from '#schemas/work/facts'
import { areOneSide, isContractIssuer, standingSettings } from '#rules/catalog/work-settings'
import { claimBy, nextStart, trialOf, type OpenContract } from '#work/contracts/contracts'
import {
  endingOf,
  settledScore,
  type EndedContract,
  type ClaimTrial,
} from '#work/contracts/settled'
import type { Draft } from '#record/event'
import { nameOf, token } from '#record/names'
import { conclusionOf } from '#work/verification/gates'
import { newSequence } from '../../sequence.ts'
import type { State } from '../../state.ts'

/** Null where nothing is claimed, or where another verifier may still be at it. */
export function startDraft(
  state: State,
  address: string,
  now: number,
): Draft<'verificationstart'> | null {
  const contract = state.contracts.get(address)
  const claim = contract?.pending[0]
  if (contract === undefined || claim === undefined || state.sealed !== null) return null
  if (now <= contract.started.until) return null
  const attempt = trialOf(contract)
  const { name, digest } = contract
  const number = nextStart(contract)
  return {
    kind: 'verificationstart',
    name: nameOf(state.place, 'verificationstart', address, attempt, number),
    data: {
      contract: { address, name, digest },
      claim: claim.name,
      attempt,
      number,
      until: new Date(now + contract.mayTakeMs).toISOString(),
    },
  }
}

/** What is claimed, as its message has it, and what was found of it. */
export interface Looked {
  /** Null where it cannot be read, or where none came. */
  readonly completion: Completion | null
  /** The messages of evidence that the claim refers to. */
  readonly sources: readonly string[]
  readonly found: WorkFound
}

export const nothingLooked: WorkFound = { work: null, isolation: null, gates: [] }

/** Null where there is no such contract, or nothing to say of it yet. */
export function verificationDraft(
  state: State,
  address: string,
  { looked, now }: { readonly looked: Looked; readonly now: number },
): Draft<'verification'> | null {
  const contract = state.contracts.get(address)
  if (contract === undefined || state.sealed !== null) return null
  const claim = contract.pending[0]?.name ?? null
  if (claim === null && now < claimBy(contract)) return null
  const { completion, sources, found } = looked
  const conclusion = conclusionOf(found.gates)
  const { verification } = conclusion
  const status = completion?.status ?? null
  const trial = { claim, status, verification, completion }
  const { name, digest, issuer, worker } = contract
  const attempt = trialOf(contract)
  return {
    kind: 'verification',
    name: nameOf(state.place, 'verification', address, attempt),
    data: {
      ...found,
      ...conclusion,
      contract: { address, name, digest },
      issuer,
      worker,
      attempt,
      claim,
      status,
      sources: [...sources],
      ended: endedBy(state, contract, trial),
    },
  }
}

function endedBy(state: State, contract: OpenContract, trial: ClaimTrial): EndedContract | null {
  const how = endingOf(contract, trial)
  if (how === null) return null
  const { score, rule } = settledScore(contract, trial) ?? { score: null, rule: null }
  const unmoved = unmovedBy(state, contract, score)
  const { alpha } = standingSettings(state.catalog)
  return { how, score, rule, standing: unmoved === null ? { alpha } : { unmoved } }
}

type Unmoved = Extract<
  NonNullable<VerificationData['ended']>['standing'],
  { readonly unmoved: string }
>['unmoved']

function unmovedBy(
  { catalog }: State,
  { issuer, worker }: OpenContract,
  score: number | null,
): Unmoved | null {
  if (score === null) return 'no_claim'
  if (!isContractIssuer(catalog, issuer)) return 'issuer_not_listed'
  return areOneSide(catalog, issuer, worker) ? 'own_side' : null
}

/** For each agent that the catalog's time lets work again; none where it says no time. */
export function reinstatementDrafts(state: State, now: number): readonly Draft<'reinstatement'>[] {
  const { reinstateAfterMs: afterMs } = state.catalog.work
  if (afterMs === undefined || state.sealed !== null) return []
  return [...state.standings.values()].flatMap(({ agent, suspendedBy }) => {
    if (suspendedBy === null || now < suspendedBy.appendedAt + afterMs) return []
    return [
      {
        kind: 'reinstatement' as const,
        name: nextReinstatement(state, agent),
        data: { agent, suspendedBy: suspendedBy.name, afterMs },
      },
    ]
  })
}

/** The name that the next reinstatement of that agent would have. */
export function nextReinstatement(
  { place, reinstatements }: Pick<State, 'place' | 'reinstatements'>,
  agent: string,
): string {
  const { next } = reinstatements.get(token(agent)) ?? newSequence
  return nameOf(place, 'reinstatement', token(agent), next)
}

/**
 * When the stage must look again though no fact comes, in milliseconds; null for never. A claim is
 * left to whose job it is for `jobMs`.
 */
export function workDueAt(state: State, jobMs: number): number | null {
  let due = Infinity
  for (const contract of state.contracts.each()) {
    const [claim] = contract.pending
    const at =
      claim === undefined
        ? claimBy(contract)
        : Math.max(claim.appendedAt + jobMs, contract.started.until + 1)
    due = Math.min(due, at)
  }
  const { reinstateAfterMs: afterMs } = state.catalog.work
  if (afterMs !== undefined) {
    for (const { suspendedBy } of state.standings.values()) {
      if (suspendedBy !== null) due = Math.min(due, suspendedBy.appendedAt + afterMs)
    }
  }
  return due === Infinity ? null : due
}
