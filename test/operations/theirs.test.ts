// Who may not read all of the log is answered as if what others do had never been: the same story
// is played with and without it, and every question at every door has the same answer, be it rows,
// a count, a suggestion, a refusal or what a page is sent.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerRefusal } from '#rules/catalog/doors/log-readers'
import { askRealm } from '#operations/answers'
import { realmOf } from '#client/asked'
import { argumentOf } from '#schemas/operations/fields'
import type { OperationName } from '#schemas/operations/table'
import { allOperations, ofEach } from '#schemas/operations/table'
import { testPublicKey } from '#testing/setup'
import { bind, deletion, erase, look, say, scene, type Scene } from '../support/scene.ts'
import { count, seedMeant } from '../support/vitest/counts.ts'
import { consoleAt } from './console-door.ts'
import { codeIn, type Asked } from './door.ts'

const desks = { erase: ['piet', 'quin'], purge: ['ann', 'bob'] } as const
const owners = { bot: 'olga', rbot: 'rita' } as const

const person = (id: string) => ({ id, keys: [testPublicKey(id)] })
const four = { tier: 'four_eyes' as const, quorum: 1, sessionless: true }

const setup = {
  graph: deletion({ name: 'asked' }),
  catalog: {
    principals: [
      ...['ann', 'bob', 'rita'].map(person),
      { id: 'rbot', roles: ['writer'], owner: 'rita' },
    ],
    capabilities: [
      look,
      { ...erase, confirmation: 'erase' },
      { ...erase, id: 'purge', confirmation: 'purge' },
      { ...look, id: 'unknown', concepts: ['nowhere'] },
    ],
    groups: [
      { id: 'erase', members: [...desks.erase] },
      { id: 'purge', members: [...desks.purge] },
    ],
    confirmations: [
      { ...four, id: 'erase', group: 'erase' },
      { ...four, id: 'purge', group: 'purge' },
    ],
  },
}

const steps = fc.array(
  fc.record({
    agent: fc.constantFrom('bot' as const, 'rbot' as const),
    tool: fc.constantFrom('look' as const, 'erase' as const, 'purge' as const, 'unknown' as const),
    answer: fc.constantFrom('none' as const, 'yes' as const, 'no' as const),
    /** Someone whom no one asked binds an answer under their own name, and a note. */
    stray: fc.boolean(),
  }),
  { minLength: 3, maxLength: 9 },
)

type Step = (typeof steps extends fc.Arbitrary<infer S> ? S : never)[number]

const viewers = ['piet', 'quin', 'ann', 'bob', 'olga', 'rita', 'bot', 'rbot', 'honest'] as const

function isTheirs({ agent, tool }: Step, id: string): boolean {
  const asked: readonly string[] = tool === 'erase' || tool === 'purge' ? desks[tool] : []
  return agent === id || owners[agent] === id || asked.includes(id)
}

/** The same moments pass whether something happens in them or not. */
async function played(all: readonly Step[], of: (step: Step) => boolean): Promise<Scene> {
  const on = await scene(setup)
  for (const [index, step] of all.entries()) {
    on.time.pass(60_000)
    if (of(step)) await done(on, step, index)
  }
  const { position } = await on.log.head()
  await on.runtime.follower.reached(position)
  return on
}

const addressAt = ({ agent }: Step, index: number) => `${agent}.-.U00${index}`

async function done(on: Scene, step: Step, index: number): Promise<void> {
  const { agent: as, tool, answer, stray } = step
  const intent = { tool, args: { about: `the ${index}th of ${as}` } }
  const address = await say(on.log, { as, ulid: `U00${index}`, intent })
  await on.watch.settled(on.log)
  const [first] = tool === 'erase' || tool === 'purge' ? desks[tool] : []
  if (first === undefined) return
  const review = await on.bound(`main.1.review.${address}.1`)
  if (stray) {
    const [other = ''] = tool === 'erase' ? desks.purge : desks.erase
    const { digest, intent: asked } = Object(review.data)
    const data = { answers: [true], confirmer: other, digest, intent: asked, review: review.name }
    await bind(on.log, 'decision', `main.1.decision.${address}.1.${other}`, data)
  }
  if (answer !== 'none') await on.decide(address, first, { answers: answer === 'yes' })
  await on.watch.settled(on.log)
}

/** Where a fact stands depends on what others do, and so does what is made of its bytes. */
const ofPosition = /^(position|asOf|basis|next|signature|digest)$/

