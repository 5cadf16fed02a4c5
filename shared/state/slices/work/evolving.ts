// What verified work makes of the state: messages open contracts and claim them, verifiers say that
// they have begun and what they found, and suspended agents may work again.
import type { ReinstatementData, VerificationData } from '#schemas/work/facts'
import { cellElsewhere } from '#rules/catalog/cells'
import { policyAdminRole, wordRefusal } from '#rules/catalog/duties'
import { hasRules } from '#rules/catalog/rules-version'
import {
  afterTrial,
  claimBy,
  contractsOpenMax,
  nextStart,
  notStarted,
  takesClaim,
  trialOf,
  type OpenContract,
} from '#work/contracts/contracts'
import { contractIn, mayTakeMs, type StatedContract } from '#work/contracts/contract-messages'
import {
  refersTo,
  statesCompletion,
  statesContract,
  type WorkMessage,
} from '#work/contracts/work-messages'
import { earnedLevel, withReinstated, withScore } from '#work/contracts/standings'
import { readEvent } from '#record/event'
import { token, type NameParts } from '#record/names'
import type { MessageCheck } from '#messages/check'
import { isFrom, isInSession } from '#messages/sender'
import type { VlpMessage } from '#schemas/vlp'
import type { LoggedFact } from '../../folded.ts'
import { continues, newSequence, numberOf, take } from '../../sequence.ts'
import type { State } from '../../state.ts'

/** Why the message counts for nothing as a contract or a claim; null where it is neither. */
export function evolveWorkMessage(
  state: State,
  fact: LoggedFact,
  { message }: MessageCheck,
): string | null {
  if (message === null || !hasRules(state.catalog, 'contracts')) return null
  if (statesContract(message)) return openContract(state, fact, message)
  return statesCompletion(message) ? takeClaim(state, fact, message) : null
}

function openContract(state: State, fact: LoggedFact, message: VlpMessage): string | null {
  const strange = strangeness(state, fact, message)
  if (strange !== null) return strange
  const address = fact.name.split('.').slice(3).join('.')
  // Only an earlier era can have opened it: what was found of it stays.
  if (state.contracts.has(address)) return 'a contract of this address is open'
  const stated = openable(state, message)
  if (typeof stated === 'string') return stated
  const { contract, digest, worker, workspace } = stated
  state.contracts = state.contracts.with({
    address,
    name: fact.name,
    position: fact.position,
    appendedAt: fact.appendedAt,
    issuer: message.sender,
    worker,
    taskId: contract.taskId,
    objective: contract.objective.slice(0, objectiveCharactersMax).toWellFormed(),
    digest,
    workspace,
    maxRetries: contract.maxRetries,
    claimWithinMs: contract.claimWithinSeconds * 1_000,
    mayTakeMs: mayTakeMs(contract),
    past: [],
    pending: [],
    pastAt: null,
    started: notStarted,
  })
  return null
}

/** What such a message would open; why it would count for nothing, where it would. */
export function openable(
  state: Pick<State, 'catalog' | 'place' | 'contracts' | 'standings'>,
  message: WorkMessage,
): StatedContract | string {
  const { catalog } = state
  const stated = contractIn(catalog, message)
  if (typeof stated === 'string') return stated
  const { worker } = stated
  if (cellElsewhere(catalog, state.place, worker) !== null) return 'its worker is of another cell'
  const standing = earnedLevel(catalog, state.standings.get(token(worker)))
  if (standing.level === 'suspended') return 'its worker is suspended'
  for (const [by, id] of [
    ['issuer', message.sender],
    ['worker', worker],
  ] as const) {
    const open = state.contracts.countOf(by, id)
    if (open >= contractsOpenMax) return `\`${id}\` has ${contractsOpenMax} contracts open`
  }
  return stated
}

const objectiveCharactersMax = 400

