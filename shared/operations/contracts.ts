// Contracts as they are listed and shown: those that are open from the state, those that have ended
// and the attempts of each from the facts about it.
import { claimBy, type OpenContract } from '#work/contracts/contracts'
import { statesContract } from '#work/contracts/work-messages'
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { jsonOf, type Json } from '#record/canonical'
import { partsOf, patternsOf } from '#record/names'
import { messageOfFact } from '#messages/check'
import { contractOrNull } from '#work/verification/contract-reading'
import type { Fact } from '#ports/log'
import { utc } from '#present/wording'
import { weighingFold } from '#replay/verdicts/forged'
import {
  contractAsked,
  contractsAsked,
  type AttemptShown,
  type ContractRow,
  type ContractAwaits,
} from '#schemas/operations/contracts'
import type { VerificationData } from '#schemas/work/facts'
import { answersOf, listShown, type RealmAsked, type Columns } from './answering.ts'
import { contractOnScreen, contractWaitsText } from './contract-lines.ts'
import { answeredNow, instant, ofLog, pageByTime, type PlacedRow, type RealmLog } from './realm.ts'

interface Meant extends PlacedRow {
  readonly row: ContractRow
}

export const contractsAnswered = answersOf(contractsAsked, {
  async answer({ realm, by }, given) {
    const isEnded = given.state === 'ended'
    const each = await Promise.all(
      realm.logs.map(async (at) => (isEnded ? await endedIn(at) : openIn(at, realm.now))),
    )
    const meant = each.flat().filter(({ row }) => {
      return isPartyTo(row, by) && (given.worker === undefined || row.worker === given.worker)
    })
    return pageByTime(realm, meant, { ...given, newestFirst: isEnded }, ({ row }) => row)
  },
  shown: (page) => listShown(columns, page),
})

const columns: Columns<ContractRow> = {
  empty: 'there is no such contract',
  columns: [
    ['contract', ({ contract }) => contract],
    ['task', ({ taskId }) => taskId],
    ['issuer', ({ issuer }) => issuer],
    ['worker', ({ worker }) => worker],
    ['attempts', ({ looked, attemptsMax }) => `${looked} of ${attemptsMax}`],
    ['waits for', ({ waits }) => (waits === null ? '' : contractWaitsText(waits))],
    ['until', ({ until }) => (until === null ? '' : utc(until))],
    ['ended', ({ ended }) => ended?.how ?? ''],
    ['score', ({ ended }) => (ended === null ? '' : String(ended.score ?? ''))],
    ['at', ({ endedAt }) => (endedAt === null ? '' : utc(endedAt))],
  ],
}

export const contractAnswered = answersOf(contractAsked, {
  async answer({ realm, by }, { contract: address }) {
    for (const at of realm.logs) {
      const opening = await contractOpened(at, address)
      if (opening === null || !isPartyTo(opening, by)) continue
      const shown = await contractOf(at, { address, opening, now: realm.now })
      return { ...answeredNow(realm), contract: shown }
    }
    throw new Fault('no_contract', `there is no contract \`${address}\``)
  },
  shown: (answer) => contractOnScreen(answer.contract),
})

type Parties = { readonly issuer: string; readonly worker: string | null }

/** What is not the business of who asks is not there. */
export function isPartyTo(
  { issuer, worker }: Parties,
  { principal, readsAll }: RealmAsked['by'],
): boolean {
  return readsAll || issuer === principal || worker === principal
}

/** The open contracts of one log. */
export function openIn(at: RealmLog, now: number): readonly Meant[] {
  return at.state.contracts.values().map((one) => {
    const { position, appendedAt } = one
    return { at, position, appendedAt, row: openRow(at, one, now) }
  })
}

function openRow(at: RealmLog, open: OpenContract, now: number): ContractRow {
  const { address, name, position, appendedAt, taskId, objective, past, maxRetries } = open
  const { issuer, worker, workspace, pending } = open
  return {
    contract: address,
    message: name,
    position,
    openedAt: instant(appendedAt),
    issuer,
    worker,
    taskId,
    objective,
    workspace,
    state: 'open',
    looked: past.length,
    pending: pending.length,
    attemptsMax: maxRetries,
    ...waitsOf(open, now),
    ended: null,
    endedAt: null,
    ...ofLog(at),
  }
}

interface Waiting {
  readonly waits: ContractAwaits
  readonly until: string | null
}

function waitsOf(open: OpenContract, now: number): Waiting {
  const { pending, started } = open
  if (pending.length === 0) return { waits: 'claim', until: instant(claimBy(open)) }
  if (now > started.until) return { waits: 'verifier', until: null }
  return { waits: 'verification', until: instant(started.until) }
}

interface Ending {
  readonly fact: Fact
  readonly data: VerificationData
}

/** Those that have ended, each by the fact that ended it. */
async function endedIn(at: RealmLog): Promise<readonly Meant[]> {
  const { log, state } = at
  const endings: Ending[] = []
  for await (const fact of log.read({}, patternsOf(state.place, 'verification'))) {
    const reading = readEvent('verification', fact)
    if (!reading.ok || reading.event.data.ended === null) continue
    const { data } = reading.event
    // Of one that is open still it counts for nothing.
    if (state.contracts.get(data.contract.address) === undefined) endings.push({ fact, data })
  }
  const counted = await countedAmong(at, endings)
  const rows = counted.map(async ({ fact, data }): Promise<readonly Meant[]> => {
    const row = await endedRow(at, fact, data)
    const { position, appendedAt } = fact
    return row === null ? [] : [{ at, position, appendedAt, row }]
  })
  return (await Promise.all(rows)).flat()
}

