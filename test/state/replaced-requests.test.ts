// A request that brings the reason which the open one lacks takes its place: never are two open,
// and no one waits for what was given.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { partsInRealm } from '#record/names'
import type { Verdict } from '#replay/verdicts/verdict'
import { count } from '../support/vitest/counts.ts'
import { factsOf, foldAll, restored, textOf } from '../replay/eras/parts/fold.ts'
import { another, answer, codes, expectReplay, judged, look, reason } from '../support/scene.ts'
import { reviewed, say, scene, verdict, type Saying, type Scene } from '../support/scene.ts'
import { changeCatalog, newKey } from '../support/runtime.ts'
import { publicKeyOf } from '#record/crypto/private-key'

const send = { ...look, id: 'send', safetyClass: 'WRITE' as const }
const intent = { tool: 'send', args: { to: 'ann' } }
const reasoned = { ...intent, justification: reason }

function sending(rules = newestRules, more = {}): Promise<Scene> {
  return scene({ catalog: { capabilities: [look, send], rules, ...more } })
}

/** The verdict that decides it: of the one that took its place, or was there before it. */
async function decided(on: Scene, address: string): Promise<Verdict> {
  const found = await verdict(on.log, address)
  const [last] = found.reasons.slice(-1)
  const { fact } = last?.params ?? {}
  const next = fact === undefined ? null : partsInRealm(fact, 'main')?.address
  return next === null || next === undefined ? found : decided(on, next)
}

test('what brings the reason takes the place of what lacks it', async () => {
  const on = await sending()
  const first = await reviewed(on, { intent })
  const second = await say(on.log, { intent: reasoned })
  expect((await verdict(on.log, second)).outcome).toBe('allow')
  const { outcome, reasons } = await verdict(on.log, first)
  expect(outcome).toBe('deny')
  expect(reasons.at(-1)).toEqual({
    code: 'withdrawn',
    recover: 'never',
    params: { cause: 'replaced', fact: `main.1.vlp.${second}` },
  })
  await on.watch.settled(on.log)
  expect(on.runtime.follower.state.intents.size).toBe(0)
  await expectReplay(on)
})

test.each([
  ['of another session', { session: 'S-2026-01-01-bot-012345', intent: reasoned }],
  ['with other arguments', { intent: { ...reasoned, args: { to: 'bea' } } }],
  ['that says it is distinct', { intent: { ...reasoned, distinct: true } }],
  ['that is observed only', { intent: { ...reasoned, observe: true } }],
])('a request %s leaves the open one where it is', async (_, saying) => {
  const on = await sending()
  const first = await reviewed(on, { intent })
  await judged(on, saying)
  await on.watch.settled(on.log)
  expect(on.runtime.follower.state.intents.get(first)?.withdrawn).toBe(null)
  await expectReplay(on)
})

test.each([
  ['gives none either', { intent }],
  ['gives one that is too short', { intent: { ...intent, justification: 'because' } }],
  ['is no sound message', { intent: reasoned, message: { type: 'whatever' } }],
  ['is not the agent’s own', { intent: reasoned, message: { sender: 'honest' } }],
])('nothing is replaced by what %s', async (_, saying) => {
  const on = await sending()
  const first = await reviewed(on, { intent })
  expect((await judged(on, saying)).outcome).toBe('deny')
  expect(on.runtime.follower.state.intents.get(first)?.withdrawn).toBe(null)
  await expectReplay(on)
})

test('who has a key replaces only with what it signed', async () => {
  const on = await sending()
  const privateKey = newKey()
  const before = on.runtime.follower.state.catalog.principals.get('bot')
  if (before === undefined) throw new Error('no bot')
  const entry = { ...before, keys: [publicKeyOf(privateKey)] }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  const first = await reviewed(on, { intent, privateKey })
  expect((await judged(on, { intent: reasoned })).outcome).toBe('deny')
  expect(on.runtime.follower.state.intents.get(first)?.withdrawn).toBe(null)
  expect((await judged(on, { intent: reasoned, privateKey })).outcome).toBe('allow')
  await expectReplay(on)
})

