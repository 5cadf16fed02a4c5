// What an agent is shown of results as the budget of its session is used up, and what it is refused
// then.
import { expect, test } from 'vitest'
import { threadFraming } from '#gateway/framing/thread'
import { memoryResults } from '#gateway/results/memory'
import { answering } from '#gateway/answering'
import { sessionBudget } from '#gateway/session-budget'
import { endWithTest } from '../support/vitest/endings.ts'
import { allowed, outcomeOf, post, stand, type StandOf } from './gateway-stand.ts'

const hour = 3_600_000

/** Of 100 000 characters, after that many were shown. */
function after(shown: number) {
  const budget = sessionBudget(100_000)
  const share = budget.begin('bot.s.1', 0)
  share.add(shown)
  share.end()
  return budget
}

test.each([
  [0, ['raw', 'table', 'summary', 'handle_only']],
  [45_000, ['raw', 'table', 'summary', 'handle_only']],
  [46_000, ['table', 'table', 'summary', 'handle_only']],
  [76_000, ['summary', 'summary', 'summary', 'handle_only']],
  [91_000, ['handle_only', 'handle_only', 'handle_only', 'handle_only']],
  [99_999, ['handle_only', 'handle_only', 'handle_only', 'handle_only']],
] as const)('after %i characters it shows %j', (shown, modes) => {
  const share = after(shown).begin('bot.s.2', 1)
  const asked = ['raw', 'table', 'summary', 'handle_only'] as const
  expect(asked.map((mode) => share.within(mode))).toEqual(modes)
})

test('with nothing left it refuses, until an hour after the first', () => {
  const budget = after(100_000)
  expect(() => budget.begin('bot.s.2', hour - 1)).toThrow(
    expect.objectContaining({ code: 'session_budget_exceeded' }),
  )
  expect(budget.begin('bot.s.2', hour).within('raw')).toBe('raw')
})

test('what runs holds room, once, and gives it back', () => {
  const budget = sessionBudget(10_000)
  const three = [1, 2, 3].map((number) => budget.begin(`bot.s.${number}`, 0))
  expect(() => budget.begin('bot.s.4', 0)).toThrow('all that it may have')
  for (const share of three) {
    share.end()
    share.end()
  }
  expect(budget.begin('bot.s.5', 0).within('raw')).toBe('raw')
})

test('other sessions and agents have their own', () => {
  const budget = after(100_000)
  for (const address of ['bot.t.1', 'bot.-.1', 'other.s.1']) {
    expect(budget.begin(address, 1).within('raw')).toBe('raw')
  }
})

test('a gateway shows less, then runs nothing more and shows nothing of what is kept', async () => {
  const row = { id: 7, note: 'moved to May, at no charge' }
  const list = { ...post, id: 'list', driver: { kind: 'local' as const, operation: 'list' } }
  const rows = Array.from({ length: 50 }, () => row)
  let ran = 0
  const tools = {
    list: () => {
      ran += 1
      return rows
    },
  }
  const { on, gateway } = await stand({ capabilities: [post, list], tools })
  const { runtime } = on
  const results = memoryResults(runtime.clock)
  const framing = threadFraming()
  const answers = answering({ runtime, gateway, results, framing, budget: sessionBudget(10_000) })
  endWithTest(async () => {
    await results.close()
    await framing.close()
  })
  const call = async () => {
    const intent = await allowed({ on }, {}, 'list')
    const answer = await answers.call({ intent, presenter: 'bot', mode: 'table' })
    return { intent, answer }
  }
  const first = await call()
  expect(first.answer.frame).toMatchObject({ mode: 'table', warnings: [] })
  const shown: string[] = []
  let refused = ''
  for (let count = 0; count < 20 && refused === ''; count += 1) {
    const intent = await allowed({ on }, {}, 'list')
    const ranBefore = ran
    try {
      const { frame } = await answers.call({ intent, presenter: 'bot', mode: 'table' })
      shown.push(frame.mode)
      if (frame.mode !== 'table') expect(frame.warnings).toContainEqual({ code: 'mode', path: '' })
    } catch (error) {
      expect(error).toMatchObject({ code: 'session_budget_exceeded' })
      expect(ran).toBe(ranBefore)
      expect(await outcomeOf({ on }, intent)).toBeNull()
      refused = intent
    }
    const query = { limit: 50 }
    const handle = first.answer.handle?.id ?? ''
    if (refused === '') await answers.expand({ handle, caller: 'bot', query })
    else {
      const more = answers.expand({ handle, caller: 'bot', query })
      await expect(more).rejects.toMatchObject({ code: 'session_budget_exceeded' })
    }
  }
  expect(refused).not.toBe('')
  expect(shown).toContain('handle_only')
})

test('what streams ends where no more than a handle may be shown', async () => {
  const part = { note: 7, of: Array.from({ length: 100 }, () => 1_000) }
  const list = { ...post, id: 'list', driver: { kind: 'local' as const, operation: 'list' } }
  const tools: StandOf['tools'] = {
    list: (_, { onPart }) => {
      for (let count = 0; count < 40; count += 1) onPart(part)
      return part
    },
  }
  const { on, gateway } = await stand({ capabilities: [list], tools })
  const { runtime } = on
  const framing = threadFraming()
  const answers = answering({ runtime, gateway, framing, budget: sessionBudget(10_000) })
  endWithTest(() => framing.close())
  const parts: unknown[] = []
  const intent = await allowed({ on }, {}, 'list')
  const call = { intent, presenter: 'bot', onPart: (one: unknown) => parts.push(one) }
  const { frame } = await answers.call(call)
  expect(parts.length).toBeGreaterThan(0)
  expect(JSON.stringify(parts).length).toBeLessThan(10_000)
  expect(frame.mode).toBe('handle_only')
})
