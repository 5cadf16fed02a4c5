// The messages that contracts and claims are: what of a message is one, and what it says. From
// issuers and workers: may be anything.
import { Completion, type TaskContract } from '#schemas/work/contract'
import type { VlpMessage } from '#schemas/vlp'
import type { Catalog } from '#rules/catalog/catalog'
import { isContractIssuer, areOneSide, workspaceNamed } from '#rules/catalog/work-settings'
import { Fault } from '#record/fault'
import type { WorkMessage } from './work-messages.ts'
import { unreadable } from '#record/problem'
import { readContract } from '../verification/contract-reading.ts'

export interface StatedContract {
  readonly contract: TaskContract
  readonly digest: string
  readonly worker: string
  readonly workspace: string
}

/** What the contract says, or why it does not count. */
export function contractIn(catalog: Catalog, message: WorkMessage): StatedContract | string {
  const { sender: issuer, receiver: worker = null, payload } = message
  if (!isContractIssuer(catalog, issuer)) {
    return `the catalog does not list \`${issuer}\` in \`work.issuers\``
  }
  if (worker === null) return 'it names no receiver, who would be its worker'
  if (catalog.principals.get(worker)?.suspended !== false) {
    return `the catalog has no active \`${worker}\``
  }
  if (areOneSide(catalog, issuer, worker)) return 'its issuer is of the side of its worker'
  try {
    const { contract, digest } = readContract(payload?.['contract'])
    const { workspace } = contract
    if (workspace === undefined)
      return 'it names no workspace: give one of `work.workspaces` in the catalog'
    return workspaceNamed(catalog, workspace) === null
      ? `the catalog has no workspace \`${workspace}\` in \`work.workspaces\``
      : { contract, digest, worker, workspace }
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** What the worker reports; null where it cannot be read, or is about another task. */
export function completionIn(message: VlpMessage, taskId: string): Completion | null {
  const value = message.payload?.['completion']
  if (unreadable(value) !== null) return null
  const parsed = Completion.safeParse(value)
  if (!parsed.success) return null
  return (parsed.data.taskId ?? taskId) === taskId ? parsed.data : null
}

/** Copies and the council take time beside what each gate may. */
const asideMs = 120_000
const councilSeatMs = 60_000

/** How long a verification may take before another verifier begins. */
export function mayTakeMs(contract: TaskContract): number {
  const { timeoutSeconds, verificationMode, councilSize, runLint } = contract
  const programs = runLint === true ? 5 : 3
  const seats = verificationMode === 'council' ? councilSize : 0
  return timeoutSeconds * 1_000 * programs + seats * councilSeatMs + asideMs
}
