// The state that is found out quickly is the state of the fold, wherever a log is divided.
import { expect, test } from 'vitest'
import type { Fact } from '#ports/log'
import { skimming } from '#replay/ranges/skimming'
import { stateDigest } from '#replay/ranges/state-digest'
import { evolve } from '#state/fold/evolve'
import { newState, type State } from '#state/state'
import { placeIn } from '../../golden/golden-log.ts'
import { count } from '../../support/vitest/counts.ts'
import { factsOfGolden, goldenVersions } from './golden-ranges.ts'

/** At each of so many positions, and so at other places in each log. */
const every = count(7, 41)

function began(facts: readonly Fact[]): State {
  return newState({ realm: placeIn(facts).realm, era: 1 })
}

test.each(goldenVersions)(
  'the log of %s is skimmed to the very state of its fold',
  async (version) => {
    const facts = await factsOfGolden(version)
    const state = began(facts)
    const differ: number[] = []
    let looked = 0
    for (const [index, fact] of facts.entries()) {
      evolve(state, fact)
      if (fact.position % every !== 0) continue
      const skimmed = began(facts)
      const skim = skimming(skimmed)
      for (const one of facts.slice(0, index + 1)) skim.take(one)
      skim.end()
      looked += 1
      if (stateDigest(skimmed) !== stateDigest(state)) differ.push(fact.position)
    }
    expect(differ).toEqual([])
    expect(looked).toBe(Math.floor(facts.length / every))
  },
)
