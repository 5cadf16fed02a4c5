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
import { servedBy } from '../editing/served-callbacks.ts'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import {
  whatIfJson,
  newSummary,
  summarise,
  type WhatIfSummary,
  type Load,
} from '#client/what-turned'
import { faultText } from '#present/fault-text'
import { counted, duration } from '#present/wording'
import { shortIntent } from '#present/approving'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

// What a change would have done, for people.

const dayMs = 86_400_000
/** From less it would be a guess. */
const spanMsMin = 3_600_000
const shownMax = 20
const second = 1_000

function whatIfLines(
  summary: WhatIfSummary,
  { folder, isSame }: { readonly folder: string; readonly isSame: boolean },
): readonly Line[] {
  const { tried, unable, unsure, faulted, flips } = summary
  const same = `${folder} says what the log has: no intent can come out differently`
  return [
    ...(isSame ? [toned('dim', same)] : []),
    flipsText(summary),
    ...turnLines(summary),
    ...flips.slice(0, shownMax).map(flipLine),
    ...(flips.length > shownMax
      ? [toned('dim', `… and ${flips.length - shownMax} more (--json has all)`)]
      : []),
    ...loadLines(summary),
    ...(unsure > 0 ? [toned('warn', unsureText(unsure))] : []),
    ...(faulted === null ? [] : [toned('bad', faultedText(faulted))]),
    ...(unable > 0 ? [toned('dim', `${unable} could not be derived again`)] : []),
    ...(tried > 0 ? [toned('dim', rateText(summary))] : []),
  ]
}

function unsureText(unsure: number): string {
  return `of ${counted(unsure, 'intent')} it cannot tell: a check may answer otherwise`
}

function faultedText({ count, first }: NonNullable<WhatIfSummary['faulted']>): string {
  return `of ${counted(count, 'intent')} a callback did not answer: ${faultText(first)}`
}

function flipsText({ tried, flips: { length: flips } }: WhatIfSummary): Line {
  if (tried === 0) return 'no intent was decided on that could be derived again'
  if (flips === 0) return toned('good', `all of ${counted(tried, 'intent')} come out the same`)
  return toned('warn', `${flips} of ${counted(tried, 'intent')} would come out differently`)
}

function turnLines({ turns }: WhatIfSummary): readonly Line[] {
  if (turns.size === 0) return []
  const rows = [...turns.values()]
    .toSorted((one, other) => other.count - one.count)
    .map(({ from, to, why, count }) => [`${from} → ${to}`, why, String(count)])
  return ['', ...tableLines(['turn', 'reason', 'intents'], rows), '']
}

const tones = { allow: 'good', ask: 'warn', deny: 'bad', hold: 'dim', cannot_tell: 'warn' } as const

function flipLine({
  address,
  agent,
  tool,
  before,
  after,
  recorded,
}: WhatIfSummary['flips'][number]): Line {
  const turn = `${before.outcome} → ${after.outcome}`.padEnd('allow → allow'.length)
  const then = recorded === null ? 'no verdict yet' : `then ${recorded.outcome}`
  const what = `${tool ?? 'no tool'}  (${agent}, ${shortIntent(address)}; ${then})`
  return toned(tones[after.outcome], `${turn}  ${what}`)
}

function loadLines({ asked, confirmers, spanMs, kept }: WhatIfSummary): readonly Line[] {
  if (asked.before === 0 && asked.after === 0) return ['no one is asked, before or after']
  const answers = kept === 0 ? '' : `; ${counted(kept, 'recorded answer')} still would count`
  return [
    `people are asked ${countText(asked, spanMs)}${answers}`,
    ...[...confirmers].map(([id, load]) => `  ${id}: ${countText(load, spanMs)}`),
  ]
}

function countText({ before, after }: Load, spanMs: number): string {
  const turn = `${counted(after, 'time')} instead of ${before}`
  if (before === after) return `${counted(after, 'time')}, as before`
  if (spanMs < spanMsMin) return turn
  const more = ((after - before) * dayMs) / spanMs
  const daily = Math.abs(more).toFixed(1)
  return `${turn}: ${daily} a day ${more > 0 ? 'more' : 'less'}`
}

function rateText({ tried, ms, spanMs, facts }: WhatIfSummary): string {
  const rate = Math.round((tried * second) / Math.max(1, ms))
  const took = `${(ms / second).toFixed(1)} s, ${rate} a second`
  const over = spanMs > 0 ? ` over ${duration(spanMs)}` : ''
  return `${counted(tried, 'intent')}${over}, ${counted(facts, 'fact')}, in ${took}`
}

export type Since =
  | Extract<Moment, { readonly at: 'time' | 'position' }>
  | { readonly at: 'ago'; readonly ms: number }

interface WhatIfOptions extends GlobalOptions {
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
