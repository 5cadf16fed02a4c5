// Derives all that was asked under a folder, and says what would come out differently. It signs
// nothing and binds nothing.
import { Fault } from '#record/fault'
import { didYouMean, nearest } from '#record/quote'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { refuseUnknownCallbacks } from '#authoring/seed-callbacks'
import { readSeed } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import type { AskedThen } from '#replay/what-if/asked-then'
import { whatIfHistory } from '#replay/what-if/history'
import type { Moment } from '#replay/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import { refuseWithoutCatalog } from '../editing/edit.ts'
import { withCallbacks } from '#cli/offline/callback-file'
import { logsMeant, refuseSeveral } from '#cli/terminal/opening/cells/logs'
import { rootKeyFor, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { servedBy } from '../plan/preview.ts'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { whatIfLines } from './print.ts'
import { whatIfJson, newSummary, summarise, type WhatIfSummary } from '#client/reading/what-turned'

export type Since =
  | Extract<Moment, { readonly at: 'time' | 'position' }>
  | { readonly at: 'ago'; readonly ms: number }

export interface WhatIfOptions extends GlobalOptions {
  readonly since?: Since
  readonly agent?: string
  readonly tool?: string
  readonly prune?: boolean
  readonly failOnFlip?: boolean
}

export async function whatIf(folder: string, options: WhatIfOptions): Promise<number> {
  const { prune = false, failOnFlip = false } = options
  // The log that all cells share has no intents: of them nothing would seem to change.
  refuseSeveral(await logsMeant(options), 'a what-if')
  return withRuntime(options, { reads: true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    refuseUnknownNames(runtime, options)
    const { log, follower, clock } = runtime
    const { state } = follower
    const files = await readSeed(folder)
    const planned = plannedSeed(state, files, { author: null, prune })
    await refuseUnknownCallbacks(runtime, files, planned.after.graph)
    const { stages } = await import('#workers/stages')
    const begun = clock.now()
    const summary = newSummary()
    const report = await withCallbacks(files.callbacks, (opened) =>
      withProgress((onProgress) => {
        const { graph, catalog, place } = state
        const history = {
          log,
          place,
          rootKey: rootKeyFor(options),
          stages,
          callbacks: servedBy(runtime.callbacks, opened),
          before: { graph, catalog },
          after: planned.after,
          wanted: wantedBy(options, begun),
          onProgress,
        }
        return whatIfHistory(history, (intent) => summarise(summary, intent))
      }),
    )
    const done: WhatIfSummary = { ...report, ...summary, ms: clock.now() - begun }
    const isSame = planned.sets.length === 0
    if (options.json === true)
      await printJson({ folder: files.digest, isSame, ...whatIfJson(done) })
    else await print(whatIfLines(done, { folder, isSame }))
    return failOnFlip && summary.flips.length > 0 ? exitCodes.differs : exitCodes.yes
  })
}

function wantedBy(
  { since, agent, tool }: WhatIfOptions,
  now: number,
): (asked: AskedThen) => boolean {
  const isSince = ({ position, appendedAt }: AskedThen): boolean => {
    if (since === undefined) return true
    if (since.at === 'position') return position >= since.position
    return appendedAt >= (since.at === 'time' ? since.time : now - since.ms)
  }
  return (asked) => {
    const isOf = agent === undefined || asked.agent === agent
    return isOf && (tool === undefined || asked.tool === tool) && isSince(asked)
  }
}

/** A name that leads nowhere would find nothing, and nothing would seem to be wrong. */
function refuseUnknownNames({ follower }: Runtime, { agent, tool }: WhatIfOptions): void {
  const { principals, capabilities } = follower.state.catalog
  for (const [name, known, option] of [
    [agent, principals, '--agent'],
    [tool, capabilities, '--tool'],
  ] as const) {
    if (name === undefined || known.has(name)) continue
    const near = didYouMean(nearest(known.keys(), name))
    throw new Fault('usage', `${option}: the catalog has no \`${name}\`${near}`)
  }
}
