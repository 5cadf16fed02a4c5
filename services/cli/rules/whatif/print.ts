// What a change would have done, for people.
import { faultText } from '#present/fault-text'
import { counted, duration } from '#present/wording'
import { shortIntent } from '#present/approving'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import type { Load, WhatIfSummary } from '#client/reading/what-turned'

const dayMs = 86_400_000
/** From less it would be a guess. */
const spanMsMin = 3_600_000
const shownMax = 20
const second = 1_000

export function whatIfLines(
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
  const what = `${tool ?? 'no capability'}  (${agent}, ${shortIntent(address)}; ${then})`
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
