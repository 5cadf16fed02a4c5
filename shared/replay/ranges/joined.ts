// What the ranges of a log have found, put together as one walk over the whole would have found it.
// Nothing is taken on trust: each range must have begun with the very state that the one before
// came to, and the first with the log.
import { addTo, noDifferences } from '../differences.ts'
import { findingKinds, noFindings, noteFinding } from '../findings.ts'
import type { Findings, ReplayFinding } from '../findings.ts'
import { voidsShownMax } from '../pass.ts'
import { redeemedKeptMax } from '../redemptions.ts'
import type { Walked } from '../replay.ts'
import type { WalkedRange } from './range.ts'

/** Null where they do not prove each other, or where only the whole could know the order. */
export function joinedRanges(ranges: readonly WalkedRange[]): Walked | null {
  const last = ranges.at(-1)
  if (last === undefined || !areProven(ranges)) return null
  const stopped = stoppedIn(ranges)
  if (stopped === null) return null
  const { compared: _, ...found } = noDifferences(() => undefined)
  for (const range of ranges) addTo(found, range.found)
  const sum = (of: 'facts' | 'derived' | 'given' | 'faults' | 'readBack' | 'voidCount') =>
    ranges.reduce((total, range) => total + range[of], 0)
  const { log, root, eras, open, start } = last
  const voids = ranges.flatMap((range) => range.voids).slice(0, voidsShownMax)
  const passed = ranges.flatMap((range) => range.passed)
  return {
    log,
    root,
    eras,
    open,
    start,
    facts: sum('facts'),
    derived: sum('derived'),
    given: sum('given'),
    faults: sum('faults'),
    readBack: sum('readBack'),
    voids,
    voidCount: sum('voidCount'),
    found,
    findings: findingsIn(ranges),
    stopped,
    passed,
  }
}

/** By induction: the first began with the log, and each next one with what was derived before. */
function areProven(ranges: readonly WalkedRange[]): boolean {
  return ranges.every(({ begins }, index) => {
    return index === 0 ? begins === null : begins !== null && begins === ranges[index - 1]?.ends
  })
}

/** Those that wait for their outcomes at the end; null where the whole would have had too many. */
function stoppedIn(ranges: readonly WalkedRange[]): ReadonlyMap<string, ReplayFinding> | null {
  const all = new Map<string, ReplayFinding>()
  for (const { stopped, refused, stoppedMost } of ranges) {
    if (all.size + stoppedMost >= redeemedKeptMax) return null
    for (const key of refused) all.delete(key)
    for (const [key, found] of stopped) all.set(key, found)
  }
  return all
}

function findingsIn(ranges: readonly WalkedRange[]): Findings {
  const all = noFindings()
  const shown = ranges.flatMap(({ findings, shownAt }) =>
    findings.shown.map((finding, index) => ({ finding, at: shownAt[index] ?? 0 })),
  )
  for (const { finding } of shown.toSorted((one, other) => one.at - other.at)) {
    noteFinding(all, finding)
  }
  for (const kind of findingKinds) {
    all.counts[kind] = ranges.reduce((sum, { findings }) => sum + findings.counts[kind], 0)
  }
  return all
}
