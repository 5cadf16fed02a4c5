// Reviews that take hours: who waits, who comes back later, and that one approval is one run.
import { expect, test } from 'vitest'
import { pino } from 'pino'
import { newestRules } from '#rules/catalog/rules-version'
import { connect, Pending, Refused } from '#client/connect'
import { answer, another, bound, deletion, erase, expectReplay } from '../../support/scene.ts'
import { look, names, reviewed, scene, say, type Scene } from '../../support/scene.ts'

const hourMs = 3_600_000

const setup = {
  catalog: {
    capabilities: [look, erase],
    confirmations: [{ id: 'slow', tier: 'confirm' as const, decideWithinMs: 5 * hourMs }],
    rules: newestRules,
  },
  graph: deletion({ name: 'ask', confirmation: 'slow' }),
}

const args = { path: 'a' }

async function address(on: Scene): Promise<string> {
  const { name } = await bound(on.log, await reviewName(on))
  return name.split('.').slice(3, 6).join('.')
}

async function reviewName(on: Scene): Promise<string> {
  for (;;) {
    const [name] = await names(on.log, 'main.1.review.>')
    if (name !== undefined) return name
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Lets hours pass in steps, as clocks do. */
async function passed(on: Scene, hours: number): Promise<void> {
  for (let step = 0; step < hours * 4; step += 1) {
    await on.watch.settled(on.log)
    on.time.pass(hourMs / 4)
  }
  await on.runtime.follower.reached((await on.log.head()).position)
}

const failing = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

test('a guarded call waits for people as long as they may answer, and then it runs', async () => {
  const on = await scene(setup)
  const running = on.bot.guard('erase', (given) => given)(args)
  const intent = await address(on)
  await passed(on, 4)
  await answer(on, intent)
  expect(await running).toEqual(args)
  await expectReplay(on)
})

test('a review that no one answers ends in a refusal, not in a time-out', async () => {
  const on = await scene(setup)
  const refused = failing(on.bot.guard('erase', () => 'ran')(args))
  await address(on)
  await passed(on, 5)
  on.time.pass(1)
  expect(await refused).toMatchObject({ name: 'Refused', reasons: [{ code: 'review_expired' }] })
})

test('where no stage answers, no one waits for longer than a minute', async () => {
  const on = await scene({ ...setup, stages: [] })
  const pending = failing(on.bot.ask({ tool: 'erase', args }))
  await on.bot.publish({ type: 'claim', content: 'x', confidence: 0.5 })
  on.time.pass(60_000)
  expect(await pending).toBeInstanceOf(Pending)
})

test('a time-out has the intent, which is redeemed later: once, with what was judged', async () => {
  const on = await scene(setup)
  const runs: unknown[] = []
  const guarded = on.bot.guard('erase', (given) => runs.push(given))
  const pending = failing(guarded(args, { waitMs: 1_000 }))
  await address(on)
  await on.watch.settled(on.log)
  on.time.pass(1_000)
  const error = await pending
  if (!(error instanceof Pending)) throw new Error('it is another error')
  expect(error.forModel()).toContain('It waits for the approval of a person, until')
  expect(runs).toEqual([])
  await answer(on, error.intent)
  expect(await guarded.redeem(error.intent)).toBe(1)
  expect(runs).toEqual([args])
  await expect(guarded.redeem(error.intent)).rejects.toMatchObject({ code: 'warrant_used' })
  await expectReplay(on)
})

test('another process redeems it by its address, with the tool that it guards', async () => {
  const on = await scene(setup)
  const intent = await reviewed(on, { intent: { tool: 'erase', args } })
  const other = await another(on)
  await expect(other.bot.redeem(intent)).rejects.toMatchObject({ code: 'not_guarded' })
  const wrong = other.bot.guard('look', () => 'looked')
  await expect(wrong.redeem(intent)).rejects.toMatchObject({ code: 'warrant_differs' })
  await expect(other.bot.redeem('bot.-.nothing')).rejects.toMatchObject({ code: 'no_intent' })
  other.bot.guard('erase', (given) => given)
  const redeemed = other.bot.redeem(intent)
  await answer(on, intent)
  expect(await redeemed).toEqual(args)
  await expectReplay(on)
})

test('an intent that was declined is not redeemed, and the agent learns why', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('erase', () => 'ran')
  const intent = await reviewed(on, { intent: { tool: 'erase', args } })
  await answer(on, intent, { answers: false, note: 'the customer withdrew this by mail' })
  const refused = await failing(guarded.redeem(intent))
  expect(refused).toMatchObject({
    intent,
    reasons: [{ code: 'declined', params: { note: 'the customer withdrew this by mail' } }],
  })
  if (!(refused instanceof Refused)) throw new Error('it is another error')
  expect(refused.forModel()).toContain('the customer withdrew this by mail')
})

test('what is open is asked for once: another process waits for it and publishes nothing', async () => {
  const on = await scene(setup)
  const first = await reviewed(on, { intent: { tool: 'erase', args } })
  const other = await another(on)
  const again = other.bot.ask({ tool: 'erase', args, justification: 'asked once more' })
  const asked = other.bot.ask({ tool: 'erase', args, distinct: true })
  await answer(on, first)
  expect((await again).intent).toBe(first)
  expect(await names(on.log, 'main.1.vlp.>')).toHaveLength(2)
  const second = (await names(on.log, 'main.1.review.>')).find((name) => !name.includes(first))
  await answer(on, second?.split('.').slice(3, 6).join('.') ?? '')
  expect((await asked).intent).not.toBe(first)
  await expectReplay(on)
})

test('one that arrives all the same waits for the first, which its denial names', async () => {
  const on = await scene(setup)
  // Neither is in the log when the other is published.
  const both = [on.bot.ask({ tool: 'erase', args }), on.bot.ask({ tool: 'erase', args })]
  const first = await address(on)
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.vlp.>')).toHaveLength(2)
  await answer(on, first)
  expect((await Promise.all(both)).map(({ intent }) => intent)).toEqual([first, first])
})

test('a call that is repeated while it waits gets the result of the one run', async () => {
  const on = await scene(setup)
  let runs = 0
  const guarded = on.bot.guard('erase', () => (runs += 1))
  const both = [guarded(args), guarded({ path: 'a' })]
  await answer(on, await address(on))
  expect(await Promise.all(both)).toEqual([1, 1])
  expect(await names(on.log, 'main.1.vlp.>')).toHaveLength(1)
  await expectReplay(on)
})

test('who stops waiting takes nothing from a call that is equal', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('erase', () => 'ran')
  const leaving = new AbortController()
  const left = failing(guarded(args, { signal: leaving.signal }))
  const intent = await address(on)
  const other = guarded(args)
  leaving.abort(new Error('the user has left'))
  expect(await left).toMatchObject({ message: 'the user has left' })
  await answer(on, intent)
  expect(await other).toBe('ran')
  await expectReplay(on)
})

test('calls that may run at once run each by itself', async () => {
  const on = await scene(setup)
  let runs = 0
  const guarded = on.bot.guard('look', () => (runs += 1))
  await Promise.all([guarded({ n: 1 }), guarded({ n: 2 }), guarded({ n: 1 }, { distinct: true })])
  expect(runs).toBe(3)
})

test('while people are asked, one line says who, until when and how to answer', async () => {
  const lines: unknown[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const on = await scene({ ...setup, parts: { logger } })
  const bot = await connect({ as: 'bot', runtime: on.runtime, log: 'some/log.db' })
  const running = bot.guard('erase', () => 'ran')(args)
  const intent = await address(on)
  await answer(on, intent)
  expect(await running).toBe('ran')
  const short = intent.slice(-8)
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'waiting for approval',
      from: ['olga'],
      until: expect.stringMatching(/ UTC$/),
      answer: expect.stringMatching(new RegExp(`^warrant approve .*${short} --log some/log.db$`)),
      intent,
    }),
  ])
})

test('a request of someone else is never waited for', async () => {
  const on = await scene(setup)
  await say(on.log, { as: 'honest', intent: { tool: 'look', args } })
  expect((await on.bot.ask({ tool: 'look', args })).intent).toMatch(/^bot\./)
})
