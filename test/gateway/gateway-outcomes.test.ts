// What came of a call is in the log, whatever became of it: failed, not known, too late, left, or
// never ended.
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { nameOf } from '#record/names'
import { gatewayId, hasEnded } from '#gateway/gateway-id'
import { keys } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { answer, names, place, reviewed, verdict } from '../support/scene.ts'
import type { SceneSetup } from '../support/scene.ts'
import { logOf } from '../support/wrapped-log.ts'
import { allowed, gatewayOn, outcomeOf, post, stand } from './gateway-stand.ts'

const bot = 'bot'

describe('an outcome', () => {
  test('is recorded of a tool that throws, with its code alone, and the agent sees its words redacted', async () => {
    const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd'
    const tools = {
      post: () => {
        throw new ToolFailure('tool_error', 'yes', { text: `no order 7, ${secret}` })
      },
    }
    const all = await stand({ tools })
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'tool_failed' })
    const error: unknown = await call.catch((thrown: unknown) => thrown)
    const message = error instanceof Error ? error.message : secret
    expect(message).toContain('no order 7')
    expect(message).not.toContain(secret)
    expect(await outcomeOf(all, intent)).toEqual({
      intent: { address: intent, agent: bot, session: null },
      outcome: 'failed',
      code: 'tool_error',
    })
  })

  test('that no one knows stops the same call until a person has looked', async () => {
    const tools = {
      post: () => {
        throw new ToolFailure('connection_lost', 'unknown')
      },
    }
    const all = await stand({ tools })
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'unknown' })
    const again = await reviewed(all.on, { intent: { tool: 'post', args: { to: 'ann' } } })
    const [review] = await all.on.bot.reviews()
    expect(review?.review.questions).toEqual([{ kind: 'outcome_unknown', intent }])
    // Another call of the same tool is another thing.
    expect(await allowed(all, { to: 'ben' })).not.toBe(intent)
    await all.on.bot.settle({ intent, by: 'olga', privateKey: keys.olga, happened: false })
    expect(all.on.runtime.follower.state.unsettled.size).toBe(0)
    await answer(all.on, again)
    expect(await verdict(all.on.log, again)).toMatchObject({ outcome: 'allow' })
    expect(await allowed(all)).not.toBe(intent)
  })

  test('is recorded of a call that takes too long, and nothing waits for it', async () => {
    const slow = { ...post, execution: { timeoutMs: 1_000 } }
    const tools = { post: () => new Promise(() => undefined) }
    const all = await stand({ capabilities: [slow], tools })
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: bot })
    const ended = expect(call).rejects.toMatchObject({ code: 'outcome_unknown' })
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    await ended
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'unknown', code: 'timed_out' })
  })

  test('is recorded where the caller leaves', async () => {
    const leaving = new AbortController()
    const tools = {
      post: () => {
        leaving.abort()
        return new Promise(() => undefined)
      },
    }
    const all = await stand({ tools })
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: bot, signal: leaving.signal })
    const ended = expect(call).rejects.toMatchObject({ code: 'outcome_unknown' })
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    await ended
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'unknown', code: 'cancelled' })
  })

  test('of what is idempotent comes after at most three attempts, with one key', async () => {
    const tried: string[] = []
    const tools = {
      post: (_: unknown, { key }: { readonly key: string }) => {
        tried.push(key)
        if (tried.length < 3) throw new ToolFailure('connection_lost', 'unknown')
        return 'sent'
      },
    }
    const all = await stand({ capabilities: [{ ...post, execution: { idempotent: true } }], tools })
    const intent = await allowed(all)
    const call = all.gateway.call({ intent, presenter: bot })
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    expect((await call).value).toBe('sent')
    expect(new Set(tried).size).toBe(1)
    expect(tried).toHaveLength(3)
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'succeeded', attempts: 3 })
    const other = await allowed(all, { to: 'ben' })
    await all.gateway.call({ intent: other, presenter: bot })
    expect(new Set(tried).size).toBe(2)
  })
})

