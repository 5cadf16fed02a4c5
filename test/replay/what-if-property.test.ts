// A preview shows what will be: what it says of a change comes true once the change is made, for
// what is asked again, for what is held and for what people are being asked.
import { expect, test } from 'vitest'
import type { State } from '#state/state'
import { change } from '#authoring/change'
import { whatIfToday, type TodayReport } from '#replay/what-if/today'
import type { Question } from '#schemas/review'
import { stages } from '#workers/stages'
import { keys } from '../support/runtime.ts'
import { count, isFull } from '../support/vitest/counts.ts'
import { say, scene, verdict, type Scene } from '../support/scene.ts'
import {
  agent,
  begun,
  capabilities,
  changeOf,
  module,
  pick,
  randomly,
  type Random,
} from './what-if-changes.ts'

const setup = {
  catalog: {
    capabilities: [...capabilities],
    learning: true,
    // How often is not what is tried out.
    limits: (['READ', 'WRITE'] as const).map((safetyClass) => {
      return { safetyClass, uses: 'unlimited' as const, windowMs: 60_000 }
    }),
    principals: [{ id: agent, roles: ['writer'], owner: 'olga' }],
  },
  graph: begun,
  module,
}
const justification = 'someone asked for it in writing'

const asks = (questions: readonly Question[]): string =>
  `ask ${questions
    .map(({ policy, kind, message = '' }) => `${policy ?? kind} ${message}`)
    .toSorted()
    .join(', ')}`

const reported = ({ outcome, questions }: TodayReport['flips'][number]['after']): string =>
  outcome === 'ask' ? asks(questions) : outcome

/** Where an intent stands; no one has answered anything. */
async function standsAt(on: Scene, address: string): Promise<string> {
  await on.watch.settled(on.log)
  const open = on.runtime.follower.state.intents.get(address)
  if (open === undefined) return (await verdict(on.log, address)).outcome
  if (open.review === null) return 'hold'
  return asks((await reviewOn(on, address))?.review.questions ?? [])
}

async function reviewOn(on: Scene, address: string) {
  return (await on.bot.reviews()).find(({ intent }) => intent === address)
}

async function answer(on: Scene, address: string, yes: boolean): Promise<void> {
  const review = await reviewOn(on, address)
  const answers = review?.review.questions.map(() => yes) ?? []
  if (answers.length === 0) return
  const note = justification
  await on.bot.decide({ intent: address, answers, note, confirmer: 'olga', privateKey: keys.olga })
}

/** What an intent has come to; people say no to whatever they are asked. */
async function cameTo(on: Scene, address: string): Promise<string> {
  const came = await standsAt(on, address)
  await answer(on, address, false)
  return came
}

async function askedAll(on: Scene): Promise<Map<string, string>> {
  const came = new Map<string, string>()
  for (const { id } of capabilities) {
    const intent = { tool: id, args: {}, justification }
    came.set(id, await cameTo(on, await say(on.log, { as: agent, intent })))
  }
  return came
}

async function previewed(on: Scene, after: Pick<State, 'graph' | 'catalog'>): Promise<TodayReport> {
  const { state } = on.runtime.follower
  const { callbacks } = on.runtime
  const time = new Date(on.time.now).toISOString()
  // What was held or asked about got verdicts in between.
  const last = 4 * capabilities.length
  return whatIfToday({ log: on.log, state, stages, callbacks, time, after, last })
}

const heldMax = 3
const reviewsMax = 2

/** A few that are held, and a few that people are being asked about. */
async function someWait(on: Scene, random: Random): Promise<readonly string[]> {
  const { state } = on.runtime.follower
  const held = [...state.intents.values()].filter(({ hold }) => hold !== null)
  if (held.length < heldMax) {
    const intent = { tool: pick(capabilities, random).id, onGap: 'learn', justification }
    await cameTo(on, await say(on.log, { as: agent, intent }))
  }
  for (let index = 0; index < reviewsMax; index += 1) {
    const args = { count: index }
    const intent = { tool: pick(capabilities, random).id, args, justification }
    await standsAt(on, await say(on.log, { as: agent, intent }))
  }
  return [...state.intents.values()].flatMap(({ address, review }) => {
    return review === null ? [] : [address]
  })
}

const turns =
  'agreed allow,agreed ask,agreed cannot_tell,agreed deny,allow ask,allow cannot_tell,allow deny,' +
  'ask allow,ask ask,ask deny,deny allow,held ask,held deny,held hold'
const changes = count(200, 40)
/** Then it begins again: what is lost of a graph by chance is seldom found again. */
const changesEach = 20

test(`of ${changes} changes, each comes to what its preview showed`, async () => {
  const random = randomly(19)
  const seen = new Set<string>()
  for (let story = 0; story < changes / changesEach; story += 1) {
    const on = await scene(setup)
    let came = await askedAll(on)
    for (let made = 0; made < changesEach; made += 1) {
      came = await changedOnce(on, { random, seen, came })
    }
    await on.runtime.stop()
  }
  expect(seen.size).toBeGreaterThan(5)
  // All of it was there to be reported wrongly.
  if (isFull) expect([...seen]).toEqual(expect.arrayContaining(turns.split(',')))
})

/** Previews a change, makes it, and asks again; gives what each capability comes to now. */
async function changedOnce(
  on: Scene,
  {
    random,
    seen,
    came,
  }: {
    readonly random: Random
    readonly seen: Set<string>
    readonly came: ReadonlyMap<string, string>
  },
): Promise<Map<string, string>> {
  const asked = await someWait(on, random)
  const { made, after } = changeOf(on.runtime.follower.state, random)
  const preview = await previewed(on, after)
  await change(on.runtime, made, { id: 'root', privateKey: keys.root })
  // What is stopped ends by itself, and not with the job of any fact.
  const isStopped = after.catalog.principals.get(agent)?.suspended === true
  const waiting = [...preview.held.map(({ address }) => address), ...asked]
  if (isStopped) for (const address of waiting) await verdict(on.log, address)
  const compared = (what: string, now: string | undefined, said: string | undefined): void => {
    const where = `${JSON.stringify(made.operations)} ${what}`
    if (said !== 'cannot_tell') expect([where, now]).toEqual([where, said])
  }
  for (const { address, after: then } of preview.held) {
    compared(address, await cameTo(on, address), reported(then))
    seen.add(`held ${then.outcome}`)
  }
  expect(preview.reviewsTried).toBe(asked.length)
  for (const address of asked) {
    await answer(on, address, true)
    const turned = preview.reviews.find((one) => one.address === address)
    const said = turned === undefined ? 'allow' : reported(turned.after)
    compared(address, await cameTo(on, address), said)
    seen.add(`agreed ${turned?.after.outcome ?? 'allow'}`)
  }
  const now = await askedAll(on)
  for (const { id } of capabilities) {
    // One that may wait waits, where one that may not is denied.
    const turned = [...preview.flips, ...preview.cannotTell]
    const flip = turned.find(({ tool, after: then, before }) => {
      return tool === id && then.outcome !== 'hold' && before.outcome !== 'hold'
    })
    compared(id, now.get(id), flip === undefined ? came.get(id) : reported(flip.after))
    if (flip !== undefined) seen.add(`${flip.before.outcome} ${flip.after.outcome}`)
  }
  return now
}
