// What a claim says, read from the log, and what a verifier finds when it looks at the claimed
// work. Finding cannot be derived again, so replay takes it from the fact that recorded it.
import type { LinkWorld } from '#adapters/work/link-answers'
import { workspaceNamed } from '#core/catalog/work/work-settings'
import type { OpenContract } from '#core/contracts/contracts'
import { completionIn, refersTo } from '#core/contracts/contract-messages'
import { Fault } from '#core/kernel/fault'
import { isMessage, partsInRealm } from '#core/kernel/names'
import { checkBytes } from '#core/messages/check'
import type { State } from '#core/state/state'
import { nothingLooked, type Looked } from '#core/state/work/drafts'
import { boundedFound } from '#core/work/verification/bounded-found'
import { gateResult } from '#core/work/verification/gates'
import { readContract, type ReadContract } from '#core/work/verification/contract-reading'
import type { LogReader } from '#ports/log'
import type { Model } from '#ports/models'
import type { ClaimedWork, Completion } from '#schemas/work/contract'
import { WorkFound } from '#schemas/work/facts'
import type { VlpMessage } from '#schemas/vlp'
import { verifyWork } from './verify-work.ts'
import type { VerifiedWork } from '#core/work/verification/result'

/** Of evidence, so many messages are named. */
const sourcesMax = 32

/** What the first pending claim reports, and the evidence that it cites. */
export async function claimed(
  log: LogReader,
  { place }: Pick<State, 'place'>,
  { pending, taskId }: OpenContract,
): Promise<Pick<Looked, 'completion' | 'sources'>> {
  const [claim] = pending
  const message = claim === undefined ? null : await messageNamed(log, claim.name)
  if (claim === undefined || message === null) return { completion: null, sources: [] }
  const sources: string[] = []
  for (const name of refersTo(message).slice(0, sourcesMax)) {
    if (!isMessage(partsInRealm(name, place.realm))) continue
    const fact = await log.get(name)
    if (fact === undefined || fact.position >= claim.position) continue
    const cited = checkBytes(fact.bytes, noneKnown).message
    if (cited?.type === 'evidence') sources.push(name)
  }
  return { completion: completionIn(message, taskId), sources }
}

const noneKnown = { knownConstraints: [] }

async function messageNamed(log: LogReader, name: string): Promise<VlpMessage | null> {
  const fact = await log.get(name)
  return fact === undefined ? null : checkBytes(fact.bytes, noneKnown).message
}

/** The contract as its message has it. Throws a Fault where the log has it no more. */
async function contractOf(log: LogReader, { name }: OpenContract): Promise<ReadContract> {
  const message = await messageNamed(log, name)
  if (message === null) throw new Fault('contract_invalid', `\`${name}\` is not in the log`)
  return readContract(message.payload?.['contract'])
}

export interface LookingFor {
  readonly log: LogReader
  readonly state: State
  readonly model: Model | null
  /** Where links are asked if the catalog lets them be. */
  readonly world?: LinkWorld
}

/** Looks at the work of the first pending claim. What no worker can help is thrown. */
export async function lookAt(of: LookingFor, contract: OpenContract): Promise<Looked> {
  const { log, state } = of
  const { work } = state.catalog
  const { completion, sources } = await claimed(log, state, contract)
  if (completion?.status !== 'success') return { completion, sources, found: nothingLooked }
  const workspace = workspaceNamed(state.catalog, contract.workspace)
  const place = workspace === null ? 'workspace_gone' : placeOf(workspace, completion)
  if (typeof place === 'string') return { completion, sources, found: notLooked(place) }
  const verified = await verifyWork({
    ...(await contractOf(log, contract)),
    ...place,
    reported: { claim: completion, retries: contract.past.length },
    readable: workspace?.readable ?? [],
    acceptsProcess: work.isolation === 'process',
    online: work.online === true ? (of.world ?? {}) : null,
    model: of.model,
  })
  return { completion, sources, found: foundIn(verified) }
}

/** The same of work that no verifier could look at. */
export async function notLookedAt(of: LookingFor, contract: OpenContract): Promise<Looked> {
  const gates = [gateResult('files', 'error', { code: 'verifier_failed' })]
  const found = WorkFound.parse({ ...nothingLooked, gates })
  return { ...(await claimed(of.log, of.state, contract)), found }
}

type Place = { readonly folder: string; readonly expected: ClaimedWork }

function placeOf(
  workspace: NonNullable<ReturnType<typeof workspaceNamed>>,
  { work }: Completion,
): Place | 'content_not_named' {
  const isRepository = 'repository' in workspace
  const isNamed = work !== undefined && 'commit' in work === isRepository
  if (!isNamed) return 'content_not_named'
  return { folder: isRepository ? workspace.repository : workspace.folder, expected: work }
}

function notLooked(code: string): WorkFound {
  const gates = [gateResult('files', 'inconclusive', { code })]
  return WorkFound.parse({ ...nothingLooked, gates })
}

function foundIn({ work, isolation, gates }: VerifiedWork): WorkFound {
  return boundedFound(WorkFound.parse({ work, isolation, gates }))
}
