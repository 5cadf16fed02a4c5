// What a program does with the runtime beside guarding: ask, publish, withdraw, agree, look back.
import { expect, test } from 'vitest'
import { partsOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { stages } from '#workers/stages'
import { newKey } from '../support/runtime.ts'
import { answer, another, anyArgs, codes, deletion } from '../support/scene.ts'
import { erase, expectReplay, groundingOf, look, names, place } from '../support/scene.ts'
import { recoveries, reviewed, reviewOf, scene, verdict } from '../support/scene.ts'

const [mail, key] = ['agent 7@example.org', newKey()]
const setup = {
  catalog: {
    capabilities: [
      look,
      erase,
      { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs },
    ],
    principals: [
      { id: mail, owner: 'olga' },
      { id: 'signer', keys: [publicKeyOf(key)] },
    ],
  },
  graph: deletion({ name: 'ask' }),
}

async function closing(client: Warrant, use: (client: Warrant) => Promise<void>): Promise<void> {
  try {
    await use(client)
  } finally {
    await client.close()
  }
}

test('a client without an agent can publish nothing', async () => {
  const on = await scene(setup)
  const anonymous = await connect({ runtime: on.runtime })
  for (const act of [
    () => anonymous.ask({ tool: 'look' }),
    () => anonymous.publish({ type: 'claim', content: 'x', confidence: 0.5 }),
    () => anonymous.withdraw('bot.-.u1'),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'no_sender' })
  }
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([])
})

test.each([
  ['no tool', { tool: '' }],
  ['too many concepts', { tool: 'look', concepts: Array.from({ length: 65 }, String) }],
  ['a depth that there is not', { tool: 'look', minDepth: 9 }],
])('an intent that no one could read is not published: %s', async (_, intent) => {
  const on = await scene(setup)
  await expect(on.bot.ask(intent)).rejects.toMatchObject({ code: 'intent_invalid' })
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([])
})

test('a message that is not valid is not published, and all issues are listed', async () => {
  const on = await scene(setup)
  const evidence = { type: 'evidence', content: 'x', confidence: 2 }
  await expect(on.bot.publish(evidence)).rejects.toMatchObject({ code: 'message_invalid' })
  const half = { tool: 'look', args: { x: '\ud800' } }
  await expect(on.bot.ask(half)).rejects.toMatchObject({ code: 'message_invalid' })
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([])
})

test('a message of ten megabytes is refused by the log, and the session goes on', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  const content = 'x'.repeat(10 * 1024 * 1024)
  const large = on.bot.publish({ type: 'claim', content, confidence: 0.5 }, session)
  await expect(large).rejects.toMatchObject({ code: 'entry_invalid' })
  expect((await on.bot.ask({ tool: 'look' }, { session })).outcome).toBe('allow')
})

test('a verdict comes to the one who asked for it, and to anyone who asks later', async () => {
  const on = await scene(setup)
  const allowed = await on.bot.ask({ tool: 'look', args: { path: 'a' } })
  expect(allowed).toMatchObject({ outcome: 'allow', observed: false, reasons: [], gaps: [] })
  expect(await on.bot.verdict(allowed.intent)).toEqual(allowed)
  const other = await another(on, { stages: [] })
  expect(await other.bot.verdict(allowed.intent)).toEqual(allowed)
  await expectReplay(on)
})

test('many who wait for one verdict all get it', async () => {
  const on = await scene({ ...setup, stages: [] })
  const { address } = await on.bot.publish({
    type: 'query',
    content: 'x',
    payload: { intent: { tool: 'look' } },
  })
  const waiting = Array.from({ length: 20 }, () => on.bot.verdict(address))
  await another(on, { stages })
  const verdicts = await Promise.all(waiting)
  expect(new Set(verdicts.map(({ name }) => name)).size).toBe(1)
})

test('a session counts its messages, even those that are sent at once', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  const all = await Promise.all(
    Array.from({ length: 5 }, () => on.bot.ask({ tool: 'look' }, { session })),
  )
  for (const { intent } of all) {
    expect((await groundingOf(on.log, intent)).message.issues).toEqual([])
  }
  expect(session.seq).toBe(5)
  expect(
    all.every(({ intent }) => partsOf(`main.1.vlp.${intent}`, place)?.tokens[1] === session.id),
  ).toBe(true)
})

test('an agent whose name is no token is answered, limited, confirmed and traced like any other', async () => {
  const on = await scene(setup)
  const client = await connect({ as: mail, runtime: on.runtime })
  const session = client.session('a session: with odd / characters')
  const allowed = await client.ask({ tool: 'look' }, { session })
  expect(allowed.outcome).toBe('allow')
  const address = await reviewed(on, { as: mail, intent: { tool: 'erase' } })
  const review = await reviewOf(on.log, address)
  expect(review).toMatchObject({ confirmers: ['olga'], intent: { agent: mail } })
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  const { steps } = await client.read('trace', { intent: allowed.intent })
  const kinds = steps.map(({ name }) => partsOf(name, place)?.kind)
  expect(kinds).toEqual(['vlp', 'grounding', 'rate', 'verdict'])
  const { address: open } = await client.publish({
    type: 'query',
    content: 'x',
    payload: { intent: { tool: 'erase' } },
  })
  await reviewOf(on.log, open)
  await client.withdraw(open)
  expect(codes(await verdict(on.log, open))).toEqual(['withdrawn'])
  await expectReplay(on)
})

