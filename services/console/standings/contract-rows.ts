// An open contract as the console lists it.
import { claimBy, type OpenContract } from '#work/contracts/contracts'
import type { ContractRow } from '#schemas/console/standings'
import type { ConsoleOn } from '../console.ts'
import { ofCell } from '../logs.ts'

export function contractRow(on: ConsoleOn, contract: OpenContract): ContractRow {
  const { address, position, appendedAt, issuer, worker, taskId, objective } = contract
  const { workspace, past, pending, maxRetries, started } = contract
  const isClaimed = pending.length > 0
  const isLooking = isClaimed && started.until > on.runtime.clock.now()
  return {
    contract: address,
    position,
    since: instant(appendedAt),
    issuer,
    worker,
    taskId,
    objective,
    workspace,
    looked: past.length,
    pending: pending.length,
    attempts: maxRetries,
    claimBy: isClaimed ? null : instant(claimBy(contract)),
    lookingUntil: isLooking ? instant(started.until) : null,
    ...ofCell(on),
  }
}

function instant(time: number): string {
  return new Date(time).toISOString()
}
