// What became of intents, in numbers, as a value for programs.
import type { BudgetLeft } from './budgets-left.ts'
import { spreadOf, type Counted, type Tally } from './tallies.ts'

export function statsJson(
  of: Counted,
  left: readonly BudgetLeft[],
): Readonly<Record<string, unknown>> {
  return {
    // No allow is derived again for a count.
    counts: 'recorded',
    ...(left.length > 0 && { budgets: left }),
    all: tallyJson(of.all),
    tools: [...of.tools].map(([tool, tally]) => ({ tool, ...tallyJson(tally) })),
    agents: [...of.agents].map(([agent, tally]) => ({ agent, ...tallyJson(tally) })),
    confirmers: [...of.confirmers].map(([confirmer, { yes, no, waitsMs }]) => {
      return { confirmer, agreed: yes, declined: no, timeToAnswer: spreadOf(waitsMs) }
    }),
    timeToDecide: { withoutPeople: spreadOf(of.alone), withPeople: spreadOf(of.withPeople) },
    calls: Object.fromEntries(of.calls),
  }
}

function tallyJson({ reasons, ...counts }: Tally) {
  return { ...counts, reasons: Object.fromEntries(reasons) }
}