/** Lets time pass until it is so. */
async function passing(
  { on }: Awaited<ReturnType<typeof stand>>,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let turn = 0; turn < 200 && !(await isSo()); turn += 1) {
    on.time.pass(100)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a place to run', () => {
  test('is given in turn, and one slow tool delays no other', async () => {
    let release = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = { ...post, id: 'slow', driver: { ...post.driver, operation: 'slow' } }
    const narrow = { ...slow, execution: { concurrency: 1 } }
    const running: unknown[] = []
    const tools = {
      slow: async (args: unknown) => {
        running.push(args)
        await waiting
        return null
      },
    }
    const all = await stand({ capabilities: [post, narrow], tools })
    const first = await allowed(all, { to: 'a' }, 'slow')
    const second = await allowed(all, { to: 'b' }, 'slow')
    const calls = [first, second].map((intent) => all.gateway.call({ intent, presenter: bot }))
    const quick = await allowed(all)
    await all.gateway.call({ intent: quick, presenter: bot })
    expect(running).toEqual([{ to: 'a', copies: 1 }])
    // What waits has not begun: its warrant is still good.
    expect(await names(all.on.log, `main.1.start.${second}`)).toEqual([])
    release()
    await Promise.all(calls)
    expect(running).toHaveLength(2)
  })
})

describe('a call that was never ended', () => {
  test('is ended with what came of it once the log takes that again', async () => {
    let isOut = false
    const wrap: SceneSetup['wrap'] = (log) => ({
      ...logOf(log),
      append: (entry) => {
        if (!isOut || !entry.name.includes('.outcome.')) return log.append(entry)
        return Promise.reject(new Fault('log_unreachable', 'it does not answer'))
      },
    })
    const all = await stand({ wrap })
    const intent = await allowed(all)
    isOut = true
    const call = all.gateway.call({ intent, presenter: bot })
    await expect(call).rejects.toMatchObject({ code: 'log_unreachable' })
    expect(all.ran).toHaveLength(1)
    isOut = false
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'succeeded' })
    expect(all.on.runtime.follower.state.running.size).toBe(0)
  })

  test('is not one that is under way, also where it was called twice at once', async () => {
    let finish = (): void => undefined
    const sent = new Promise((resolve) => {
      finish = () => resolve('sent')
    })
    endWithTest(finish)
    const tools = { post: () => sent }
    const execution = { concurrency: 8, agentConcurrency: 8, timeoutMs: 600_000 }
    const all = await stand({ capabilities: [{ ...post, execution }], tools })
    const intent = await allowed(all)
    const calls = [1, 2, 3].map(() => all.gateway.call({ intent, presenter: bot }))
    let refused = 0
    for (const call of calls) call.catch(() => (refused += 1))
    await expect.poll(() => refused).toBe(2)
    let turns = 0
    await passing(all, () => Promise.resolve((turns += 1) > 50))
    expect(await outcomeOf(all, intent)).toBeNull()
    finish()
    const ends = await Promise.allSettled(calls)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'succeeded' })
  })

  test('is closed at once where its gateway has ended, and stays open where it runs', async () => {
    const all = await stand()
    const intent = await allowed(all)
    await all.gateway.close()
    await begun(all, intent, gatewayId('gw').replace(/:\d+:/, ':2147483646:'))
    gatewayOn(all.on, all.ran)
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    expect(await outcomeOf(all, intent)).toMatchObject({
      outcome: 'unknown',
      code: 'gateway_stopped',
    })
  })

  test('is closed after its last moment where nothing else shows it', async () => {
    const all = await stand()
    const intent = await allowed(all)
    await begun(all, intent, 'gw@elsewhere:1:0123456789ab')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await outcomeOf(all, intent)).toBeNull()
    await passing(all, async () => (await outcomeOf(all, intent)) !== null)
    expect(await outcomeOf(all, intent)).toMatchObject({ outcome: 'unknown', code: 'gateway_lost' })
  })

  test('is of a gateway that this process knows to be its own, or of a machine, or of neither', () => {
    const mine = gatewayId('gw')
    expect(hasEnded(mine, new Set([mine]))).toBe(false)
    expect(hasEnded(mine, new Set())).toBe(true)
    expect(hasEnded(mine.replace('@', '@not-'), new Set())).toBe(false)
    expect(hasEnded('gw', new Set())).toBe(false)
  })
})

/** Binds a start as that gateway would have. */
async function begun(
  { on }: Awaited<ReturnType<typeof stand>>,
  intent: string,
  gateway: string,
): Promise<void> {
  const { bindWord } = await import('#gateway/words')
  const until = new Date(on.time.now + 5_000).toISOString()
  const verdict = nameOf(place, 'verdict', intent)
  const executed = `sha256:${'0'.repeat(64)}`
  await bindWord(on.runtime, 'start', {
    gateway,
    intent: { address: intent, agent: bot, session: null },
    said: { verdict, gateway, until, capability: 'post', executed },
  })
}
