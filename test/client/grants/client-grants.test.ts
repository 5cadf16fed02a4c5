// Grants from a program: what is shown is what is signed, what it would have let through is shown
// before, and two processes never take more than there is.
import { expect, test } from 'vitest'
import { stages } from '#workers/stages'
import { changeCatalog, keys } from '../../support/runtime.ts'
import { another, answer, anyArgs, expectReplay, judged, names } from '../../support/scene.ts'
import { reviewed, say, scene, verdict } from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'

const hour = 3_600_000
const large = { name: 'large', effect: 'confirm' as const, when: 'args.n > 10' }
const setup = {
  catalog: {
    capabilities: [
      { id: 'pay', safetyClass: 'READ' as const, argsSchema: anyArgs, conditions: [large] },
    ],
    limits: [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }],
  },
}
const pay = (n: number) => ({ intent: { tool: 'pay', args: { n } } })
const usual = { confirmer: 'olga', when: 'args.n < 50', uses: 2, forMs: hour }

async function granted(on: Scene, wanted: object = {}) {
  const intent = await reviewed(on, pay(11))
  await answer(on, intent)
  const shown = await on.bot.grantPreview({ ...usual, intent, ...wanted })
  const fact = await on.bot.grant({ shown, privateKey: keys.olga })
  return { intent, shown, fact }
}

test('what is shown is signed as it is, and counts at once', async () => {
  const on = await scene(setup)
  const { shown, fact } = await granted(on)
  expect(fact.name).toBe(`main.1.grant.${shown.id}.olga`)
  expect(shown.text.join('\n')).toContain('calls       args.n < 50')
  const verdicts = [await judged(on, pay(12)), await judged(on, pay(49))]
  expect(verdicts.map(({ grants }) => grants?.map(({ use }) => use))).toEqual([[1], [2]])
  // What was changed after it was shown is not what was signed.
  const more = { ...shown, id: `${shown.id}X`, grant: { ...shown.grant, uses: 1_000_001 } }
  await expect(on.bot.grant({ shown: more, privateKey: keys.olga })).rejects.toThrow('/uses')
  await expectReplay(on)
})

test('the preview counts what fits, shows what people declined first, and warns', async () => {
  const on = await scene(setup)
  for (const n of [11, 12, 60]) {
    const intent = await reviewed(on, pay(n))
    await answer(on, intent, n === 12 ? { answers: false } : {})
  }
  const intent = await reviewed(on, pay(13))
  const preview = async (when: string, more = {}) =>
    (await on.bot.grantPreview({ ...usual, intent, when, ...more })).preview
  const some = await preview('args.n < 50')
  expect(some).toMatchObject({ asked: 4, fits: 3, declined: 1, beyond: 1, warnings: [] })
  expect(some.first[0]).toMatchObject({ args: { n: 12 }, declined: true, outcome: 'deny' })
  expect((await preview('true')).warnings).toEqual(['reads_nothing'])
  expect((await preview('args.n > 0 || args.n <= 0')).warnings).toEqual(['all_fit'])
  expect((await preview('intent.goal == ""')).warnings).toEqual(['own_words', 'all_fit'])
  const budget = { of: 'args.n', max: '24' }
  expect(await preview('args.n < 50', { uses: 9, budget })).toMatchObject({
    beyond: 1,
    amount: '23',
  })
  await expect(preview('args.m.x < 50 &&')).rejects.toMatchObject({ code: 'grant_void' })
})

test('the arguments that an agent crafts fit exactly, or not at all', async () => {
  const on = await scene(setup)
  await granted(on, { when: 'args.to == "ann@x.com" && args.n < 50', uses: 9 })
  const to = async (text: unknown, n: unknown = 12) => {
    const args = JSON.parse(JSON.stringify({ n, to: text }))
    const address = await say(on.log, { intent: { tool: 'pay', args } })
    await on.watch.settled(on.log)
    return (await names(on.log, `main.1.use.*.*`)).length + (address === '' ? 1 : 0)
  }
  expect(await to('ann@x.com')).toBe(1)
  for (const text of [
    'ann@x.com ',
    'ANN@x.com',
    'ann@x.com\u200b',
    '\u0430nn@x.com',
    ['ann@x.com'],
  ])
    expect(await to(text)).toBe(1)
  for (const n of ['12', 60, [12], null, 1e308]) expect(await to('ann@x.com', n)).toBe(1)
})

/** Waits until each has its verdict, or people are asked about it. */
async function settled({ log, runtime }: Scene, asked: readonly string[]): Promise<void> {
  const abort = new AbortController()
  const left = new Set(asked)
  for await (const { name, position } of log.follow(1, abort.signal)) {
    const [, , kind = '', ...tokens] = name.split('.')
    if (kind === 'verdict' || kind === 'review') left.delete(tokens.slice(0, 3).join('.'))
    if (left.size > 0) continue
    await runtime.follower.reached(position)
    abort.abort()
  }
}

test('two processes that race for the last use take it once', async () => {
  const on = await scene({ ...setup, stages: [] })
  const workers = [await another(on, { stages }), await another(on, { stages })]
  const [first] = workers
  if (first === undefined) throw new Error('it was started')
  await granted(first, { uses: 3 })
  const asked = await Promise.all([12, 13, 14, 15, 16, 17].map((n) => say(on.log, pay(n))))
  await settled(first, asked)
  expect(await names(on.log, 'main.1.use.>')).toHaveLength(3)
  const open = asked.filter((address) => first.runtime.follower.state.intents.has(address))
  expect(open).toHaveLength(3)
  for (const address of asked) {
    if (open.includes(address)) continue
    expect(await verdict(on.log, address)).toMatchObject({ outcome: 'allow', confirmedBy: [] })
  }
  await expectReplay(on)
})

test('who may not answer the review may not answer beforehand either', async () => {
  const on = await scene(setup)
  const intent = await reviewed(on, pay(11))
  const as = (confirmer: string) => on.bot.grantPreview({ ...usual, intent, confirmer })
  await expect(as('piet')).rejects.toThrow('may not answer this')
  const shown = await as('olga')
  await expect(on.bot.grant({ shown, privateKey: keys.piet })).rejects.toThrow('no key of this')
  await changeCatalog(on.runtime, { op: 'suspend', id: 'olga' })
  await expect(on.bot.grant({ shown, privateKey: keys.olga })).rejects.toThrow('no active')
  expect(await names(on.log, 'main.1.grant.>')).toEqual([])
})

test('one that is taken back answers for nothing, and what rests on it is not begun', async () => {
  const on = await scene(setup)
  const runs: unknown[] = []
  const guarded = on.bot.guard('pay', (args: { n: number }) => Promise.resolve(runs.push(args)))
  const { fact } = await granted(on, { uses: 5 })
  await guarded({ n: 12 })
  const allowed = await judged(on, pay(13))
  const by = { by: 'olga', privateKey: keys.olga }
  const gone = await on.bot.revoke({ target: { grant: fact.name }, ...by })
  expect(on.runtime.follower.state.grants.byId.values().next().value?.endedBy).toBe(gone.name)
  await expect(on.bot.redeem(allowed.intent)).rejects.toMatchObject({ code: 'warrant_revoked' })
  expect(runs).toHaveLength(1)
  await reviewed(on, pay(14))
  expect(await names(on.log, 'main.1.use.>')).toHaveLength(2)
  await expectReplay(on)
})