function takeClaim(state: State, fact: LoggedFact, message: VlpMessage): string | null {
  const strange = strangeness(state, fact, message)
  if (strange !== null) return strange
  const contract = claimable(state, message, fact.appendedAt)
  if (typeof contract === 'string') return contract
  const { name, position, appendedAt } = fact
  const pending = [...contract.pending, { name, position, appendedAt }]
  state.contracts = state.contracts.with({ ...contract, pending })
  return null
}

/** Which contract such a message would claim; why it would count for nothing, where it would. */
export function claimable(
  { contracts }: Pick<State, 'contracts'>,
  message: WorkMessage,
  appendedAt: number,
): OpenContract | string {
  const named = refersTo(message).flatMap((ref) => contracts.opened(ref) ?? [])
  const [contract] = named
  if (contract === undefined) return 'it names no contract that is open: each ends once'
  if (named.length > 1) return 'it names several contracts'
  if (contract.worker !== message.sender) return 'it is not from the worker of its contract'
  if (!takesClaim(contract)) return 'all attempts are claimed already'
  const isLate = contract.pending.length === 0 && appendedAt > claimBy(contract)
  return isLate ? 'it came too late' : contract
}

function strangeness(state: State, fact: LoggedFact, message: VlpMessage): string | null {
  if (!isFrom(fact.name, message, state)) return 'it is not from whom it says'
  return isInSession(fact.name, message) ? null : 'it is of another session'
}

/** That a verifier has begun, or what it found. */
export function evolveVerification(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
): string | null {
  const contract = state.contracts.get(parts.tokens.slice(0, 3).join('.'))
  if (contract === undefined) return 'no such contract is open'
  const attempt = numberOf(parts.tokens[3])
  if (attempt !== trialOf(contract)) return outOfTurn(state, contract, parts)
  return parts.kind === 'verificationstart'
    ? begun(state, fact, { contract, parts })
    : found(state, fact, contract)
}

// A name that is used before its turn is stepped over when that comes: it would stop the contract.
function outOfTurn(state: State, contract: OpenContract, { tokens }: NameParts): string {
  const numbers = tokens.slice(3).map(numberOf)
  const { used = [] } = contract
  if (!numbers.includes(null) && used.length < usedMax) {
    state.contracts = state.contracts.with({ ...contract, used: [...used, numbers.join('.')] })
  }
  return 'it is out of turn'
}

/** So many names are stepped over. */
const usedMax = 1_000

// A number is used by what counts for nothing, too: then the next may begin at once.
function begun(
  state: State,
  fact: LoggedFact,
  { contract, parts }: { readonly contract: OpenContract; readonly parts: NameParts },
): string | null {
  const { started } = contract
  const number = numberOf(parts.tokens[4])
  if (number !== nextStart(contract)) return outOfTurn(state, contract, parts)
  const reading = readEvent('verificationstart', fact)
  const until = reading.ok ? Date.parse(reading.event.data.until) : 0
  const why = reading.ok ? strayed(contract, reading.event.data) : reading.why
  const refusal = why ?? untimely(contract, until, fact.appendedAt)
  const next = { number, until: refusal === null ? until : started.until }
  state.contracts = state.contracts.with({ ...contract, started: next })
  return refusal
}

/** So far the clock of a verifier may be from that of the log. */
const clockMsMax = 10_000

function untimely(
  { started, pending, mayTakeMs: span }: OpenContract,
  until: number,
  now: number,
): string | null {
  if (until > now + span + clockMsMax) return 'it would take too long'
  const isBusy = pending.length === 0 || now <= started.until
  return isBusy ? 'another verifier has not ended' : null
}

/** Whether it is of another contract, or about another claim, than what is looked at. */
function strayed(
  { name, digest, pending }: OpenContract,
  data: Pick<VerificationData, 'contract' | 'claim'>,
): string | null {
  const isOfIt = data.contract.name === name && data.contract.digest === digest
  if (!isOfIt) return 'it is of another contract'
  return data.claim === (pending[0]?.name ?? null) ? null : 'it is about another claim'
}

