// When a verdict is derived before it is acted on, and when this process has just derived it.
import { expect, test } from 'vitest'
import type { Stage } from '#stages/stage'
import type { Log } from '#ports/log'
import { factAbout } from '#runtime/engine/binding'
import { bindWord } from '#gateway/words'
import { provingOn } from '#replay/verdicts/proving'
import { verdictOf } from '#replay/verdicts/verdict'
import { stages } from '#workers/stages'
import { testRuntime } from '../../support/runtime.ts'
import { look, reason } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { memoryLog } from '#log/memory/log'
import { logOf } from '../../support/wrapped-log.ts'

const setup = {
  catalog: {
    capabilities: [look],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 60_000 }],
  },
}

/** The same stages, which note that policy decides. */
function noting(noted: string[]): readonly Stage[] {
  return stages.map((stage) => ({
    ...stage,
    decide: (inputs) => {
      const draft = stage.decide(inputs)
      if (draft?.kind === 'verdict') noted.push(draft.name)
      return draft
    },
  }))
}

async function proved(deciding: readonly Stage[], by: readonly Stage[], log: Log = memoryLog()) {
  const { runtime, bot } = await testRuntime({ ...setup, stages: deciding, log })
  endWithTest(() => runtime.stop())
  const proving = provingOn(runtime, by, null)
  const { intent } = await bot.ask({ tool: 'look', args: {}, justification: reason })
  const fact = await factAbout(runtime, 'verdict', intent)
  if (fact === undefined) throw new Error('it has a verdict')
  await proving.prove(await verdictOf(runtime.log, fact))
}

test('a verdict that this process drew up from right before it is not derived again', async () => {
  const noted: string[] = []
  const own = noting(noted)
  await proved(own, own)
  expect(noted).toHaveLength(1)
})

test('one that something came before since is derived again', async () => {
  const noted: string[] = []
  const own = noting(noted)
  const log = memoryLog()
  const between: Log = {
    ...logOf(log),
    async append(entry, options) {
      if (entry.name.includes('.verdict.')) {
        const name = entry.name
          .replace('.verdict.', '.vlp.')
          .replace(/.$/, (last) => (last === 'X' ? 'Y' : 'X'))
        await log.append({ name, bytes: Buffer.from('{}') })
      }
      return log.append(entry, options)
    },
  }
  await proved(own, own, between)
  expect(noted.length).toBeGreaterThan(1)
})

test('one that another decider drew up is derived by those that are believed', async () => {
  const [theirs, own]: [string[], string[]] = [[], []]
  await proved(noting(theirs), noting(own))
  expect(theirs).toHaveLength(1)
  expect(own).toHaveLength(1)
})

test('what its own call came to since changes nothing of a verdict', async () => {
  const write = { ...look, driver: { kind: 'local' as const, operation: 'look' } }
  const catalog = { ...setup.catalog, capabilities: [write] }
  const { runtime, bot } = await testRuntime({ catalog, stages })
  endWithTest(() => runtime.stop())
  const others = stages.map((stage) => ({ ...stage }))
  const proving = provingOn(runtime, others, null)
  const { intent: address } = await bot.ask({ tool: 'look', args: {}, justification: reason })
  const fact = await factAbout(runtime, 'verdict', address)
  if (fact === undefined) throw new Error('it has a verdict')
  const verdict = await verdictOf(runtime.log, fact)
  const gateway = 'gw:1:1'
  const intent = { address, agent: 'bot', session: null }
  const until = new Date(Date.now() + 60_000).toISOString()
  const executed = verdict.terms?.executedDigest ?? ''
  const said = { gateway, capability: 'look', executed, until, verdict: verdict.name }
  await bindWord(runtime, 'start', { gateway, intent, said })
  const unknown = { outcome: 'unknown' as const, code: 'gateway_gone' as const }
  const { fact: outcome } = await bindWord(runtime, 'outcome', { gateway, intent, said: unknown })
  await runtime.follower.reached(outcome.position)
  expect(runtime.follower.state.unsettled.size).toBe(1)
  await proving.prove(verdict)
})
