// Who may agree, how many must, to what, and by when.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { allow, deny, none, review } from '#testing/expected'
import { decision, passing } from '#testing/people'
import { intent as asked } from '#testing/steps'
import { given } from '../../support/given.ts'
import { newKey } from '../../support/runtime.ts'
import { answer, another, anyArgs, codes, deletion, erase, forge } from '../../support/scene.ts'
import { look, place, reason, reviewed, reviewOf } from '../../support/scene.ts'
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

test('as many as the quorum must agree, and each counts once', () => {
  const open = given(asking('pair'), asked('erase')).when(decision('piet')).then(none())
  expect(() => open.when(decision('piet'))).toThrow('is bound already')
  open.when(decision('quin')).then(allow({ release: { confirmedBy: ['piet', 'quin'] } }))
})

test('one no is enough, no matter who else agreed', () => {
  given(asking('pair'), asked('erase'), decision('piet'))
    .when(decision('quin', { answers: false }))
    .then(deny({ code: 'declined', recover: 'never' }))
})

test('each question has its answer, and one no among them declines', () => {
  const graph = deletion({ name: 'first' }, { name: 'second', confirmationMessage: 'really?' })
  const { review: shown, ...opened } = given({ ...setup, graph }).when(asked('erase'))
  expect(shown?.questions.map(({ message }) => message)).toEqual([undefined, 'really?'])
  const open = opened.then(review())
  open.when(decision('olga', { answers: [true, false] })).then(deny('declined'))
  open.when(decision('olga', { answers: [true, true] })).then(allow())
})

test('an answer to fewer or more questions than were asked is invalid', async () => {
  for (const answers of [[], [true, true], [false, false]]) {
    const on = await scene(asking('quick'))
    const address = await reviewed(on, { intent })
    await forge(on, address, { content: { answers } })
    await expectOpen(on, address)
    on.time.pass(minute + 1)
    expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
  }
})

const reasonAsked = given(setup)
  .when(asked('write'))
  .then(review({ tier: 'confirm', questions: [{ kind: 'justification' }] }))

test.each([
  ['14 characters', 'x'.repeat(14)],
  ['14 and spaces around them', ` ${'x'.repeat(14)}\n`],
  ['14 that are two units each', '😀'.repeat(14)],
  ['nothing', undefined],
])('where a reason is asked for, a note of %s does not allow it', (_, note) => {
  reasonAsked
    .when(decision('olga', note === undefined ? {} : { note }))
    .then(deny({ code: 'insufficient_justification', recover: 'ask' }))
})

test.each([
  ['15 characters', 'x'.repeat(15)],
  ['15 that are two units each', '😀'.repeat(15)],
])('where a reason is asked for, a note of %s allows it', (_, note) => {
  reasonAsked.when(decision('olga', { note })).then(allow())
})

test('a reason does not make a no a yes', () => {
  const lacking = { code: 'insufficient_justification', recover: 'fix' }
  reasonAsked
    .when(decision('olga', { answers: false, note: reason }))
    .then(deny(lacking, { code: 'declined', recover: 'never' }))
})

test.each([
  ['safety_review', { safety: { level: 'review', issues: [] } }],
  ['requires_human', { safety: { level: 'safe', issues: [], requires_human: true } }],
  ['unearned_confidence', { confidence: 0.9 }],
])('a message may ask for people itself: %s', (kind, message) => {
  given(setup)
    .when(asked('look', { message }))
    .then(review({ questions: [{ kind }] }))
    .when(decision('olga'))
    .then(allow())
})

test('the agent may want an answer sooner, and never later, than the confirmation sets', () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
  const on = given(asking('quick'))
  on.when(asked('erase', { replyBy: at(1_000) }))
    .then(review({ decideBy: at(1_000) }))
    .when(passing(1_001))
    .then(deny('review_expired'))
  on.when(asked('erase', { replyBy: at(2 * minute) })).then(review({ decideBy: at(minute) }))
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
