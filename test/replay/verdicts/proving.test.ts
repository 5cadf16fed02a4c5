// When a verdict is derived before it is acted on, and when this process has just derived it.
import { expect, test } from 'vitest'
import type { Stage } from '#stages/stage'
import type { Log } from '#ports/log'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { CatalogOperation } from '#schemas/catalog'
import { bindWord } from '#gateway/words'
import { provingOn } from '#replay/verdicts/proving'
import { verdictOf } from '#replay/verdicts/verdict'
import { stages } from '#workers/stages'
import { changeCatalog, testRuntime } from '../../support/runtime.ts'
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

interface Proved {
  readonly deciding: readonly Stage[]
  readonly by?: readonly Stage[]
  /** What happens once its verdict is drawn up, and right before that is bound. */
  readonly between?: (runtime: Runtime, verdict: string) => Promise<unknown>
}

/** The name of what was proved. */
async function proved({ deciding, by = deciding, between }: Proved): Promise<string> {
  const log = memoryLog()
  let act = between
  const wrapped: Log = {
    ...logOf(log),
    async append(entry, options) {
      const now = entry.name.includes('.verdict.bot.') ? act : undefined
      if (now !== undefined) act = undefined
      await now?.(runtime, entry.name)
      return log.append(entry, options)
    },
  }
  const { runtime, bot } = await testRuntime({ ...setup, stages: deciding, log: wrapped })
  endWithTest(() => runtime.stop())
  const proving = provingOn(runtime, by, null)
  const { intent } = await bot.ask({ tool: 'look', args: {}, justification: reason })
  const fact = await factAbout(runtime, 'verdict', intent)
  if (fact === undefined) throw new Error('it has a verdict')
  await proving.prove(await verdictOf(runtime.log, fact))
  return fact.name
}

test('a verdict that this process drew up from right before it is not derived again', async () => {
  const noted: string[] = []
  await proved({ deciding: noting(noted) })
  expect(noted).toHaveLength(1)
})

const changing = (operation: CatalogOperation) => (runtime: Runtime) => {
  return changeCatalog(runtime, operation)
}
const saying = (of: (verdict: string) => string) => (runtime: Runtime, verdict: string) => {
  const name = of(verdict.replace('.verdict.', '.vlp.'))
  return runtime.log.append({ name, bytes: Buffer.from('{}') })
}

test.each([
  ['the word of another agent', saying((name) => name.replace('.bot.', '.honest.')), 1],
  ['what counts for nothing', saying((name) => name.replace('.vlp.', '.unheard.')), 1],
  ['its own next request', saying((name) => name.replace(/.{3}$/, 'NXT')), 1],
  ['any change of the catalog', changing({ op: 'set', key: 'learning', value: true }), 2],
])('where %s came before it since', async (_, between, times) => {
  const noted: string[] = []
  const proven = await proved({ deciding: noting(noted), between })
  expect(noted.filter((name) => name === proven)).toHaveLength(times)
})

test('one that what came before it since would have denied is not believed', async () => {
  const between = changing({ op: 'suspend', id: 'bot' })
  const proving = proved({ deciding: noting([]), between })
  await expect(proving).rejects.toMatchObject({ code: 'verdict_not_derived' })
})

test('one that another decider drew up is derived by those that are believed', async () => {
  const [theirs, own]: [string[], string[]] = [[], []]
  await proved({ deciding: noting(theirs), by: noting(own) })
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
