// What people make of questions, of a log that is followed: the whole log is folded once, when
// someone first asks, and what follows is taken as it comes. What is kept of it is bounded.
import { attentionTaken, type AttentionTaken } from '#state/slices/attention/taken'
import { evolve } from '#state/fold/evolve'
import { Fault } from '#record/fault'
import type { Runtime } from '#runtime/engine/runtime'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { MeantOptions } from '../finding/filter.ts'
import { countingAttention, type AttentionCounts } from './counted.ts'

export interface AttentionKept {
  /** Counts the reviews that are meant; returns from when on, which is later where less is kept. */
  countInto(counts: AttentionCounts, meant: MeantOptions): Promise<number>
  stop(): void
}

/** Questions, answers and ends: of more the newest are kept. */
const keptMax = 200_000
/** Each round folds what came during the one before. */
const roundsMax = 1_000

export function attentionOf(runtime: Pick<Runtime, 'log' | 'follower'>): AttentionKept {
  let kept: AttentionTaken[] = []
  let from = 0
  let stopListening: () => void = () => undefined
  let reading: Promise<void> | null = null
  const add = (taken: AttentionTaken | null): void => {
    if (taken === null) return
    kept.push(taken)
    // A part at a time, so that keeping costs little.
    if (kept.length < keptMax * 1.1) return
    kept = kept.slice(-keptMax)
    from = kept[0]?.at ?? 0
  }
  const read = async (): Promise<void> => {
    kept = []
    const { log, follower } = runtime
    const { place, rootKey } = follower.state
    const { state } = await soundBeginningOf(log, { realm: place.realm }, rootKey)
    from = state.position === 0 ? 0 : state.appendedAt
    for (let round = 1; state.position < follower.state.position; round += 1) {
      if (round > roundsMax) throw new Fault('log_busy', 'facts come faster than they are folded')
      const of = { from: state.position + 1, to: follower.state.position }
      for await (const fact of log.read(of)) add(attentionTaken(fact, evolve(state, fact), state))
    }
    // At once where both are at the same fact, so that not one is left out.
    stopListening = follower.listen((fact, folded, now) => add(attentionTaken(fact, folded, now)))
  }
  return {
    async countInto(counts, meant) {
      reading ??= read()
      try {
        await reading
      } catch (error) {
        // The log was out of reach: the next who asks has it read again.
        reading = null
        throw error
      }
      const counting = countingAttention(counts, meant)
      for (const taken of kept) counting.add(taken)
      return Math.max(meant.since ?? 0, from)
    },
    stop: () => stopListening(),
  }
}
