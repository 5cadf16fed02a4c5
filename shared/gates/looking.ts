// What a verifier finds when it looks at the claimed work. Finding cannot be derived again, so
// replay takes it from the fact that recorded it.
import type { LinkWorld } from './run/link-answers.ts'
import { isContractIssuer, workspaceNamed } from '#rules/catalog/work-settings'
import type { OpenContract } from '#work/contracts/contracts'
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import { nothingLooked, type Looked } from '#state/slices/work/drafts'
import { boundedFound } from '#work/verification/bounded-found'
import { gateResult } from '#work/verification/gates'
import { readContract, type ReadContract } from '#work/verification/contract-reading'
import type { LogReader } from '#ports/log'
import type { Model } from '#ports/models'
import type { Completion } from '#schemas/work/contract'
import { WorkFound } from '#schemas/work/facts'
import { claimed, messageNamed } from '#replay/claimed-work'
import { verifyWork } from './verify-work.ts'
import type { WorkToVerify } from './work-to-verify.ts'
import type { VerifiedWork } from '#work/verification/result'

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
  // The programs of a contract are its issuer's: whom the catalog lists no more runs none.
  if (!isContractIssuer(state.catalog, contract.issuer)) {
    return { completion, sources, found: notLooked('issuer_gone') }
  }
  const workspace = workspaceNamed(state.catalog, contract.workspace)
  const claim = workspace === null ? 'workspace_gone' : placeOf(workspace, completion)
  if (typeof claim === 'string') return { completion, sources, found: notLooked(claim) }
  const verified = await verifyWork({
    ...(await contractOf(log, contract)),
    ...claim,
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

type Place = Pick<WorkToVerify, 'place' | 'expected'>

function placeOf(
  workspace: NonNullable<ReturnType<typeof workspaceNamed>>,
  { work }: Completion,
): Place | 'content_not_named' {
  if (work === undefined) return 'content_not_named'
  if ('commit' in work) {
    const { commit } = work
    if (!('repository' in workspace)) return 'content_not_named'
    return { place: { repository: workspace.repository, commit } }
  }
  if (!('folder' in workspace)) return 'content_not_named'
  return { place: { folder: workspace.folder }, expected: work }
}

function notLooked(code: string): WorkFound {
  const gates = [gateResult('files', 'inconclusive', { code })]
  return WorkFound.parse({ ...nothingLooked, gates })
}

function foundIn({ work, isolation, gates }: VerifiedWork): WorkFound {
  return boundedFound(WorkFound.parse({ work, isolation, gates }))
}
