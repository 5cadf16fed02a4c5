// Large results: they are framed apart, and hold up no other call.
import { expect, test } from 'vitest'
import { threadFraming } from '#adapters/framing/thread'
import type { Framing } from '#ports/framing'
import { answering } from '#runtime/gateway/answering'
import { sessionBudget } from '#runtime/gateway/session-budget'
import { endWithTest } from '../../support/vitest/endings.ts'
import { count } from '../../support/vitest/counts.ts'
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
  const gateway = answering({ runtime, gateway: on.gateway, framing, budget })
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

test('where it cannot be framed nothing of it is shown, and the call was carried out', async () => {
  const reading = threadFraming()
  const broken: Framing = {
    framed: () => Promise.resolve(null),
    read: (agent, given) => reading.read(agent, given),
    close: () => reading.close(),
  }
  const { on, gateway } = await large(broken, 5_000)
  const intent = await allowed(on, {}, 'list')
  const { frame } = await gateway.call({ intent, presenter: 'bot' })
  expect(frame).toEqual({
    mode: 'handle_only',
    handle: { rows: 5_000 },
    warnings: [{ code: 'chars', path: '' }],
  })
  const small = await gateway.call({ intent: await allowed(on), presenter: 'bot' })
  expect(small.frame.mode).toBe('summary')
})