test('an agent with a key signs its messages, and withdraws only what it signed', async () => {
  const on = await scene(setup)
  const signer = await connect({ as: 'signer', privateKey: key, runtime: on.runtime })
  expect((await signer.ask({ tool: 'look' })).outcome).toBe('allow')
  const thief = await connect({ as: 'signer', privateKey: newKey(), runtime: on.runtime })
  expect(recoveries(await thief.ask({ tool: 'look' }))).toEqual(['sender_mismatch never'])
  const quiet = await scene({ ...setup, stages: [] })
  const own = await connect({ as: 'signer', privateKey: key, runtime: quiet.runtime })
  const other = await connect({ as: 'signer', privateKey: newKey(), runtime: quiet.runtime })
  const payload = { intent: { tool: 'look' } }
  const [kept, taken] = [
    await own.publish({ type: 'query', content: 'x', payload }),
    await own.publish({ type: 'query', content: 'x', payload }),
  ]
  await other.withdraw(kept.address)
  await own.withdraw(taken.address)
  await another(quiet, { stages })
  expect((await verdict(quiet.log, kept.address)).outcome).toBe('allow')
  expect(codes(await verdict(quiet.log, taken.address))).toEqual(['withdrawn'])
})

test('no one withdraws what is another agent’s', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { as: mail, intent: { tool: 'erase' } })
  await expect(on.bot.withdraw(address)).rejects.toMatchObject({ code: 'not_yours' })
})

test('open reviews are listed, oldest first, until they have their verdict', async () => {
  const on = await scene(setup)
  const first = await reviewed(on, { intent: { tool: 'erase' } })
  const both = [first, await reviewed(on, { intent: { tool: 'write' } })]
  expect((await on.bot.reviews()).map(({ intent }) => intent)).toEqual(both)
  await answer(on, first, { answers: false })
  await verdict(on.log, first)
  await on.runtime.follower.reached((await on.log.head()).position)
  expect((await on.bot.reviews()).map(({ intent }) => intent)).toEqual(both.slice(1))
})

test.each([
  ['a key that is not theirs', { privateKey: newKey() }],
  ['someone whom no one asked', { by: 'piet' as const }],
  ['a digest of something else', { digest: `sha256:${'0'.repeat(64)}` }],
  ['too many answers', { answers: [true, true] }],
])('a slip costs no one the answer: %s', async (_, given) => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await expect(answer(on, address, given)).rejects.toMatchObject({ code: 'decision_void' })
  expect(await names(on.log, 'main.1.decision.>')).toEqual([])
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
})

test('an answer that comes too late is reported and not bound', async () => {
  const on = await scene({ ...setup, stages: stages.filter(({ name }) => name !== 'confirmation') })
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  on.time.pass(900_001)
  await expect(answer(on, address)).rejects.toMatchObject({ code: 'decision_void' })
  await expect(answer(on, 'bot.-.nothing')).rejects.toMatchObject({ code: 'no_review' })
})

test('a trace shows the whole story of one intent and nothing else', async () => {
  const on = await scene(setup)
  const kindsOf = async (address: string) => {
    const { steps } = await on.bot.read('trace', { intent: address })
    return steps.map(({ name }) => partsOf(name, place)?.kind)
  }
  const session = on.bot.session()
  const running = on.bot.guard('erase', () => 'done')({}, { session })
  const asked = await new Promise<string>((resolve) => {
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind === 'review') resolve(parts.address ?? '')
    })
  })
  const other = await on.bot.ask({ tool: 'look' }, { session })
  await answer(on, asked)
  await running
  const decided = ['vlp', 'grounding', 'asked', 'review', 'decision', 'rate', 'verdict']
  expect(await kindsOf(asked)).toEqual([...decided, 'ownstart', 'ownoutcome'])
  expect(await kindsOf(other.intent)).toEqual(['vlp', 'grounding', 'rate', 'verdict'])
  await expect(kindsOf('bot.-.nothing')).rejects.toMatchObject({ code: 'no_intent' })
})

test('a client of its own runs the stages, and ends what it began', async () => {
  await closing(await connect({ as: 'bot', log: 'memory:' }), async (client) => {
    const found = codes(await client.ask({ tool: 'look' }))
    expect(found).toEqual(['unknown_agent', 'unknown_capability'])
  })
  const reader = await connect({ as: 'bot', log: 'memory:', stages: false })
  await closing(reader, async (client) => {
    const waiting = client.ask({ tool: 'look' }, { waitMs: 1 })
    await expect(waiting).rejects.toMatchObject({ code: 'no_verdict' })
  })
  await expect(
    reader.publish({ type: 'claim', content: 'x', confidence: 0 }),
  ).rejects.toMatchObject({
    code: 'log_closed',
  })
})
