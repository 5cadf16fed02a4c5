// What an intent would take of the budgets, and what is used of each, as of one position.
import type { Budget } from '#schemas/budgets/budget'
import type { Capability } from '#schemas/catalog'
import type { Intent } from '#schemas/intent'
import type { IntentRef } from '#schemas/values'
import { keyToken, readBudget, type BudgetFault } from '#rules/budgets/reading'
import type { Catalog } from '#rules/catalog/catalog'
import { topmostOwner } from '#rules/catalog/confirmers'
import { token } from '#record/names'
import { keyUsesIn, usesOfAgentMax, waitForAgent } from '#state/slices/budgets/budgets'
import type { KeyUses } from '#state/slices/budgets/budgets'
import type { State } from '#state/state'
import { callInput, type ReadCall } from '../scene/call-input.ts'

/** What a call takes of one budget for one key, or why that is not known. */
export type AskedBudget =
  | { readonly budget: Budget; readonly fault: BudgetFault }
  | {
      readonly budget: Budget
      /** Null where it is added up for all together. */
      readonly key: string | null
      /** In the smallest parts; never 0. */
      readonly amount: bigint
      readonly uses: KeyUses
      /** How long until the agent may hold one more of the uses that are kept; 0 for now. */
      readonly agentWaitMs: number
    }

/** So many uses a call may take of all budgets together: each is a fact. */
export const usesOfCallMax = 64

const none: readonly AskedBudget[] = []

/** What is asked of each budget, in the order of the catalog. */
export interface BudgetCall {
  readonly catalog: Catalog
  readonly capability: Capability
  readonly request: ReadCall['request']
  readonly agent: string
  readonly session: string | null
  readonly now: number
}

/** By the state; nothing for a request that cannot be read, which is refused for that. */
export function askedBudgets(
  state: Pick<State, 'catalog' | 'budgets' | 'appendedAt'>,
  ref: IntentRef,
  request: Intent | null,
): readonly AskedBudget[] {
  const { catalog, budgets, appendedAt: now } = state
  if (catalog.budgets.length === 0 || request === null) return none
  const capability = catalog.capabilities.get(request.tool)
  if (capability === undefined) return none
  const { agent, session } = ref
  const present = catalog.now === null ? now : Date.parse(catalog.now)
  const call = { catalog, capability, request, agent, session, now: present }
  const self = token(agent)
  return readBudgets(call).map((one): AskedBudget => {
    if ('fault' in one) return one
    const { budget, key, amount } = one
    const name = token(budget.name)
    const uses = keyUsesIn(budgets, { budget: name, key: keyToken(key) })
    const of = budgets.get(name)
    const isFull = (of?.byAgent.get(self) ?? 0) >= usesOfAgentMax
    const agentWaitMs =
      of !== undefined && isFull ? waitForAgent(of, self, budget.windowMs, now) : 0
    return { budget, key, amount, uses, agentWaitMs }
  })
}

/** What a call takes, or why that is not known, whatever is used. */
export type ReadBudgetCall =
  | { readonly budget: Budget; readonly fault: BudgetFault }
  | { readonly budget: Budget; readonly key: string | null; readonly amount: bigint }

export function readBudgets(call: BudgetCall): readonly ReadBudgetCall[] {
  const { catalog, capability, request, agent, session, now } = call
  const principal = catalog.principals.get(agent)
  if (principal === undefined) return []
  const owner = principal.owner === undefined ? undefined : catalog.principals.get(principal.owner)
  const evidence = () => []
  const of = {
    catalog,
    capability,
    request,
    principal,
    owner,
    session,
    ground: null,
    now,
    evidence,
  }
  const input = callInput(of)
  if (input === null) return []
  const { attributes } = principal
  const tenant = Object.hasOwn(attributes, 'tenant') ? (attributes['tenant'] ?? null) : null
  const caller = { agent, owner: topmostOwner(catalog, agent), session, tenant }
  let uses = 0
  return catalog.budgets.flatMap((budget): readonly ReadBudgetCall[] => {
    const read = readBudget(budget, input, caller)
    if (read === null) return []
    if (typeof read === 'string') return [{ budget, fault: read }]
    const { amount, keys } = read
    if (amount === 0n) return []
    uses += keys.length
    if (uses > usesOfCallMax) return [{ budget, fault: 'key_many' }]
    return keys.map((key) => ({ budget, key, amount }))
  })
}
