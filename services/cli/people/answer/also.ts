// `approve --also`: the grant that a person signs beside an answer, from the options that say it.
import { amountOfText } from '#rules/budgets/decimal'
import type { GrantRequest } from '#client/grants/shown'
import { usage } from '#cli/terminal/failure'

export interface AlsoOptions {
  /** Which later calls, in CEL. */
  readonly also?: string
  readonly uses?: number
  /** For how long, in milliseconds. */
  readonly for?: number
  readonly budget?: string
  readonly budgetOf?: string
  readonly agent?: readonly string[]
  readonly perCell?: boolean
}

/** Null where nothing is granted. Throws a Fault `usage` for options that do not go together. */
export function alsoOf(
  options: AlsoOptions & { readonly note?: string },
  of: { readonly intent: string; readonly confirmer: string; readonly agrees: boolean },
): GrantRequest | null {
  const { also: when, uses, for: forMs, budget, budgetOf, agent: agents, perCell, note } = options
  if (when === undefined) {
    const given = [uses, forMs, budget, budgetOf, agents, perCell].some((one) => one !== undefined)
    if (!given) return null
    throw usage('--uses, --for, --budget, --budget-of, --agent and --per-cell go with --also')
  }
  const { intent, confirmer, agrees } = of
  if (!agrees) throw usage('--also goes with a yes to every question')
  if (uses === undefined) throw usage('--also needs --uses: for how many calls it answers')
  if (forMs === undefined) throw usage('--also needs --for: for how long, such as 7d')
  if ((budget === undefined) !== (budgetOf === undefined)) {
    throw usage('--budget says how much, and --budget-of what is added up: give both')
  }
  if (budget !== undefined && typeof amountOfText(budget) === 'string') {
    throw usage('--budget takes a decimal, such as 500 or 12.50')
  }
  return {
    intent,
    confirmer,
    when,
    uses,
    forMs,
    ...(budget !== undefined &&
      budgetOf !== undefined && { budget: { of: budgetOf, max: budget } }),
    ...(agents !== undefined && { agents }),
    ...(perCell === true && { perCell }),
    ...(note !== undefined && { note }),
  }
}