test('what people are asked for another cause is not replaced', async () => {
  const condition = {
    name: 'big',
    effect: 'confirm' as const,
    when: 'true',
    question: 'is it to be done?',
  }
  const asks = { ...look, id: 'asks', conditions: [condition] }
  const on = await scene({ catalog: { capabilities: [asks], rules: newestRules } })
  const of = { tool: 'asks', args: {} }
  const first = await reviewed(on, { intent: of })
  const again = await judged(on, { intent: { ...of, justification: reason } })
  expect(codes(again)).toEqual(['duplicate_request'])
  await answer(on, first)
  expect((await verdict(on.log, first)).outcome).toBe('allow')
  await expectReplay(on)
})

test('the client withdraws the first where the rules of the log replace nothing', async () => {
  const on = await sending(6)
  const first = await reviewed(on, { intent })
  const { outcome, intent: second } = await on.bot.ask(reasoned)
  expect({ outcome, isNew: second !== first }).toEqual({ outcome: 'allow', isNew: true })
  expect(codes(await verdict(on.log, first)).at(-1)).toBe('withdrawn')
  await expectReplay(on)
})

test('who waits for the first gets what the second gets', async () => {
  const on = await sending()
  const two = await another(on)
  const waiting = on.bot.ask(intent)
  const { position } = await on.log.head()
  await two.runtime.follower.reached(position)
  const second = await two.bot.ask(reasoned)
  expect(await waiting).toMatchObject({ intent: second.intent, outcome: 'allow' })
  await expectReplay(on)
})

test('a guarded call with a reason runs once for all who called for the same', async () => {
  const on = await sending()
  let runs = 0
  const guarded = on.bot.guard('send', ({ to }: { to: string }) => `${to} ${(runs += 1)}`)
  const first = guarded({ to: 'ann' })
  const [second, third] = [
    guarded({ to: 'ann' }, { justification: reason }),
    guarded({ to: 'ann' }),
  ]
  expect(await Promise.all([first, second, third])).toEqual(['ann 1', 'ann 1', 'ann 1'])
  await expectReplay(on)
})

test('what is replaced is recognised in a state that was restored', async () => {
  const on = await sending()
  await reviewed(on, { intent })
  await judged(on, { intent: reasoned })
  await on.watch.settled(on.log)
  const facts = await factsOf(on.log)
  const whole = textOf(foldAll(facts))
  for (let at = 0; at <= facts.length; at += 1) {
    const copy = restored(foldAll(facts.slice(0, at)))
    expect(textOf(foldAll(facts.slice(at), copy))).toBe(whole)
  }
})

const sayings: readonly Saying[] = [
  { intent },
  { intent: { ...intent, justification: 'because' } },
  { intent: reasoned },
  { intent: { ...reasoned, goal: 'again' } },
]
const turns = fc.array(
  fc.record({ says: fc.nat(sayings.length - 1), waits: fc.boolean(), by: fc.nat(1) }),
  { minLength: 1, maxLength: 6 },
)

test('whatever is asked in whatever order, at most one is open and each reason counts', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (said) => {
      const on = await sending()
      const two = await another(on)
      const reasons: string[] = []
      for (const { says, waits, by } of said) {
        const saying = sayings[says] ?? {}
        const address = await say((by === 0 ? on : two).log, saying)
        if (says >= 2) reasons.push(address)
        if (waits) await on.watch.settled(on.log)
      }
      await on.watch.settled(on.log)
      await on.runtime.follower.reached((await on.log.head()).position)
      expect(on.runtime.follower.state.intents.size).toBeLessThanOrEqual(1)
      for (const address of reasons) expect((await decided(on, address)).outcome).toBe('allow')
      await expectReplay(on)
    }),
    { numRuns: count(60, 8), seed: 7 },
  )
})
