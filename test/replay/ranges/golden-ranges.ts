// Golden logs, derived whole and in ranges as threads do it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fact } from '#ports/log'
import { assert } from '#record/fault'
import { rangesOf, replayInRanges } from '#replay/ranges/divided'
import { joinedRanges } from '#replay/ranges/joined'
import { walkRange, type WalkedRange } from '#replay/ranges/range'
import { replay } from '#replay/replay'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { stages } from '#workers/stages'
import { goldenLog, goldenModule, placeIn, readGolden } from '../../golden/golden-log.ts'

const golden = fileURLToPath(new URL('../../golden/', import.meta.url))

export const goldenVersions: readonly string[] = readdirSync(golden).filter((name) =>
  /^\d+\.\d+\.\d+/.test(name),
)

export function factsOfGolden(version: string): Promise<Fact[]> {
  return readGolden(join(golden, version))
}

/** Into how many ranges, and how far each reads ahead: a golden log is short. */
export interface Division {
  readonly count: number
  readonly readAhead: number
}

/** What a report says, as text: of the whole, and of its ranges together. */
export async function bothReports(
  version: string,
  facts: readonly Fact[],
  { count, readAhead }: Division,
  handedOver: (range: WalkedRange) => WalkedRange = (range) => range,
): Promise<{ readonly whole: string; readonly ranges: string; readonly isProven: boolean }> {
  const callbacks = threadCallbacks((digest) => goldenModule(join(golden, version), digest))
  const log = goldenLog(facts)
  const place = placeIn(facts)
  const options = { log, place, rootKey: null, stages, callbacks, readAhead }
  try {
    const whole = JSON.stringify(await replay(options))
    const [first, last] = [facts[0]?.position ?? 1, facts.at(-1)?.position ?? 0]
    const walked = new Map<number, WalkedRange>()
    for (const range of rangesOf({ first, last, readAhead }, count)) {
      // As a thread hands it over.
      const found = structuredClone(await walkRange(options, range, () => undefined))
      walked.set(range.after, handedOver(found))
    }
    const isProven = walked.size > 1 && joinedRanges([...walked.values()]) !== null
    const report = await replayInRanges(options, count, async ({ after }) => {
      const found = walked.get(after)
      assert(found !== undefined, 'it is of the same ranges')
      return Promise.resolve(structuredClone(found))
    })
    return { whole, ranges: JSON.stringify(report), isProven }
  } finally {
    await callbacks.close()
  }
}
