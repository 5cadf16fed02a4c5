// `approve --also`: the grant that a person signs beside an answer, from the options that say it.
import { amountOfText } from '#rules/budgets/decimal'
import type { GrantRequest } from '#client/grants/shown'
import { routineClass, type Routine } from '#shell/routine'
import { usage } from '#cli/terminal/failure'

export interface AlsoOptions {
  /** Which later calls, in CEL. */
  readonly also?: string
  /** Those that are the same routine as this one. */
  readonly routine?: boolean
  /** The words with which the commands of such a routine begin. */
  readonly prefix?: string
  readonly uses?: number
  /** For how long, in milliseconds. */
  readonly for?: number
  readonly budget?: string
  readonly budgetOf?: string
  readonly agent?: readonly string[]
  readonly perCell?: boolean
}

interface AlsoOf {
  readonly intent: string
  readonly confirmer: string
  readonly agrees: boolean
  /**
   * Which later calls are the same routine, with that prefix; null where the call is of no such
   * tool.
   */
  readonly routine: Routine | null
}

/**
 * Null where nothing is granted. Throws a Fault `usage` for options that do not go together, and
 * `grant_void` for a routine that is asked about each time.
 */
export function alsoOf(
  options: AlsoOptions & { readonly note?: string },
  of: AlsoOf,
): GrantRequest | null {
  const { budget, budgetOf, agent: agents, perCell, note } = options
  const { when, uses, forMs } = classOf(options, of)
  if (when === undefined) {
    const given = [uses, forMs, budget, budgetOf, agents, perCell].some((one) => one !== undefined)
    if (!given) return null
    throw usage(
      '--uses, --for, --budget, --budget-of, --agent and --per-cell go with --also or --routine',
    )
  }
  const { intent, confirmer, agrees } = of
  if (!agrees) throw usage('--also and --routine go with a yes to every question')
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

function classOf(options: AlsoOptions, { routine }: AlsoOf) {
  const { also, uses, for: forMs, prefix } = options
  if (prefix !== undefined && options.routine !== true) throw usage('--prefix goes with --routine')
  if (options.routine !== true) return { when: also, uses, forMs }
  if (also !== undefined) throw usage('--routine says by itself which calls: leave out --also')
  if (routine === null) {
    throw usage('--routine is for calls of a coding agent alone: say which calls by --also')
  }
  const like = routineClass(routine)
  return { when: like.when, uses: uses ?? like.uses, forMs: forMs ?? like.forMs }
}
