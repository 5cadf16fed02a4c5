// Lists each new question of learning as it comes.
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { askOne, printShown } from '#cli/terminal/asked/run'
import { printJson } from '#cli/terminal/terminal'
import { exitCodes } from '#schemas/faults/exit'
import { proposalsOnScreen } from '#operations/proposals/proposals'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'

const openMax = 1_000

export async function followProposals(options: GlobalOptions): Promise<number> {
  const stages = await clientStages(options)
  return withRuntime(options, { stages, reads: true }, async (runtime) => {
    const { follower } = runtime
    const interrupt = onInterrupt()
    const { signal } = interrupt
    const seen = new Set<string>()
    let isStale = true
    let wake = (): void => undefined
    const stop = follower.listen((_fact, folded) => {
      if (folded.parts?.kind !== 'proposal' || folded.void !== null) return
      isStale = true
      wake()
    })
    signal.addEventListener('abort', () => wake(), { once: true })
    try {
      while (!signal.aborted) {
        if (!isStale) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          continue
        }
        isStale = false
        const { answer } = await askOne('proposals', { limit: openMax }, { runtime, cell: null })
        const fresh = answer.rows.filter(({ proposal }) => !seen.has(proposal))
        for (const { proposal } of fresh) seen.add(proposal)
        if (options.json === true) for (const row of fresh) await printJson(row)
        else if (fresh.length > 0) await printShown(proposalsOnScreen({ ...answer, rows: fresh }))
      }
    } finally {
      stop()
      interrupt.release()
    }
    return exitCodes.yes
  })
}
