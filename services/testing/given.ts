// Given facts, when something happens, then these facts follow: a test of rules, graphs, catalogs
// and callbacks by the deciders that a runtime runs, without a log, a clock or a promise.
import assert from 'node:assert/strict'
import { readData } from '#record/event'
import type { LoggedFact } from '#state/folded'
import type { GroundingData, VerdictData } from '#schemas/facts'
import type { ContentOf } from '#schemas/contents'
import type { ReviewData } from '#schemas/review'
import { boundFact, expectFact, type BoundFact, type ExpectedFact } from './expected.ts'
import { openLedger, type Ledger } from './ledger.ts'
import type { Setup } from './setup.ts'
import type { Step } from './steps.ts'

export interface Given {
  /** Lets these happen one after the other, and the stages answer each. */
  when(...steps: readonly Step[]): Outcome
}

export interface Outcome {
  /** Throws an AssertionError unless these followed from `when`; returns to go on from here. */
  readonly then: (...expected: readonly ExpectedFact[]) => Given
  /** What followed from `when`, in log order. */
  readonly facts: readonly BoundFact[]
  /** The last of each that followed; null where there is none. */
  readonly grounding: GroundingData | null
  readonly review: ReviewData | null
  readonly verdict: VerdictData | null
  /** Every fact since the beginning, as a log would keep it. */
  readonly log: readonly LoggedFact[]
}

/**
 * A state in which the steps have happened. It stays as it is: each `when` goes on from it by
 * itself.
 */
export function given(setup: Setup, ...steps: readonly Step[]): Given {
  return {
    when(...more) {
      const ledger = openLedger(setup)
      for (const step of steps) step(ledger)
      const { length } = ledger.facts
      for (const step of more) step(ledger)
      return outcomeOf(ledger, length, () => given(setup, ...steps, ...more))
    },
  }
}

function outcomeOf({ facts, state }: Ledger, before: number, goOn: () => Given): Outcome {
  const followed = facts.slice(before)
  const read = followed.map((fact) => boundFact(fact, state.place))
  return {
    facts: read,
    grounding: lastOf(followed, 'grounding'),
    review: lastOf(followed, 'review'),
    verdict: lastOf(followed, 'verdict'),
    log: facts,
    // oxlint-disable-next-line unicorn/no-thenable -- no promise: what it is given is no function
    then: (...expected) => {
      assert(expected.length > 0, '`then` needs something to expect')
      assert(!expected.some((one) => typeof one === 'function'), 'there is nothing to await')
      for (const one of expected) expectFact(one, read)
      return goOn()
    },
  }
}

function lastOf<K extends 'grounding' | 'review' | 'verdict'>(
  facts: readonly LoggedFact[],
  kind: K,
): ContentOf<K> | null {
  const last = facts.findLast(({ name }) => name.split('.')[2] === kind)
  return readData(kind, last)
}
