// Replays one log on all cores: a thread for each range of it. A short log is replayed in this
// thread, and what is no file is, too.
import { availableParallelism } from 'node:os'
import { headText } from '#replay/chain'
import type { ReplayedFile } from '#replay/backup/prove'
import type { ReplayOptions } from '#replay/pass'
import { replayInRanges, type RangeEnds } from '#replay/ranges/divided'
import type { WalkedRange } from '#replay/ranges/range'
import { replay, type ReplayReport } from '#replay/replay'
import type { Progress } from '#runtime/reporting/progress'
import { replayFault, inThread, sumOfProgress } from './in-thread.ts'

export interface OnCores {
  /** If not given, as many as there are cores. */
  readonly threads?: number
  /** A thread is worth its start for so many facts. */
  readonly factsMin?: number
  /** The program of the threads; for tests. */
  readonly entry?: URL
}

/** Before its first fact a thread loads its program for as long as a third of these take. */
const threadFactsMin = 30_000
/** What is before a range costs its thread more and more: another one would add next to nothing. */
const threadsMax = 8

function coresWorthwhile(): number {
  return Math.min(availableParallelism(), threadsMax)
}

/** What is of one intent, or of a part of a log, is replayed in this thread, too. */
export async function replayOnCores(
  options: ReplayOptions,
  at: ReplayedFile | null,
  { threads = coresWorthwhile(), factsMin = threadFactsMin, entry }: OnCores = {},
): Promise<ReplayReport> {
  const { position: total } = await options.log.head()
  const count = Math.min(threads, Math.floor(total / factsMin))
  const isWhole = options.address === undefined && options.isPart !== true
  if (at === null || count < 2 || !isWhole) return replay(options)
  const far = new Map<RangeEnds, Progress>()
  const ending = new AbortController()
  const walked = async (range: RangeEnds): Promise<WalkedRange> => {
    const outcome = await inThread(givenTo(options, at, range), {
      onProgress(progress) {
        far.set(range, progress)
        options.progress?.({ ...sumOfProgress(far.values(), progress), total })
      },
      signal: ending.signal,
      ...(entry !== undefined && { entry }),
    })
    if ('range' in outcome) return outcome.range
    throw 'error' in outcome ? replayFault(outcome.error) : new Error('a thread took it for a log')
  }
  try {
    return await replayInRanges(options, count, walked)
  } finally {
    ending.abort()
  }
}

function givenTo(
  { place, rootKey, cells = null, head }: ReplayOptions,
  { file, folder }: ReplayedFile,
  range: RangeEnds,
) {
  const of = { ...place, rootKey, cells, head: head === undefined ? null : headText(head) }
  return { range, file, folder, ...of }
}
