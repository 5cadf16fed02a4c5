// Contracts that are open, and one contract with its attempts. What has ended is no more in the
// state, so its facts are read by their names; nothing is folded for it.
import type { Hono } from 'hono'
import { canonical, jsonOf } from '#record/canonical'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { unreadable } from '#record/problem'
import { messageOfFact } from '#messages/check'
import { contractOrNull } from '#work/verification/contract-reading'
import type { Fact } from '#ports/log'
import { factAbout } from '#runtime/engine/binding'
import type { VerificationData } from '#schemas/work/facts'
import {
  ContractQuery,
  ContractsQuery,
  type ContractAnswer,
  type ContractsAnswer,
} from '#schemas/console/standings'
import type { VlpMessage } from '#schemas/vlp'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { ofCell, positionsAmong, positionsNamed, positionsNow } from '../logs.ts'
import { isAddress } from '../reviews/found-review.ts'
import { addFor, queryAsked } from '../routed.ts'
import { contractRow } from './contract-rows.ts'

const listCost = 5
/** Each attempt is read by its name. */
const contractCost = 10
/** What a worker reports is shown up to so many characters. */
const reportCharactersMax = 20_000

export function addContracts(app: Hono, served: ConsoleOn): void {
  addFor(
    app,
    served,
    'contracts',
    ({ c, on }) => c.json(contractsOpen(on, queryAsked(c, ContractsQuery))),
    listCost,
  )
  addFor(
    app,
    served,
    'contract',
    async ({ c, on }) => {
      const { attempt } = queryAsked(c, ContractQuery)
      return c.json(await contractAsked(on, c.req.param('contract') ?? '', attempt))
    },
    contractCost,
  )
}

function contractsOpen(
  on: ConsoleOn,
  { worker: whose, after, limit }: z.output<typeof ContractsQuery>,
): ContractsAnswer {
  const meant = on.logs.flatMap((at) => {
    const open = [...at.runtime.follower.state.contracts.values()]
    return open
      .filter(({ worker }) => whose === undefined || worker === whose)
      .map((contract) => ({ at, contract }))
  })
  const said = after === undefined ? null : positionsNamed(after)
  const shown = new Map(on.logs.map((at) => [at, said?.(at) ?? 0]))
  const rest = meant
    .filter(({ at, contract }) => contract.position > (shown.get(at) ?? 0))
    .toSorted((one, other) => one.contract.appendedAt - other.contract.appendedAt)
  const page = rest.slice(0, limit)
  for (const { at, contract } of page) shown.set(at, contract.position)
  return {
    position: positionsNow(on),
    now: new Date(on.runtime.clock.now()).toISOString(),
    count: meant.length,
    contracts: page.map(({ at, contract }) => contractRow(at, contract)),
    next: rest.length > page.length ? positionsAmong(on.logs, (at) => shown.get(at) ?? 0) : null,
  }
}

async function contractAsked(
  served: ConsoleOn,
  address: string,
  wanted: number | undefined,
): Promise<ContractAnswer> {
  const { on, fact, message } = await contractMessage(served, address)
  const { clock, follower } = on.runtime
  const open = follower.state.contracts.get(address)
  const attempts = await attemptsOf(on, { address, name: fact.name })
  const { position, name, appendedAt } = fact
  const attempt = wanted ?? attempts.at(-1)?.attempt
  return {
    contract: address,
    position,
    name,
    appendedAt: new Date(appendedAt).toISOString(),
    now: new Date(clock.now()).toISOString(),
    issuer: message.sender,
    worker: message.receiver ?? null,
    task: taskIn(message.payload?.['contract']),
    open: open === undefined ? null : contractRow(on, open),
    attempts: attempts.map((one) => ({
      attempt: one.attempt,
      name: one.fact.name,
      position: one.fact.position,
      appendedAt: new Date(one.fact.appendedAt).toISOString(),
      found: one.data && briefOf(one.data),
    })),
    shown: await shownOf(on, attempts.find((one) => one.attempt === attempt)?.data ?? null),
    ...ofCell(on),
  }
}

interface ContractMessage {
  readonly on: ConsoleOn
  readonly fact: Fact
  readonly message: VlpMessage
}

/** From the first log that has it. */
async function contractMessage({ logs }: ConsoleOn, address: string): Promise<ContractMessage> {
  for (const on of logs) {
    const { runtime } = on
    if (!isAddress(runtime.follower.state.place, address)) break
    const fact = await factAbout(runtime, 'vlp', address)
    const message = fact === undefined ? null : messageOfFact(fact)
    if (fact === undefined || message?.payload?.['contract'] === undefined) continue
    return { on, fact, message }
  }
  throw new Fault('no_intent', 'the log has no contract of that address')
}

function taskIn(value: unknown): ContractAnswer['task'] {
  const contract = contractOrNull(value)
  if (contract === null) return null
  const { taskId, objective, acceptanceCriteria, constraints, requiredFiles } = contract
  const { runTests, document, workspace, maxRetries } = contract
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

interface Attempt {
  readonly attempt: number
  readonly fact: Fact
  /** Null where it does not fit its contract. */
  readonly data: VerificationData | null
}

/** Their numbers have no gap. */
async function attemptsOf(
  { runtime }: ConsoleOn,
  of: { readonly address: string; readonly name: string },
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = []
  for (;;) {
    const attempt = attempts.length + 1
    const fact = await factAbout(runtime, 'verification', `${of.address}.${attempt}`)
    if (fact === undefined) return attempts
    const data = readData('verification', fact)
    const isOfIt = data?.contract.name === of.name && data.attempt === attempt
    attempts.push({ attempt, fact, data: isOfIt ? data : null })
  }
}

function briefOf({ claim, status, verification, gateFailed, ended }: VerificationData) {
  return { claim, status, verification, gateFailed, ended }
}

async function shownOf(
  { runtime }: ConsoleOn,
  data: VerificationData | null,
): Promise<ContractAnswer['shown']> {
  if (data === null) return null
  const { attempt, claim, sources, work, isolation, gates } = data
  const fact = claim === null ? undefined : await runtime.log.get(claim)
  const report = fact === undefined ? null : messageOfFact(fact)?.payload?.['completion']
  return { attempt, found: { work, isolation, gates }, sources, report: shortReport(report) }
}

/** Null where there is none, or more than is shown. */
function shortReport(report: unknown): unknown {
  if (report === undefined || report === null || unreadable(report) !== null) return null
  const json = jsonOf(report)
  return canonical(json).length > reportCharactersMax ? null : json
}