function apart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(apart)
  if (typeof value === 'string') return value.replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256')
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([key]) => !ofPosition.test(key))
  return Object.fromEntries(members.map(([key, member]) => [key, apart(member)]))
}

function questionsOf(all: readonly Step[]): Readonly<Record<OperationName, readonly Asked[]>> {
  const intents = [
    ...all.flatMap((step, index) => [
      { intent: addressAt(step, index) },
      { intent: addressAt(step, index), content: true },
      { intent: `main.1.verdict.${addressAt(step, index)}` },
      { intent: `U00${index}` },
    ]),
    { intent: 'U000' },
    { intent: 'nothing' },
  ]
  const reviews = all.map((step, index) => ({ intent: addressAt(step, index) }))
  const people = [{}, { person: ['ann'] }, { person: ['piet'] }, { person: ['unknown'] }]
  const one = viewers.map((agent) => ({ agent }))
  // Of all others: what stands in their path, else nothing.
  const others = ofEach((of) => {
    const argument = argumentOf(of)
    return argument === null ? [{}] : [{ [argument.name]: 'unknown' }]
  })
  return {
    ...others,
    trace: intents,
    contracts: [{}, { state: 'ended' }],
    contract: reviews.map(({ intent: contract }) => ({ contract })),
    agents: [{}, { search: 'b', limit: 1 }, { stopped: true }],
    agent: one,
    standing: one,
    grants: [{}, { all: true }],
    reviews: [...people, { limit: 1 }],
    review: reviews,
    pastReviews: [...people, { limit: 1 }],
    attention: [{}, { tool: ['purge'] }, { agent: ['rbot'] }, { agent: ['unknown'] }],
  }
}

async function asked(on: Scene, id: string, all: readonly Step[]): Promise<readonly unknown[]> {
  const { log, follower, clock } = on.runtime
  const { state } = follower
  const by = { principal: id, readsAll: readerRefusal(state.catalog, id) === null }
  expect(by.readsAll).toBe(false)
  const realm = realmOf([{ log, state }], clock.now())
  const isPerson = state.catalog.principals.get(id)?.owner === undefined
  const door = isPerson ? await consoleAt(on.runtime, id) : null
  const answers: unknown[] = []
  for (const name of allOperations) {
    for (const given of questionsOf(all)[name]) {
      const direct = await askRealm(name, { realm, by }, given).then(
        ({ answer }) => apart(answer),
        (error: unknown) => ({ refused: String(error), code: Object(error).code }),
      )
      const at = door === null ? null : apart(await door(name, given))
      answers.push([name, given, direct, at])
    }
  }
  return answers
}

test('what others do changes no answer for who may not read all of the log', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(...viewers), async (all, id) => {
      const whole = await asked(await played(all, () => true), id, all)
      const alone = await asked(await played(all, (step) => isTheirs(step, id)), id, all)
      expect(whole).toEqual(alone)
      for (const [name, , answer] of whole.map((one) => Object(one))) {
        if (Number(Object(answer).count) > 0 || Object(answer).story !== undefined) seen.add(name)
      }
    }),
    { numRuns: count(40, 2), ...(seedMeant !== undefined && { seed: seedMeant }) },
  )
  expect([...seen]).toEqual(expect.arrayContaining(['trace', 'reviews', 'agents']))
})

test('what is one’s own is there: an owner, an agent and who was asked trace the same story', async () => {
  const all: readonly Step[] = [
    { agent: 'bot', tool: 'erase', answer: 'yes', stray: true },
    { agent: 'rbot', tool: 'purge', answer: 'no', stray: false },
  ]
  const on = await played(all, () => true)
  const { log, follower, clock } = on.runtime
  const realm = realmOf([{ log, state: follower.state }], clock.now())
  const traced = (principal: string, intent: string) =>
    askRealm('trace', { realm, by: { principal, readsAll: false } }, { intent }).then(
      ({ answer }) => answer.outcome,
      (error: unknown) => codeIn(String(Object(error).code)),
    )
  const both = async (id: string) => [await traced(id, 'bot.-.U000'), await traced(id, 'U001')]
  for (const id of ['bot', 'olga', 'piet', 'quin']) {
    expect([id, await both(id)]).toEqual([id, ['allow', 'no_intent']])
  }
  for (const id of ['rbot', 'rita', 'ann', 'bob']) {
    expect([id, await both(id)]).toEqual([id, ['no_intent', 'deny']])
  }
  expect(await both('honest')).toEqual(['no_intent', 'no_intent'])
})
