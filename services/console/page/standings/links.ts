// Links to an agent's standing and to a contract: each view, and each step of it, is a link. And
// which facts change what these views show.
import { linkTo } from '../shell/address.ts'
import type { LogEvent } from '../shell/live.ts'

const workKinds = new Set(['vlp', 'verificationstart', 'verification', 'reinstatement', 'catalog'])

/** Whether it may change a standing or a contract: nothing else is a reason to read them again. */
export function isOfWork(event: LogEvent | null): boolean {
  return event === null || workKinds.has(event.kind)
}

/** `at` names the step that is marked, by its position. */
export function linkToStanding(agent: string, at?: string): string {
  return linkTo(['operating', 'standings', agent], at === undefined ? {} : { at })
}

/** Shows the latest attempt, unless another is named. */
export function linkToContract(contract: string, attempt?: number): string {
  const query = attempt === undefined ? {} : { attempt: String(attempt) }
  return linkTo(['operating', 'contracts', contract], query)
}
