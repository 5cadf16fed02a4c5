// What a door for hooks knows of calls before it: it is in the log, and a log that was out of reach
// is asked again.
import { expect, test } from 'vitest'
import { hookMemory } from '#client/doors/hook-memory'
import { Pending } from '#client/pending'
import { Fault } from '#record/fault'
import { digestOfJson } from '#record/digest'
import { testRuntime } from '../../support/runtime.ts'
import { logOf } from '../../support/wrapped-log.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

test('a log that was out of reach is looked through at the next call', async () => {
  const on = await testRuntime({
    catalog: { capabilities: [{ id: 'send', safetyClass: 'WRITE', argsSchema: {} }] },
  })
  const { runtime, bot } = on
  endWithTest(() => runtime.stop())
  const session = bot.session('s1')
  const asked = bot.ask({ tool: 'send', args: {} }, { session, onReview: () => false })
  await expect(asked).rejects.toBeInstanceOf(Pending)

  let isGone = true
  const log = {
    ...logOf(runtime.log),
    read: (...range: Parameters<typeof runtime.log.read>) => {
      if (isGone) throw new Fault('log_unreachable', 'it is gone')
      return runtime.log.read(...range)
    },
  }
  const memory = hookMemory({ ...runtime, log })
  const digest = digestOfJson({ tool: 'send', args: {} })
  const find = () => memory.find({ principal: 'bot', session: 's1', digest, ran: digest })
  await expect(find()).rejects.toMatchObject({ code: 'log_unreachable' })
  isGone = false
  expect(await find()).toMatch(/^bot\.s1\./)
})
