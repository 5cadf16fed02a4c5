// Lists what learning asks people: what is open, with `--follow` each new one as it comes, and with
// `--all` what became of the others.
import { configuration } from '#wiring/config'
import { usage } from '#cli/terminal/failure'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { note, print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { proposalJson, proposalTable, type ShownProposal } from './print.ts'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { allProposals, openProposals } from './shown.ts'

export interface ProposalsOptions extends GlobalOptions {
  readonly all?: boolean
  readonly follow?: boolean
}

export async function proposals(options: ProposalsOptions): Promise<number> {
  const { all = false, follow = false } = options
  if (all && follow) throw usage('--follow goes on with what is open: leave out --all')
  if (all) return listAll(options)
  if (follow) return followOpen(options)
  return withRuntime(options, { reads: true }, async (runtime) => {
    const found = await openProposals(runtime)
    await list(found, options, runtime.clock.now())
    const isOff = found.length === 0 && !runtime.follower.state.catalog.learning
    if (isOff) note('warrant: learning is off: the catalog does not say `"learning": true`')
    return exitCodes.yes
  })
}

function listAll(options: ProposalsOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const { log, place, clock } = runtime
    const now = clock.now()
    const open = new Map((await openProposals(runtime)).map((shown) => [shown.name, shown]))
    const all = await allProposals(log, place, now)
    // Only a fold of everything knows who waits.
    await list(
      all.map((shown) => open.get(shown.name) ?? shown),
      options,
      now,
    )
    return exitCodes.yes
  })
}

async function list(
  found: readonly ShownProposal[],
  options: ProposalsOptions,
  now: number,
): Promise<void> {
  if (options.json === true) {
    for (const shown of found) await printJson(proposalJson(shown))
    return
  }
  if (found.length === 0) {
    await print([options.all === true ? 'no one was ever asked' : 'nothing is pending'])
    return
  }
  const hints = hintsFor(options, configuration())
  await print([...proposalTable(found, now), '', hints('proposals show PROPOSAL')])
}

async function followOpen(options: ProposalsOptions): Promise<number> {
  const stages = await clientStages(options)
  return withRuntime(options, { stages, reads: true }, async (runtime) => {
    const { follower, clock } = runtime
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
        const open = await openProposals(runtime)
        const fresh = open.filter(({ id }) => !seen.has(id))
        for (const { id } of fresh) seen.add(id)
        if (fresh.length > 0) await list(fresh, options, clock.now())
      }
    } finally {
      stop()
      interrupt.release()
    }
    return exitCodes.yes
  })
}