/** Anyone who can write a log can write what it then counts for nothing: folding says which. */
async function countedAmong(
  { log, state }: RealmLog,
  endings: readonly Ending[],
): Promise<readonly Ending[]> {
  const to = endings.at(-1)?.fact.position
  if (to === undefined) return []
  const folding = await weighingFold(log, state.place, null)
  const meant = new Map(endings.map((one) => [one.fact.position, one]))
  const counted: Ending[] = []
  for await (const fact of log.read({ from: folding.state.position + 1, to })) {
    const { void: why } = folding.fold(fact)
    const one = meant.get(fact.position)
    if (one !== undefined && why === null) counted.push(one)
  }
  return counted
}

async function endedRow(
  at: RealmLog,
  fact: Fact,
  { contract: { address, name }, claim, attempt, ended }: VerificationData,
): Promise<ContractRow | null> {
  const opening = await contractOpened(at, address)
  if (opening === null || opening.fact.name !== name) return null
  // Under older rules such a message counts as any other, whatever it says.
  const task = contractOrNull(opening.terms)
  if (task === null || opening.worker === null) return null
  const { taskId, objective, workspace = '', maxRetries } = task
  return {
    contract: address,
    message: name,
    position: opening.fact.position,
    openedAt: instant(opening.fact.appendedAt),
    issuer: opening.issuer,
    worker: opening.worker,
    taskId,
    objective,
    workspace,
    state: 'ended',
    looked: claim === null ? attempt - 1 : attempt,
    pending: 0,
    attemptsMax: maxRetries,
    waits: null,
    until: null,
    ended,
    endedAt: instant(fact.appendedAt),
    ...ofLog(at),
  }
}

interface Opening {
  readonly fact: Fact
  readonly issuer: string
  readonly worker: string | null
  /** As its issuer wrote it. */
  readonly terms: Json
}

/** Null where the log has no contract of that address. */
export async function contractOpened(
  { log, state }: Pick<RealmLog, 'log' | 'state'>,
  address: string,
): Promise<Opening | null> {
  const { place } = state
  // What is no address would be no name of a fact.
  if (partsOf(`${place.realm}.${place.era}.vlp.${address}`, place)?.address !== address) return null
  for await (const fact of log.read({}, patternsOf(place, 'vlp', address))) {
    const message = messageOfFact(fact)
    if (message === null || !statesContract(message)) return null
    return {
      fact,
      issuer: message.sender,
      worker: message.receiver ?? null,
      terms: jsonOf(message.payload?.['contract']),
    }
  }
  return null
}

interface ContractMeant {
  readonly address: string
  readonly opening: Opening
  readonly now: number
}

async function contractOf(at: RealmLog, { address, opening, now }: ContractMeant) {
  const { fact, issuer, worker, terms } = opening
  const open = at.state.contracts.get(address)
  const past = await foundOf(at, address, fact.name)
  const pending = (open?.pending ?? []).map(({ name }, index) => {
    return { attempt: past.length + index + 1, claim: name, found: null }
  })
  const attempts = await Promise.all([...past, ...pending].map((one) => attemptOf(at, one)))
  const last = past.at(-1)?.found ?? null
  const task = contractOrNull(terms)
  const ended = open === undefined ? (last?.ended ?? null) : null
  return {
    contract: address,
    message: fact.name,
    position: fact.position,
    openedAt: instant(fact.appendedAt),
    issuer,
    worker,
    state: open !== undefined ? 'open' : ended === null ? 'void' : 'ended',
    ...(open === undefined ? { waits: null, until: null } : waitsOf(open, now)),
    ended,
    attemptsMax: task?.maxRetries ?? null,
    terms,
    task: task && shortTask(task),
    attempts,
    ...ofLog(at),
  } as const
}

function shortTask(task: NonNullable<ReturnType<typeof contractOrNull>>) {
  const { taskId, objective, acceptanceCriteria, constraints, requiredFiles } = task
  const { runTests, document, workspace, maxRetries } = task
  return {
    taskId,
    objective,
    acceptanceCriteria,
    constraints,
    requiredFiles,
    ...(runTests !== undefined && { runTests }),
    ...(document !== undefined && { document }),
    ...(workspace !== undefined && { workspace }),
    maxRetries,
  }
}

type Found = Pick<AttemptShown, 'attempt' | 'claim' | 'found'>

/** What was found of its attempts, one after the other. What is of no such attempt is left out. */
async function foundOf(
  { log, state }: RealmLog,
  address: string,
  name: string,
): Promise<readonly Found[]> {
  const all: Found[] = []
  const patterns = patternsOf(state.place, 'verification', address, '*')
  for await (const fact of log.read({}, patterns)) {
    const reading = readEvent('verification', fact)
    if (!reading.ok) continue
    const { data } = reading.event
    const { attempt, claim } = data
    if (data.contract.name !== name || attempt <= (all.at(-1)?.attempt ?? 0)) continue
    const at = { fact: fact.name, position: fact.position, foundAt: instant(fact.appendedAt) }
    all.push({ attempt, claim, found: { ...data, ...at } })
  }
  return all
}

async function attemptOf({ log }: RealmLog, one: Found): Promise<AttemptShown> {
  const fact = one.claim === null ? undefined : await log.get(one.claim)
  const completion = fact === undefined ? undefined : messageOfFact(fact)?.payload?.['completion']
  return {
    ...one,
    claimedAt: fact === undefined ? null : instant(fact.appendedAt),
    completion: completion === undefined ? null : jsonOf(completion),
  }
}
