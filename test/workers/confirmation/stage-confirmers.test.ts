// Who may agree: the owner alone, or a group in which no one of the requester's side counts.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { changeCatalog, keys, newKey } from '../../support/runtime.ts'
import {
  answer,
  deletion,
  erase,
  expectReplay,
  forge,
  judged,
  names,
  place,
  recoveries,
  reviewed,
  reviewOf,
  say,
  scene,
  verdict,
  type Scene,
  type SceneSetup,
  another,
  anyArgs,
  codes,
  look,
  reason,
} from '../../support/scene.ts'
import { allow, deny, none, review } from '#testing/expected'
import { decision, passing } from '#testing/people'
import { intent as asked } from '#testing/steps'
import { given } from '../../support/given.ts'

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
    capabilities: [erase],
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

test('`confirm` asks the owner, and no one else counts', async () => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  for (const by of ['piet', 'quin', 'root'] as const) {
    await forge(on, address, { under: by, privateKey: keys[by] })
  }
  await expectOpen(on, address)
  await answer(on, address)
  const allowed = await verdict(on.log, address)
  expect(allowed).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
  await expectReplay(on)
})

test('an agent without an owner who can sign has no confirmer', async () => {
  const catalog = { ...setup.catalog, principals: [{ id: 'anna' }, { id: 'pet', owner: 'anna' }] }
  const on = await scene({
    ...asking(),
    catalog: { capabilities: [erase], principals: catalog.principals },
  })
  for (const as of ['pet', 'anna', 'honest']) {
    expect(recoveries(await judged(on, { as, intent }))).toEqual(['no_confirmer never'])
  }
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
})

test('`four_eyes` leaves out the requester, its owner, and whatever belongs to either', async () => {
  const on = await scene(asking('four'))
  const address = await reviewed(on, { intent })
  const review = await reviewOf(on.log, address)
  expect(review.tier).toBe('four_eyes')
  expect(review.confirmers).toEqual(['piet', 'quin', 'lone'])
  expect(review.excluded).toEqual(['olga', 'bot', 'sub'])
  await forge(on, address, { under: 'olga' })
  await expectOpen(on, address)
  await answer(on, address, { by: 'piet' })
  expect(await verdict(on.log, address)).toMatchObject({ outcome: 'allow', confirmedBy: ['piet'] })
  await expectReplay(on)
})

test('the whole chain of owners is left out', async () => {
  const on = await scene(asking('four'))
  const address = await reviewed(on, { as: 'sub', intent })
  expect((await reviewOf(on.log, address)).confirmers).toEqual(['piet', 'quin', 'lone'])
})

const session = 'S-2026-01-01-bot-abcdef'
const query = { type: 'query', content: 'please erase it' }

async function confirmersOf(on: Scene, refs: readonly string[], inSession = true) {
  const place = inSession ? { session } : {}
  const address = await reviewed(on, { ...place, intent, message: { refers_to: refs } })
  return (await reviewOf(on.log, address)).confirmers
}

const vlp = (address: string): string => nameOf(place, 'vlp', address)

test('anyone who asked the agent to act does not count, in whatever session', async () => {
  const on = await scene(asking('four'))
  const elsewhere = await say(on.log, { as: 'piet', message: query })
  expect(await confirmersOf(on, [vlp(elsewhere)])).toEqual(['quin', 'lone'])
  expect(await confirmersOf(on, [vlp(elsewhere)], false)).toEqual(['quin', 'lone'])
  // Of what is no question no one is the one who asked.
  const claim = await say(on.log, { as: 'quin', session, message: { type: 'claim' } })
  expect(await confirmersOf(on, [vlp(claim)])).toEqual(['piet', 'quin', 'lone'])
  // In the session everyone who asked counts, cited or not.
  await say(on.log, { as: 'quin', session, message: query })
  expect(await confirmersOf(on, ['x'])).toEqual(['piet', 'lone'])
  await expectReplay(on)
})

test('a question is known by its id in the session too, no matter who else uses that id', async () => {
  const on = await scene(asking('four'))
  await say(on.log, { as: 'piet', session, message: { ...query, id: 'QRY-1' } })
  expect(await confirmersOf(on, ['QRY-1'])).toEqual(['quin', 'lone'])
  await say(on.log, { as: 'bot', session, message: { ...query, id: 'QRY-1' } })
  expect(await confirmersOf(on, ['QRY-1'])).toEqual(['quin', 'lone'])
  await expectReplay(on)
})

test('anyone who asked the one who asked does not count either', async () => {
  const on = await scene(asking('four'))
  const first = await say(on.log, { as: 'piet', session, message: query })
  const refers = { ...query, refers_to: [vlp(first)] }
  const second = await say(on.log, { as: 'bot', session, message: refers })
  expect(await confirmersOf(on, [vlp(second)])).toEqual(['quin', 'lone'])
  // Two questions of one person may lead to different people.
  const other = await say(on.log, { as: 'quin', session, message: { ...refers, refers_to: ['x'] } })
  const third = await say(on.log, {
    as: 'quin',
    session,
    message: { ...query, refers_to: [vlp(first)] },
  })
  expect(await confirmersOf(on, [vlp(other), vlp(third)])).toEqual(['lone'])
})

test('an agent that asked stands for its owner', async () => {
  const on = await scene(asking('four'))
  const asked = await say(on.log, { as: 'helper', message: query })
  expect(await confirmersOf(on, [vlp(asked)])).toEqual(['quin', 'lone'])
})

