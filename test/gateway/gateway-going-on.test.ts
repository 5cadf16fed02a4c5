// A gateway that was begun again goes on with what it left, where trying again is harmless: with
// the same key, and only as long as nothing stops it.
import { expect, test } from 'vitest'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { digestOfJson } from '#record/digest'
import { nameOf } from '#record/names'
import { idempotencyKey } from '#gateway/carried'
import { gatewayId } from '#gateway/gateway-id'
import { bindWord } from '#gateway/words'
import type { LocalTool } from '#gateway/tools/local'
import { connect } from '#client/connect'
import { changeCatalog, keys } from '../support/runtime.ts'
import { place } from '../support/scene.ts'
import { allowed, gatewayOn, outcomeOf, post, stand, type Stand } from './gateway-stand.ts'

const idempotent = { ...post, execution: { idempotent: true, timeoutMs: 30_000 } }
/** One that has ended: no process has this number. */
const dead = (name = 'gw'): string => gatewayId(name).replace(/:\d+:/, ':2147483646:')

interface Left extends Stand {
  readonly intent: string
}

/** A call that a gateway began, as far as the log knows, before it died. */
async function left(
  of: { readonly isIdempotent?: boolean; readonly gateway?: string; readonly forMs?: number } = {},
): Promise<Left> {
  const { isIdempotent = true, gateway = dead(), forMs = 40_000 } = of
  const all = await stand({ capabilities: [isIdempotent ? idempotent : post] })
  const intent = await allowed(all)
  await all.gateway.close()
  await begun(all, intent, { gateway, until: all.on.time.now + forMs })
  return { ...all, intent }
}

async function begun(
  { on }: Stand,
  intent: string,
  { gateway, until }: { readonly gateway: string; readonly until: number },
): Promise<void> {
  await bindWord(on.runtime, 'start', {
    gateway,
    intent: { address: intent, agent: 'bot', session: null },
    said: {
      verdict: nameOf(place, 'verdict', intent),
      gateway,
      until: new Date(until).toISOString(),
      capability: 'post',
      executed: digestOfJson({ to: 'ann', copies: 1 }),
    },
  })
}

/** Opens it again, lets time pass until the call has ended, and gives the outcome. */
async function ended(at: Left, tools: Readonly<Record<string, LocalTool>> = {}) {
  gatewayOn(at.on, at.ran, tools)
  for (let turn = 0; turn < 500 && (await outcomeOf(at, at.intent)) === null; turn += 1) {
    at.on.time.pass(100)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return outcomeOf(at, at.intent)
}

test('it goes on with the same key and arguments, and binds the one outcome', async () => {
  const at = await left()
  const given: unknown[] = []
  const tools: Record<string, LocalTool> = {
    post: (args, { key }) => {
      given.push([args, key])
      return 'sent'
    },
  }
  const { state } = at.on.runtime.follower
  expect(await ended(at, tools)).toMatchObject({ outcome: 'succeeded' })
  expect(given).toEqual([[{ to: 'ann', copies: 1 }, idempotencyKey(state, at.intent)]])
  expect(state.running.size + state.unsettled.size).toBe(0)
})

test('of two that go on with it one binds the outcome, and both with one key', async () => {
  const at = await left()
  const tried = new Set<string>()
  const tools: Record<string, LocalTool> = {
    post: (_, { key }) => {
      tried.add(key)
      return 'sent'
    },
  }
  gatewayOn(at.on, at.ran, tools)
  expect(await ended(at, tools)).toMatchObject({ outcome: 'succeeded' })
  expect(tried.size).toBe(1)
})

test('what is not idempotent is closed, and does not run', async () => {
  const at = await left({ isIdempotent: false })
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test('a gateway of another name waits for the last moment, and closes it then', async () => {
  const at = await left({ gateway: dead('other'), forMs: 5_000 })
  const until = at.on.time.now + 5_000
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.on.time.now).toBeGreaterThan(until)
  expect(at.ran).toEqual([])
})

test('too late to end in time, it is closed', async () => {
  const at = await left({ forMs: 3_000 })
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test('it ends before the last moment, however long the tool takes', async () => {
  const at = await left({ forMs: 20_000 })
  const until = at.on.time.now + 20_000
  const tools = { post: () => new Promise(() => undefined) }
  expect(await ended(at, tools)).toMatchObject({ outcome: 'unknown', code: 'timed_out' })
  expect(at.on.time.now).toBeLessThan(until)
})

test('an agent that was suspended since stops it, and no one claims that nothing was done', async () => {
  const at = await left()
  await changeCatalog(at.on.runtime, { op: 'suspend', id: 'bot' })
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test('so does a warrant that was taken back since', async () => {
  const at = await left()
  const person = await connect({ runtime: at.on.runtime })
  const verdict = nameOf(place, 'verdict', at.intent)
  await person.revoke({ target: { verdict }, by: 'olga', privateKey: keys.olga })
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test('so does a capability that was changed since', async () => {
  const at = await left()
  const driver = { kind: 'local' as const, operation: 'other' }
  const entry = { ...idempotent, driver, description: '', sensitivity: 'NONE' as const }
  const whole = { ...entry, concepts: [], allowedFields: [], tags: [] }
  await changeCatalog(at.on.runtime, { op: 'put', collection: 'capabilities', entry: whole })
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test('a start that someone made up runs nothing', async () => {
  const all = await stand({ capabilities: [idempotent] })
  const said = { tool: 'post', args: { to: 'ann' }, justification: 'because' }
  // What is only observed permits nothing.
  const { intent } = await all.on.bot.ask({ ...said, observe: true })
  await all.gateway.close()
  await begun(all, intent, { gateway: dead(), until: all.on.time.now + 40_000 })
  const at = { ...all, intent }
  expect(await ended(at)).toMatchObject({ outcome: 'unknown', code: 'gateway_stopped' })
  expect(at.ran).toEqual([])
})

test.each([
  ['nothing was done this time', new ToolFailure('unreachable', 'no'), 'unknown'],
  [
    'the first attempt is under way',
    new ToolFailure('http_status', 'yes', { status: 409 }),
    'unknown',
  ],
  [
    'the tool says that it failed',
    new ToolFailure('http_status', 'yes', { status: 422 }),
    'failed',
  ],
])('where %s', async (_, failure, outcome) => {
  const at = await left()
  const tools = {
    post: () => {
      throw failure
    },
  }
  expect(await ended(at, tools)).toMatchObject({ outcome, code: failure.code })
})
