// Who may agree, how many must, to what, and by when.
import { expect, test } from 'vitest'
import { nameOf } from '#core/kernel/names'
import { publicKeyOf } from '#core/kernel/signature'
import { newKey } from '../../support/runtime.ts'
import {
  answer,
  another,
  anyArgs,
  codes,
  deletion,
  erase,
  expectReplay,
  forge,
} from '../../support/scene.ts'
import { look, place, reason, recoveries, reviewed, reviewOf } from '../../support/scene.ts'
import { scene, verdict, type Scene, type SceneSetup } from '../../support/scene.ts'

const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const minute = 60_000
const four = {
  id: 'four',
  tier: 'four_eyes' as const,
  sessionless: true,
  group: 'desk',
  quorum: 1,
  decideWithinMs: minute,
  useWithinMs: minute,
}
const quick = {
  id: 'quick',
  tier: 'confirm' as const,
  decideWithinMs: minute,
  useWithinMs: minute,
}
const members = ['olga', 'piet', 'quin', 'bot', 'sub', 'lone']
const setup = {
  catalog: {
    capabilities: [look, erase, write],
    principals: [
      { id: 'sub', owner: 'bot' },
      { id: 'helper', owner: 'piet' },
      { id: 'lone', roles: ['writer'], keys: [publicKeyOf(newKey())] },
    ],
    groups: [{ id: 'desk', members }],
    confirmations: [four, quick, { ...four, id: 'pair', quorum: 2 }],
  },
}
const asking = (confirmation?: string): SceneSetup => ({
  ...setup,
  graph: deletion({ name: 'ask', ...(confirmation !== undefined && { confirmation }) }),
})
const intent = { tool: 'erase' }

async function expectOpen(on: Scene, address: string): Promise<void> {
  await on.watch.settled(on.log)
  expect(await on.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
}

test('a review carries all that a person needs, and the digest of what is shown', async () => {
  const on = await scene(asking('quick'))
  const said = {
    tool: 'erase',
    args: { path: 'notes/a.txt' },
    goal: 'tidy up',
    justification: reason,
  }
  const address = await reviewed(on, { intent: said })
  const review = await reviewOf(on.log, address)
  expect(review).toMatchObject({
    tier: 'confirm',
    confirmation: 'quick',
    confirmers: ['olga'],
    quorum: 1,
    number: 1,
    previous: null,
    questions: [{ kind: 'policy', policy: 'ask', source: 'delete', target: 'file' }],
    terms: { capability: 'erase', args: { path: 'notes/a.txt' }, useWithinMs: minute },
    shown: { owner: 'olga', goal: 'tidy up', justification: reason, safetyClass: 'READ' },
    policies: [{ policy: 'ask', source: 'delete', target: 'file', result: null }],
  })
  expect(Date.parse(review.decideBy)).toBe(on.time.now + minute)
  expect(await on.bot.reviews()).toMatchObject([
    { intent: address, review: { digest: review.digest } },
  ])
})

test('as many as the quorum must agree, and each counts once', async () => {
  const on = await scene(asking('pair'))
  const address = await reviewed(on, { intent })
  await answer(on, address, { by: 'piet' })
  await expectOpen(on, address)
  await expect(answer(on, address, { by: 'piet' })).rejects.toMatchObject({ code: 'decided' })
  await expectOpen(on, address)
  await answer(on, address, { by: 'quin' })
  const allowed = await verdict(on.log, address)
  expect(allowed).toMatchObject({ outcome: 'allow', confirmedBy: ['piet', 'quin'] })
  await expectReplay(on)
})

test('one no is enough, whoever else agreed', async () => {
  const on = await scene(asking('pair'))
  const address = await reviewed(on, { intent })
  await answer(on, address, { by: 'piet' })
  await answer(on, address, { by: 'quin', answers: false })
  expect(recoveries(await verdict(on.log, address))).toEqual(['declined never'])
  await expectReplay(on)
})

test('each question has its answer, and one no among them declines', async () => {
  const graph = deletion({ name: 'first' }, { name: 'second', confirmationMessage: 'really?' })
  const on = await scene({ ...setup, graph })
  const address = await reviewed(on, { intent })
  const { questions } = await reviewOf(on.log, address)
  expect(questions.map(({ message }) => message)).toEqual([undefined, 'really?'])
  await answer(on, address, { answers: [true, false] })
  expect(codes(await verdict(on.log, address))).toEqual(['declined'])
  const again = await reviewed(on, { intent })
  await answer(on, again, { answers: [true, true] })
  expect((await verdict(on.log, again)).outcome).toBe('allow')
})

test('an answer to fewer or more questions than were asked is none', async () => {
  for (const answers of [[], [true, true], [false, false]]) {
    const on = await scene(asking('quick'))
    const address = await reviewed(on, { intent })
    await forge(on, address, { content: { answers } })
    await expectOpen(on, address)
    on.time.pass(minute + 1)
    expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
  }
})

test.each([
  ['14 characters', 'x'.repeat(14), 'insufficient_justification ask'],
  ['14 and spaces around them', ` ${'x'.repeat(14)}\n`, 'insufficient_justification ask'],
  ['14 that are two units each', '😀'.repeat(14), 'insufficient_justification ask'],
  ['nothing', undefined, 'insufficient_justification ask'],
])('where a reason is asked for, a note of %s does not allow it', async (_, note, expected) => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'write' } })
  const { questions, tier } = await reviewOf(on.log, address)
  expect({ tier, kinds: questions.map(({ kind }) => kind) }).toEqual({
    tier: 'confirm',
    kinds: ['justification'],
  })
  await answer(on, address, note === undefined ? {} : { note })
  expect(recoveries(await verdict(on.log, address))).toEqual([expected])
  await expectReplay(on)
})

