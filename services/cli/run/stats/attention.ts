// `warrant stats --people` and `--rules`: what people make of the questions that they are asked. Of
// people it shows those whose keys are here, or all of them to a policy admin.
import { answersInBatchesOnly } from '#state/slices/attention/answers'
import type { FoldListener } from '#runtime/engine/follower'
import { exitCodes } from '#schemas/faults/exit'
import { countingAttention, newAttention } from '#client/reading/attention/counted'
import { attentionReport, type AttentionReport } from '#client/reading/attention/report'
import { seenBy } from '#client/reading/attention/seen-by'
import type { MeantOptions } from '#operations/finding/filter'
import { heldHere } from '#cli/rules/editing/held-here'
import { logsMeant } from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { attentionLines } from './print-attention.ts'

export interface AttentionOptions extends GlobalOptions, MeantOptions {
  readonly people?: boolean
  readonly rules?: boolean
}

export async function attentionStats(options: AttentionOptions): Promise<number> {
  const counts = newAttention()
  const beyond = new Set<string>()
  let seen = (report: AttentionReport): AttentionReport => ({ ...report, people: [] })
  for (const meant of await logsMeant(options)) {
    const count = countingAttention(counts, options)
    const onFolded: FoldListener = (fact, folded, state) => count.take(fact, folded, state)
    const opening = { reads: true, foldsAll: true, onFolded }
    await withRuntime(meant.options, opening, async (runtime) => {
      const viewers = await heldHere(runtime)
      const { state } = runtime.follower
      const { catalog } = state
      const now = runtime.clock.now()
      for (const id of state.answers.keys()) {
        if (answersInBatchesOnly(state, id, now)) beyond.add(id)
      }
      seen = (report) => seenBy(report, viewers, catalog)
    })
  }
  const { all, people, rules } = seen(attentionReport(counts))
  const { people: showsPeople = false, rules: showsRules = false } = options
  const marked = people.map((one) => ({ ...one, beyondAnswers: beyond.has(one.person) }))
  const shown = { all, ...(showsPeople && { people: marked }), ...(showsRules && { rules }) }
  if (options.json === true) await printJson(shown)
  else await print(attentionLines(shown))
  return exitCodes.yes
}