function found(state: State, fact: LoggedFact, contract: OpenContract): string | null {
  const reading = readEvent('verification', fact)
  const why = reading.ok ? misfit(contract, reading.event.data, fact) : reading.why
  if (why !== null || !reading.ok) {
    // Its name is used: what is claimed counts as not shown.
    const claimed = contract.pending[0]?.name ?? null
    const trial = { claim: claimed, status: null, verification: 'unverified' } as const
    state.contracts =
      trialOf(contract) < contract.maxRetries
        ? state.contracts.with(afterTrial(contract, trial, fact.appendedAt))
        : state.contracts.without(contract.address)
    return why
  }
  const { claim, status, verification, ended } = reading.event.data
  if (ended === null) {
    const past = afterTrial(contract, { claim, status, verification }, fact.appendedAt)
    state.contracts = state.contracts.with(past)
    return null
  }
  state.contracts = state.contracts.without(contract.address)
  const { score, rule, standing } = ended
  if (score === null || rule === null || !('alpha' in standing)) return null
  const { name, position, appendedAt } = fact
  const of = {
    agent: contract.worker,
    at: { name, position, appendedAt },
  }
  state.standings = withScore(state, of, { score, rule, alpha: standing.alpha })
  return null
}

function misfit(
  contract: OpenContract,
  data: VerificationData,
  { appendedAt }: LoggedFact,
): string | null {
  const { worker, issuer, pending } = contract
  if (data.worker !== worker || data.issuer !== issuer) return 'it names other people'
  if (data.attempt !== trialOf(contract)) return 'it says another attempt'
  const why = strayed(contract, data)
  if (why !== null) return why
  const isEarly = pending.length === 0 && appendedAt < claimBy(contract) - clockMsMax
  return isEarly ? 'a claim may still come' : null
}

export function evolveReinstatement(
  state: State,
  fact: LoggedFact,
  { tokens }: NameParts,
): string | null {
  const [agent = '', last] = tokens
  const number = numberOf(last)
  if (number === null) return 'its number cannot be read'
  const sequence = state.reinstatements.get(agent) ?? newSequence
  state.reinstatements = new Map(state.reinstatements).set(agent, take(sequence, number))
  if (!continues(sequence, number)) return `reinstatement ${number} is out of turn`
  const reading = readEvent('reinstatement', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const { name, position, appendedAt } = fact
  const why = reinstatementRefusal(state, { name, appendedAt, data })
  if (why !== null) return why
  state.standings = withReinstated(state.standings, data.agent, { name, position, appendedAt })
  return null
}

/** Why it counts for nothing; null where it counts. */
export function reinstatementRefusal(
  { catalog, log, standings }: Pick<State, 'catalog' | 'log' | 'standings'>,
  {
    name,
    appendedAt,
    data,
  }: { readonly name: string; readonly appendedAt: number; readonly data: ReinstatementData },
): string | null {
  const { agent } = data
  if (token(agent) !== name.split('.')[3]) return 'it is about another agent'
  const suspendedBy = standings.get(token(agent))?.suspendedBy ?? null
  if (suspendedBy === null) return `\`${agent}\` is not suspended by its standing`
  if ('by' in data) {
    return wordRefusal({ catalog, log }, name, data, ({ id, roles }) => {
      const may = roles.includes(policyAdminRole) && id !== agent
      return may ? null : `\`${id}\` is not a policy admin`
    })
  }
  const { reinstateAfterMs } = catalog.work
  if (data.suspendedBy !== suspendedBy.name) return 'another fact suspended it'
  if (data.afterMs !== reinstateAfterMs) return 'the catalog says another time'
  const from = suspendedBy.appendedAt + reinstateAfterMs - clockMsMax
  return appendedAt < from ? 'it is too early' : null
}
