// Reads a task contract and a worker's claim. A contract that cannot be read is a fault, since its
// issuer wrote it; a claim that cannot be read is a finding, since a worker did.
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { namingKeys } from '#record/naming-keys'
import { firstProblem, unreadable } from '#record/problem'
import { TaskClaim, TaskContract } from '#schemas/work/contract'

export interface ReadContract {
  readonly contract: TaskContract
  /** Of the canonical text of what was written. */
  readonly digest: string
}

/** Throws a `Fault` that says what is wrong, and where. */
export function readContract(value: unknown): ReadContract {
  const problem = unreadable(value)
  if (problem !== null) throw new Fault('contract_invalid', problem.message)
  const parsed = TaskContract.safeParse(value, namingKeys)
  if (!parsed.success) {
    const { at, message } = firstProblem(parsed.error.issues)
    throw new Fault('contract_invalid', at === '' ? message : `${at}: ${message}`)
  }
  return { contract: parsed.data, digest: digestOfJson(jsonOf(value)) }
}

/** The same of what need not be one; null where it is not. */
export function contractOrNull(value: unknown): TaskContract | null {
  try {
    return readContract(value).contract
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/** Null where it is no claim, or one about another task. */
export function readClaim(value: unknown, { taskId }: TaskContract): TaskClaim | null {
  if (unreadable(value) !== null) return null
  const parsed = TaskClaim.safeParse(value)
  if (!parsed.success) return null
  return (parsed.data.taskId ?? taskId) === taskId ? parsed.data : null
}
