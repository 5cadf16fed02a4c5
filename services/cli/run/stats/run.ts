// Folds the log once and prints what became of its intents. Of a realm of cells, of all of them.
import type { FoldListener } from '#runtime/engine/follower'
import { exitCodes } from '#schemas/faults/exit'
import { refuseUnknown } from '#cli/terminal/finding/known-names'
import { logsMeant } from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import { usage } from '#cli/terminal/failure'
import { print, printJson, write } from '#cli/terminal/terminal'
import { systemClock } from '#system/clock'
import { meantIn, type MeantGiven } from '#operations/finding/filter'
import { statsJson } from '#client/reading/stats-shown'
import { counting, newCounted } from '#client/reading/tallies'
import { budgetsLeft, keysUsed, type BudgetLeft } from '#client/reading/budgets-left'
import { countingObserved } from '#client/reading/observed'
import { attentionStats, type AttentionOptions } from './attention.ts'
import { observedCsv, observedLines } from './print-observed.ts'
import { statsCsv, statsLines, type Grouping } from './print.ts'

export type StatsGiven = Omit<StatsOptions, 'since' | 'until'> & MeantGiven

export interface StatsOptions extends AttentionOptions {
  readonly csv?: boolean
  /** Only what nothing was enforced of. */
  readonly observed?: boolean
  readonly by: Grouping
}

export async function stats(given: StatsGiven): Promise<number> {
  const { since: _, until: __, ...rest } = given
  const options = { ...rest, ...meantIn(given, systemClock.now()) }
  await refuseUnknown(options)
  if (options.observed === true) return observedStats(options)
  if (options.people === true || options.rules === true) {
    if (options.csv === true) throw usage('--csv is of intents: leave it out, or use --json')
    return attentionStats(options)
  }
  const counted = newCounted()
  const left: BudgetLeft[] = []
  for (const meant of await logsMeant(options)) {
    const count = counting(counted, options)
    const keys = keysUsed()
    const onFolded: FoldListener = (fact, folded) => {
      count.take(fact, folded)
      keys.take(fact, folded)
    }
    const opening = { reads: true, foldsAll: true, onFolded }
    await withRuntime(meant.options, opening, ({ follower, clock }) => {
      const { intents } = follower.state
      left.push(...budgetsLeft(follower.state, keys.texts, clock.now()))
      count.end((address) => intents.has(address))
      return Promise.resolve()
    })
  }
  if (options.csv === true) await write(statsCsv(counted, options.by))
  else if (options.json === true) await printJson(statsJson(counted, left))
  else await print(statsLines(counted, left))
  return exitCodes.yes
}

async function observedStats(options: StatsOptions): Promise<number> {
  // The counts of several cells are of one table.
  const count = countingObserved(options)
  for (const meant of await logsMeant(options)) {
    const onFolded: FoldListener = (fact, folded) => count.take(fact, folded)
    const opening = { reads: true, foldsAll: true, onFolded }
    await withRuntime(meant.options, opening, () => Promise.resolve())
  }
  const counts = count.read()
  if (options.csv === true) await write(observedCsv(counts))
  else if (options.json === true) await printJson(counts)
  else await print(observedLines(counts))
  return exitCodes.yes
}
