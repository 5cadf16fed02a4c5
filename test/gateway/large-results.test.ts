// Large results: they are framed apart, and hold up no other call.
import { expect, test } from 'vitest'
import { threadFraming } from '#gateway/framing/thread'
import { memoryResults } from '#gateway/results/memory'
import { framedHereBytesMax, type Framing } from '#ports/framing'
import { answering } from '#gateway/answering'
import { sessionBudget } from '#gateway/session-budget'
import { endWithTest } from '../support/vitest/endings.ts'
import { count } from '../support/vitest/counts.ts'
import { allowed, post, stand, type Stand } from './gateway-stand.ts'

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