test.each([
  ['15 characters', 'x'.repeat(15)],
  ['15 that are two units each', '😀'.repeat(15)],
])('where a reason is asked for, a note of %s allows it', async (_, note) => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'write' } })
  await answer(on, address, { note })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('a reason does not make a no a yes', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'write' } })
  await answer(on, address, { answers: false, note: reason })
  const denied = await verdict(on.log, address)
  expect(recoveries(denied)).toEqual(['insufficient_justification fix', 'declined never'])
})

test.each([
  ['safety_review', { safety: { level: 'review', issues: [] } }],
  ['requires_human', { safety: { level: 'safe', issues: [], requires_human: true } }],
  ['unearned_confidence', { confidence: 0.9 }],
])('a message may ask for people itself: %s', async (kind, message) => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'look' }, message })
  expect((await reviewOf(on.log, address)).questions.map((one) => one.kind)).toEqual([kind])
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
})

test('the agent may want an answer sooner, and never later, than the confirmation says', async () => {
  const on = await scene(asking('quick'))
  const at = (ms: number): string => new Date(on.time.now + ms).toISOString()
  const sooner = await reviewed(on, { intent: { ...intent, replyBy: at(1_000) } })
  expect((await reviewOf(on.log, sooner)).decideBy).toBe(at(1_000))
  const later = await reviewed(on, { intent: { ...intent, replyBy: at(2 * minute) } })
  expect((await reviewOf(on.log, later)).decideBy).toBe(at(minute))
  on.time.pass(1_001)
  expect(codes(await verdict(on.log, sooner))).toEqual(['review_expired'])
})

test('reviews of several agents wait beside one another, each for its own answer', async () => {
  const on = await scene(asking())
  const [one, other] = [await reviewed(on, { intent }), await reviewed(on, { intent })]
  await answer(on, other)
  expect((await verdict(on.log, other)).outcome).toBe('allow')
  await expectOpen(on, one)
  expect((await on.bot.reviews()).map((review) => review.intent)).toEqual([one])
  await another(on)
  await answer(on, one, { answers: false })
  expect(codes(await verdict(on.log, one))).toEqual(['declined'])
})
