// What an agent is shown of results as the budget of its session is used up, and what it is refused
// then.
import { expect, test } from 'vitest'
import { threadFraming } from '#gateway/framing/thread'
import { memoryResults } from '#gateway/results/memory'
import { answering } from '#gateway/answering'
import { sessionBudget } from '#gateway/session-budget'
import { endWithTest } from '../support/vitest/endings.ts'
import { allowed, outcomeOf, post, stand, type StandOf, type Stand } from './gateway-stand.ts'
import { framedHereBytesMax, type Framing } from '#ports/framing'
import { count } from '../support/vitest/counts.ts'

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

// Large results: they are framed apart, and hold up no other call.

const list = {
  ...post,
  id: 'list',
  driver: { kind: 'local' as const, operation: 'list' },
  execution: { valuesMax: 1_000_000 },
}
const row = { id: 7, mail: 'ann@example.com', note: 'moved to May, at no charge' }

async function large(framing: Framing, rowCount: number) {
  const rows = Array.from({ length: rowCount }, () => row)
  const on = await stand({ capabilities: [post, list], tools: { list: () => rows }, framing })
  const budget = sessionBudget(null)
  const { runtime } = on.on
  const results = memoryResults(runtime.logClock)
  const gateway = answering({ runtime, gateway: on.gateway, results, framing, budget })
  endWithTest(() => gateway.close())
  return { on, gateway }
}

function outcome({ on }: Stand): Promise<void> {
  return new Promise((resolve) => {
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind === 'outcome') resolve()
    })
  })
}

/** 16 MB of rows, or 4. */
const rowsMax = count(200_000, 50_000)

test('a large result holds up no other call', async () => {
  const { on, gateway } = await large(threadFraming(), rowsMax)
  const done = outcome(on)
  let isFramed = false
  const intent = await allowed(on, {}, 'list')
  const calling = gateway.call({ intent, presenter: 'bot' }).then((answer) => {
    isFramed = true
    return answer
  })
  await done
  // From here on nothing but its frame is missing.
  for (let other = 0; other < 5; other += 1) {
    await gateway.call({ intent: await allowed(on), presenter: 'bot' })
  }
  expect(isFramed).toBe(false)
  const { frame } = await calling
  expect(frame.facts?.[0]).toBe(`Total rows: ${rowsMax}`)
  expect(JSON.stringify(frame)).not.toContain('ann@')
})

test('a further look at it holds up no one else, and one agent looks at one at a time', async () => {
  const framing = threadFraming()
  const looks: { readonly agent: string; readonly bytes: number }[] = []
  let atOnce = 0
  const noting: Framing = {
    ...framing,
    page: async (agent, given) => {
      looks.push({ agent, bytes: given.json.length })
      atOnce += 1
      expect(atOnce).toBe(1)
      const page = await framing.page(agent, given)
      atOnce -= 1
      return page
    },
  }
  const { on, gateway } = await large(noting, 5_000)
  const kept = async (tool?: string) => {
    const intent = await allowed(on, {}, tool)
    const { handle } = await gateway.call({ intent, presenter: 'bot' })
    return handle?.id ?? ''
  }
  const [handle, small] = [await kept('list'), await kept()]
  const look = (id: string, query: object) =>
    gateway.expand({ handle: id, caller: 'bot', query }).catch((error: unknown) => error)
  const [page, filtered, eve, few] = await Promise.all([
    look(handle, { offset: 49 }),
    look(handle, { filter: { mail: 'ann@example.com' } }),
    gateway.expand({ handle, caller: 'eve', query: {} }).catch((error: unknown) => error),
    look(small, {}),
  ])
  expect(page).toMatchObject({ table: [{ id: 7, mail: '[REDACTED]' }], handle: { rows: 5_000 } })
  expect(filtered).toMatchObject({ table: [] })
  expect(eve).toMatchObject({ code: 'handle_refused' })
  expect(few).toMatchObject({ table: [{ sent: true }] })
  // What is small, or not the caller's, needs no thread.
  expect(looks.map(({ agent }) => agent)).toEqual(['bot', 'bot'])
  expect(looks[0]?.bytes).toBeGreaterThan(framedHereBytesMax)
})

test('where it cannot be framed nothing of it is shown, and the call was carried out', async () => {
  const reading = threadFraming()
  const broken: Framing = {
    framed: () => Promise.resolve(null),
    read: (agent, given) => reading.read(agent, given),
    page: () => Promise.resolve(null),
    close: () => reading.close(),
  }
  const { on, gateway } = await large(broken, 5_000)
  const intent = await allowed(on, {}, 'list')
  const { frame, handle } = await gateway.call({ intent, presenter: 'bot' })
  const warnings = [{ code: 'chars', path: '' }]
  expect(frame).toEqual({ mode: 'handle_only', handle: { rows: 5_000 }, warnings })
  const look = gateway.expand({ handle: handle?.id ?? '', caller: 'bot', query: {} })
  expect(await look).toEqual({ mode: 'handle_only', handle: null, warnings })
  const small = await gateway.call({ intent: await allowed(on), presenter: 'bot' })
  expect(small.frame.mode).toBe('summary')
})
