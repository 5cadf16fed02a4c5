// What gateways have begun and not ended, and what ended without anyone knowing whether it was
// done. The like of the latter is not run again before a person has seen that.
import type { SettlementData } from '#schemas/action/settlement'
import type { Catalog } from '#rules/catalog/catalog'
import { answersFor, wordRefusal } from '#rules/catalog/duties'
import { token } from '#record/names'

/** A call that a gateway has begun. */
export interface BegunCall {
  /** Of the intent. */
  readonly address: string
  readonly agent: string
  readonly session: string | null
  readonly gateway: string
  readonly capability: string
  /** The digest of the arguments as they are run. */
  readonly executed: string
  /** The last moment at which it can still be running, in milliseconds. */
  readonly until: number
  readonly position: number
}

/** A call that may have been carried out or not. */
export interface UnsettledCall extends Pick<
  BegunCall,
  'address' | 'agent' | 'capability' | 'executed'
> {
  /** Of its outcome. */
  readonly name: string
  readonly appendedAt: number
}

/** What the state holds of them: by the address of the intent, and by what would be run again. */
export interface Executions {
  readonly running: Map<string, BegunCall>
  readonly unsettled: Map<string, UnsettledCall>
}

/** What is run again if the same agent has the same capability run with the same arguments. */
export function runKey(agent: string, capability: string, executed: string): string {
  return `${token(agent)}.${token(capability)}.${executed}`
}

/** The call of that intent whose outcome is not known; null where there is none. */
export function unsettledAt(
  { unsettled }: Pick<Executions, 'unsettled'>,
  address: string,
): UnsettledCall | null {
  for (const one of unsettled.values()) if (one.address === address) return one
  return null
}

/** Why the settlement counts for nothing: the agent’s owner or a policy admin says it, signed. */
export function settlementRefusal(
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
  name: string,
  data: SettlementData,
  { agent }: Pick<UnsettledCall, 'agent'>,
): string | null {
  return wordRefusal({ catalog, log }, name, data, (person) => {
    return answersFor(catalog, person, agent) ? null : `\`${data.by}\` may not settle it`
  })
}