test('a web of references is walked once, however tangled it is', async () => {
  const on = await scene(asking('four'))
  let last: string[] = []
  for (let n = 0; n < 200; n += 1) {
    const message = { ...query, refers_to: last.map(vlp) }
    last = [...last.slice(-1), await say(on.log, { session, message })]
  }
  expect(await confirmersOf(on, last.map(vlp))).toEqual(['piet', 'quin', 'lone'])
})

test('where too few are left no one is asked', async () => {
  const catalog = { ...setup.catalog, groups: [{ id: 'desk', members: ['olga', 'piet'] }] }
  const on = await scene({
    ...asking('pair'),
    catalog: { ...catalog, confirmations: [{ ...four, id: 'pair', quorum: 2 }] },
  })
  expect(recoveries(await judged(on, { intent }))).toEqual(['no_confirmer never'])
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
})

test('questions of both tiers have no one who may answer them together', async () => {
  const graph = deletion({ name: 'a', confirmation: 'quick' }, { name: 'b', confirmation: 'four' })
  const on = await scene({ ...setup, graph })
  expect(recoveries(await judged(on, { intent }))).toEqual(['no_confirmer never'])
})

test('several confirmations of one tier need people whom each allows, and the larger quorum', async () => {
  const groups = [...setup.catalog.groups, { id: 'other', members: ['quin', 'lone', 'olga'] }]
  const confirmations = [
    { ...four, quorum: 1 },
    { ...four, id: 'both', group: 'other', quorum: 2, decideWithinMs: 1_000 },
  ]
  const graph = deletion({ name: 'a', confirmation: 'four' }, { name: 'b', confirmation: 'both' })
  const on = await scene({ catalog: { ...setup.catalog, groups, confirmations }, graph })
  const review = await reviewOf(on.log, await reviewed(on, { intent }))
  expect(review).toMatchObject({ confirmers: ['quin', 'lone'], quorum: 2 })
  expect(Date.parse(review.decideBy)).toBe(on.time.now + 1_000)
})

test('a principal without a key, or suspended, is not counted on', async () => {
  const on = await scene(asking('four'))
  await changeCatalog(
    on.runtime,
    { op: 'suspend', id: 'quin' },
    { op: 'put', collection: 'principals', entry: { ...keyless, id: 'piet' } },
  )
  const address = await reviewed(on, { intent })
  expect((await reviewOf(on.log, address)).confirmers).toEqual(['lone'])
})

const keyless = { roles: [], attributes: {}, keys: [], suspended: false }

// Who may agree, how many must, to what, and by when.

const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const erasing = {
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
const askingToErase = (confirmation?: string): SceneSetup => ({
  ...erasing,
  graph: deletion({ name: 'ask', ...(confirmation !== undefined && { confirmation }) }),
})

test('a review carries all that a person needs, and the digest of what is shown', async () => {
  const on = await scene(askingToErase('quick'))
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
  const open = given(askingToErase('pair'), asked('erase')).when(decision('piet')).then(none())
  expect(() => open.when(decision('piet'))).toThrow('is bound already')
  open.when(decision('quin')).then(allow({ release: { confirmedBy: ['piet', 'quin'] } }))
})

test('one no is enough, no matter who else agreed', () => {
  given(askingToErase('pair'), asked('erase'), decision('piet'))
    .when(decision('quin', { answers: false }))
    .then(deny({ code: 'declined', recover: 'never' }))
})

test('each question has its answer, and one no among them declines', () => {
  const graph = deletion({ name: 'first' }, { name: 'second', confirmationMessage: 'really?' })
  const { review: shown, ...opened } = given({ ...erasing, graph }).when(asked('erase'))
  expect(shown?.questions.map(({ message }) => message)).toEqual([undefined, 'really?'])
  const open = opened.then(review())
  open.when(decision('olga', { answers: [true, false] })).then(deny('declined'))
  open.when(decision('olga', { answers: [true, true] })).then(allow())
})

test('an answer to fewer or more questions than were asked is invalid', async () => {
  for (const answers of [[], [true, true], [false, false]]) {
    const on = await scene(askingToErase('quick'))
    const address = await reviewed(on, { intent })
    await forge(on, address, { content: { answers } })
    await expectOpen(on, address)
    on.time.pass(minute + 1)
    expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
  }
})

const reasonAsked = given(erasing)
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
  given(erasing)
    .when(asked('look', { message }))
    .then(review({ questions: [{ kind }] }))
    .when(decision('olga'))
    .then(allow())
})

test('the agent may want an answer sooner, and never later, than the confirmation sets', () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
  const on = given(askingToErase('quick'))
  on.when(asked('erase', { replyBy: at(1_000) }))
    .then(review({ decideBy: at(1_000) }))
    .when(passing(1_001))
    .then(deny('review_expired'))
  on.when(asked('erase', { replyBy: at(2 * minute) })).then(review({ decideBy: at(minute) }))
})

test('reviews of several agents wait beside one another, each for its own answer', async () => {
  const on = await scene(askingToErase())
  const [one, other] = [await reviewed(on, { intent }), await reviewed(on, { intent })]
  await answer(on, other)
  expect((await verdict(on.log, other)).outcome).toBe('allow')
  await expectOpen(on, one)
  expect((await on.bot.reviews()).map((review) => review.intent)).toEqual([one])
  await another(on)
  await answer(on, one, { answers: false })
  expect(codes(await verdict(on.log, one))).toEqual(['declined'])
})
