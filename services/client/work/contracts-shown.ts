// Contracts as they are listed and shown: those that are open from the state, and each with its
// attempts from the facts about it.
import {
  claimBy,
  type Contracts,
  type OpenContract,
  type PastTrial,
} from '#work/contracts/contracts'
import { statesContract } from '#work/contracts/work-messages'
import { contractOrNull } from '#work/verification/contract-reading'
import { readData, readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { jsonOf, type Json } from '#record/canonical'
import { partsOf, patternsOf, type Place } from '#record/names'
import { messageOfFact } from '#messages/check'
import type { Fact, LogReader } from '#ports/log'
import type { FoldListener } from '#runtime/engine/follower'
import type { VerificationData } from '#schemas/work/facts'

/** What an open contract waits for: a claim, someone to look at one, or what is found of it. */
type ContractWaits = 'claim' | 'verifier' | 'verification'

export interface ContractListed {
  /** Its address. */
  readonly contract: string
  /** Of its message, which a claim refers to. */
  readonly message: string
  readonly position: number
  readonly openedAt: string
  readonly taskId: string
  readonly objective: string
  readonly issuer: string
  readonly worker: string
  readonly workspace: string
  /** What was found of each so far. */
  readonly attempts: readonly PastTrial[]
  readonly attemptsMax: number
  readonly waits: ContractWaits
  /** The last moment of what it waits for; null where it has none. */
  readonly until: string | null
}

/** Oldest first. */
export function contractsListed(contracts: Contracts, now: number): readonly ContractListed[] {
  return contracts.values().map((contract) => contractListed(contract, now))
}

function contractListed(contract: OpenContract, now: number): ContractListed {
  const { address, name, position, appendedAt, taskId, objective, past, maxRetries } = contract
  const { issuer, worker, workspace } = contract
  return {
    contract: address,
    message: name,
    position,
    openedAt: iso(appendedAt),
    taskId,
    objective,
    issuer,
    worker,
    workspace,
    attempts: past,
    attemptsMax: maxRetries,
    ...waitsOf(contract, now),
  }
}

function waitsOf(contract: OpenContract, now: number): Pick<ContractListed, 'waits' | 'until'> {
  const { pending, started } = contract
  if (pending.length === 0) return { waits: 'claim', until: iso(claimBy(contract)) }
  if (now > started.until) return { waits: 'verifier', until: null }
  return { waits: 'verification', until: iso(started.until) }
}

/** One that has ended. */
export interface ContractEnded extends Omit<
  ContractListed,
  'attempts' | 'attemptsMax' | 'waits' | 'until'
> {
  /** How many were looked at. */
  readonly attempts: number
  readonly ended: NonNullable<VerificationData['ended']>
  readonly endedAt: string
}

export interface EndedContracts {
  /** To be given each fact as it is folded, from the first one on. */
  readonly take: FoldListener
  /** In the order in which they ended. */
  readonly all: readonly ContractEnded[]
}

/** Notes those that end while a log is folded. */
export function endedContracts(): EndedContracts {
  const opened = new Map<string, Omit<ContractEnded, 'attempts' | 'ended' | 'endedAt'>>()
  const all: ContractEnded[] = []
  return {
    all,
    take(fact, { parts, void: why }) {
      if (parts === null || why !== null) return
      if (parts.kind === 'vlp') {
        const one = openedBy(fact, parts.address ?? '')
        if (one !== null) opened.set(one.message, one)
      }
      if (parts.kind !== 'verification') return
      const data = readData('verification', fact)
      const one = data === null ? undefined : opened.get(data.contract.name)
      if (data === null || data.ended === null || one === undefined) return
      const { ended, claim, attempt } = data
      const attempts = claim === null ? attempt - 1 : attempt
      all.push({ ...one, attempts, ended, endedAt: iso(fact.appendedAt) })
      opened.delete(one.message)
    },
  }
}

function openedBy(fact: Fact, address: string) {
  const message = messageOfFact(fact)
  if (message === null || !statesContract(message)) return null
  // Under older rules such a message counts as any other, whatever it says.
  const task = contractOrNull(message.payload?.['contract'])
  if (task === null) return null
  const { taskId, objective, workspace = '' } = task
  return {
    contract: address,
    message: fact.name,
    position: fact.position,
    openedAt: iso(fact.appendedAt),
    taskId,
    objective,
    issuer: message.sender,
    worker: message.receiver ?? '',
    workspace,
  }
}

/** One attempt: what was claimed, and what was found of it if anything was yet. */
export interface AttemptShown {
  readonly attempt: number
  /** The message of the claim; null where none came in time. */
  readonly claim: string | null
  readonly claimedAt: string | null
  /** As the worker wrote it. */
  readonly completion: Json
  readonly found: (VerificationData & FoundAt) | null
}

interface FoundAt {
  readonly fact: string
  readonly position: number
  readonly foundAt: string
}

export interface ContractShown {
  readonly contract: string
  readonly message: string
  readonly position: number
  readonly openedAt: string
  readonly issuer: string
  readonly worker: string | null
  /** `void`: it counts for nothing. */
  readonly state: 'open' | 'ended' | 'void'
  /** Where it is open: what it waits for. */
  readonly waits: ContractWaits | null
  readonly until: string | null
  /** The contract as its issuer wrote it. */
  readonly task: Json
  readonly attempts: readonly AttemptShown[]
  readonly ended: VerificationData['ended']
}

interface Asked {
  readonly log: LogReader
  readonly place: Place
  readonly contracts: Contracts
  readonly now: number
}

/** Throws a Fault `no_contract` where the log has none of that address. */
export async function contractShown(asked: Asked, address: string): Promise<ContractShown> {
  const { log, contracts, now } = asked
  const open = contracts.get(address) ?? null
  const opening = await openingOf(asked, address)
  const message = opening === undefined ? null : messageOfFact(opening)
  if (opening === undefined || message === null || !statesContract(message)) {
    throw new Fault('no_contract', `\`${address}\` is no contract of this log`)
  }
  const found = await foundOf(asked, address, opening.name)
  const past = await Promise.all(found.map((one) => attemptOf(log, one)))
  const pending = await Promise.all(
    (open?.pending ?? []).map((claim, index) =>
      attemptOf(log, { attempt: past.length + index + 1, claim: claim.name, found: null }),
    ),
  )
  const ended = found.at(-1)?.found.ended ?? null
  return {
    contract: address,
    message: opening.name,
    position: opening.position,
    openedAt: iso(opening.appendedAt),
    issuer: message.sender,
    worker: message.receiver ?? null,
    state: open === null ? (ended === null ? 'void' : 'ended') : 'open',
    ...(open === null ? { waits: null, until: null } : waitsOf(open, now)),
    task: jsonOf(message.payload?.['contract']),
    attempts: [...past, ...pending],
    ended,
  }
}

async function openingOf({ log, place }: Asked, address: string): Promise<Fact | undefined> {
  // What is no address would be no name of a fact.
  if (partsOf(`${place.realm}.${place.era}.vlp.${address}`, place)?.address !== address) {
    return undefined
  }
  const patterns = patternsOf(place, 'vlp', address)
  for await (const fact of log.read({}, patterns)) return fact
  return undefined
}

interface Found {
  readonly attempt: number
  readonly claim: string | null
  readonly found: VerificationData & FoundAt
}

/** What was found of its attempts, one after the other. What is of no such attempt is left out. */
async function foundOf(
  { log, place }: Asked,
  address: string,
  name: string,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for await (const fact of log.read({}, patternsOf(place, 'verification', address, '*'))) {
    const reading = readEvent('verification', fact)
    if (!reading.ok) continue
    const { data } = reading.event
    const { attempt, claim } = data
    if (data.contract.name !== name || attempt <= (found.at(-1)?.attempt ?? 0)) continue
    const at = { fact: fact.name, position: fact.position, foundAt: iso(fact.appendedAt) }
    found.push({ attempt, claim, found: { ...data, ...at } })
  }
  return found
}

async function attemptOf(
  log: LogReader,
  { attempt, claim, found }: Pick<Found, 'attempt' | 'claim'> & Pick<AttemptShown, 'found'>,
): Promise<AttemptShown> {
  const fact = claim === null ? undefined : await log.get(claim)
  const completion = fact === undefined ? undefined : messageOfFact(fact)?.payload?.['completion']
  return {
    attempt,
    claim,
    claimedAt: fact === undefined ? null : iso(fact.appendedAt),
    completion: completion === undefined ? null : jsonOf(completion),
    found,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
