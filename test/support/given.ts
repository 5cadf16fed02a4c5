// Given, when, then for the project’s own stages: with the people of every test, and with each
// outcome replayed when its test has ended, so that what the kit derives is what an engine derives.
import { expect } from 'vitest'
import { memoryLog } from '#log/memory/log'
import type { LoggedFact } from '#state/folded'
import { replay } from '#replay/replay'
import { callbacksInPlace } from '#testing/call'
import { given as givenOf, type Given, type Outcome } from '#testing/given'
import type { Setup } from '#testing/setup'
import type { Step } from '#testing/steps'
import { stages } from '#workers/stages'
import { peopled } from './runtime.ts'
import { place } from './scene.ts'
import { endWithTest } from './vitest/endings.ts'

interface Played {
  readonly log: readonly LoggedFact[]
  readonly callbacks: Setup['callbacks']
}

export function given(setup: Setup = {}, ...steps: readonly Step[]): Given {
  const { graph, catalog, ...rest } = setup
  const of = peopled({ ...(graph && { graph }), ...(catalog && { catalog }) })
  return noted(givenOf({ ...of, ...rest }, ...steps), rest.callbacks)
}

function noted(from: Given, callbacks: Setup['callbacks']): Given {
  return {
    when(...steps) {
      const outcome: Outcome = from.when(...steps)
      endWithTest(() => expectDerived({ log: outcome.log, callbacks }))
      return {
        ...outcome,
        // oxlint-disable-next-line unicorn/no-thenable -- no promise, as in the kit
        then: (...expected) => noted(outcome.then(...expected), callbacks),
      }
    },
  }
}

async function expectDerived({ log: facts, callbacks }: Played): Promise<void> {
  const times = facts.map(({ appendedAt }) => appendedAt)
  let next = 0
  const clock = { now: () => times[next] ?? 0 }
  const log = memoryLog({ clock, timer: { after: () => () => undefined } })
  for (const { name, bytes } of facts) {
    await log.append({ name, bytes })
    next += 1
  }
  const running = callbacksInPlace(callbacks)
  const options = { log, place, rootKey: null, stages, callbacks: running }
  const { differences, first } = await replay(options)
  expect({ differences, first }).toEqual({ differences: 0, first: null })
  await log.close()
}
