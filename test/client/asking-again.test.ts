// What was denied since too many were open is asked again as a new intent: so often, and no longer.
import { expect, test } from 'vitest'
import { askingAgain } from '#client/asking-again'
import type { AskOptions } from '#client/asking'
import { openServedMax } from '#state/agents'
import type { ReasonCode } from '#schemas/reasons'
import { deletion, erase, look, say, scene } from '../support/scene.ts'

/** Answers in turn with these reasons; what has none is allowed. */
async function asked(given: readonly (readonly ReasonCode[])[], options: AskOptions = {}) {
  const on = await scene({ catalog: { capabilities: [look] } })
  const allowed = await on.bot.ask({ tool: 'look' })
  const seen: AskOptions[] = []
  const pauses: number[] = []
  const ask = askingAgain(
    (_fields, of = {}) => {
      const codes = given[seen.length] ?? []
      seen.push(of)
      if (codes.length === 0) return Promise.resolve(allowed)
      const reasons = codes.map((code) => ({
        code,
        recover: 'wait' as const,
        params: params(code),
      }))
      return Promise.resolve({ ...allowed, outcome: 'deny', reasons })
    },
    async (ms) => void pauses.push(ms),
  )
  const { outcome } = await ask({ tool: 'look' }, options)
  return { outcome, seen, pauses }
}

const open = ['too_many_open'] as const
const ahead = { code: 'schema_invalid' as const, path: '', cause: 'clock_ahead' as const }

function params(code: ReasonCode) {
  return code === 'malformed_message' ? { issues: [ahead] } : {}
}

test('so is what came under an identifier of a clock that is ahead of the log', async () => {
  const { outcome, seen } = await asked([['malformed_message'], ['malformed_message']])
  expect([outcome, seen.length]).toEqual(['allow', 3])
  expect((await asked([['malformed_message', 'not_permitted']])).seen).toHaveLength(1)
})

test('it is asked again after growing pauses, until it is not denied for that', async () => {
  const { outcome, seen, pauses } = await asked([open, open])
  expect([outcome, seen.length, pauses]).toEqual(['allow', 3, [1_000, 2_000]])
})

test('it is asked again three times if not stated, and as often as stated', async () => {
  const always = Array.from({ length: 20 }, () => open)
  expect((await asked(always)).seen).toHaveLength(4)
  expect((await asked(always, { retries: 1 })).seen).toHaveLength(2)
  const never = await asked(always, { retries: 0 })
  expect([never.outcome, never.seen.length]).toEqual(['deny', 1])
  for (const retries of [-1, 0.5, 11, Number.NaN]) {
    await expect(asked(always, { retries })).rejects.toMatchObject({ code: 'options_invalid' })
  }
})

test('it is not where it has a key, where something else was against it, or time is short', async () => {
  expect((await asked([open], { key: 'one' })).seen).toHaveLength(1)
  expect((await asked([[...open, 'not_permitted']])).seen).toHaveLength(1)
  expect((await asked([['rate_limited']])).seen).toHaveLength(1)
  expect((await asked([open], { waitMs: 1_000 })).seen).toHaveLength(1)
  const [, again] = (await asked([open], { waitMs: 60_000 })).seen
  expect(again?.waitMs).toBeLessThanOrEqual(60_000)
})

test('an agent with too many open is served once one of them has its verdict', async () => {
  const limits = [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }]
  const on = await scene({
    catalog: { capabilities: [look, erase], limits },
    graph: deletion({ name: 'ask' }),
  })
  const addresses: string[] = []
  for (let n = 0; n < openServedMax; n += 64) {
    const some = Array.from({ length: 64 }, () => say(on.log, { intent: { tool: 'erase' } }))
    addresses.push(...(await Promise.all(some)))
    await on.watch.settled(on.log)
  }
  expect((await on.bot.ask({ tool: 'look' }, { retries: 0 })).outcome).toBe('deny')
  const asking = on.bot.ask({ tool: 'look' }, { retries: 10 })
  await on.bot.withdraw(addresses[0] ?? '')
  expect((await asking).outcome).toBe('allow')
})
