// What the golden logs report: each kind of fact, each way in which an intent can end, and some
// that count for nothing. Scene after scene on one log, and what takes very many facts on another.
import type { Fact } from '#ports/log'
import { workScene, workSetup } from './scenes/action/work.ts'
import { nameOf } from '#record/names'
import { newPlay, quiet, type Play } from './play.ts'
import { moduleText, setup } from './scenes/cast.ts'
import { delegationsScene, delegationsSetup } from './scenes/action/delegations.ts'
import { attentionScene, attentionSetup } from './scenes/action/attention.ts'
import { askingForScene, askingForSetup } from './scenes/action/asking-for.ts'
import { notifications, notificationsSetup } from './scenes/action/notifications.ts'
import { evaluationsScene, evaluationsSetup } from './scenes/action/evaluations.ts'
import { executionsScene, executionsSetup } from './scenes/action/executions.ts'
import { grantsScene, grantsSetup } from './scenes/action/grants.ts'
import { budgetsScene, budgetsSetup } from './scenes/budgets.ts'
import { cell, cellSetup } from './scenes/cell.ts'
import { crowd } from './scenes/crowd.ts'
import { defaultRules, defaultsSetup } from './scenes/defaults.ts'
import { equal } from './scenes/equal.ts'
import { askingAgain, spoilt } from './scenes/people/asking-again.ts'
import { exact, exactSetup } from './scenes/refused/exact.ts'
import { identifiers } from './scenes/refused/identifiers.ts'
import { asideSetup, setAside } from './scenes/refused/set-aside.ts'
import { eras } from './scenes/eras.ts'
import { keeperScene } from './scenes/keeper.ts'
import { move } from './scenes/move.ts'
import { learning, model } from './scenes/learning.ts'
import { failingStages, outcomes } from './scenes/outcomes.ts'
import { requests } from './scenes/requests.ts'
import { peopleScene, peopleSetup } from './scenes/action/people.ts'
import { revocations, revocationsSetup } from './scenes/action/revocations.ts'
import { reviews } from './scenes/reviews.ts'
import { routingScene, routingSetup } from './scenes/action/routing.ts'
import { searchesScene, searchesSetup } from './scenes/action/searches.ts'
import { rules, rulesSetup } from './scenes/rules.ts'
import { stops } from './scenes/stops.ts'
import { acts, actsSetup } from './scenes/acts.ts'
import { asks, asksSetup } from './scenes/asks.ts'
import { barred, barredSetup } from './scenes/barred.ts'
import { persons, personsSetup } from './scenes/persons.ts'
import { pushes, pushesSetup } from './scenes/pushes.ts'
import { times, timesSetup } from './scenes/times.ts'
import { texts, textsSetup } from './scenes/texts.ts'
import { things, thingsSetup } from './scenes/things.ts'
import { values, valuesSetup } from './scenes/values.ts'

export interface Story {
  readonly facts: readonly Fact[]
  readonly modules: readonly string[]
}

export async function goldenStory(): Promise<Story> {
  let play = await newPlay({ ...setup, parts: { model }, stages: failingStages })

  // Bytes in which nothing can be believed, and a name of no kind.
  const junk = nameOf(play.runtime.follower.state.place, 'vlp', 'bot.-.junk')
  await play.log.append({ name: junk, bytes: Uint8Array.of(0xff, 0xfe, 0x00) })
  await play.log.append({ name: 'main.1.nothing.1', bytes: Buffer.from('{}') })
  await quiet(play)

  await requests(play)
  await reviews(play)
  play = await learning(play)
  await outcomes(play)
  await stops(play)
  await eras(play)
  return reportedBy(play)
}

/** An agent with more open requests than are served. */
export async function crowdedStory(): Promise<Story> {
  return reportedBy(await crowd(await newPlay(setup)))
}

/** An agent that asks again for what it has asked already. */
export async function equalStory(): Promise<Story> {
  const play = await newPlay(setup)
  await equal(play)
  return reportedBy(play)
}

/** An agent that brings later what a request of its own lacks. */
export async function askingAgainStory(): Promise<Story> {
  const play = await newPlay(setup)
  await askingAgain(play)
  return reportedBy(play)
}

/** Reviews where something stands in the place of an answer. */
export async function spoiltStory(): Promise<Story> {
  const play = await newPlay(setup)
  await spoilt(play)
  return reportedBy(play)
}

/** Values that are not wholly what they are read as. */
export async function exactStory(): Promise<Story> {
  const play = await newPlay(exactSetup)
  await exact(play)
  return reportedBy(play)
}

/** Identifiers of any time, over three eras. */
export async function identifiersStory(): Promise<Story> {
  const play = await newPlay(setup)
  await identifiers(play)
  return reportedBy(play)
}

/** Eras that are rotated without a person. */
export async function keeperStory(): Promise<Story> {
  const play = await newPlay(setup)
  await keeperScene(play)
  return reportedBy(play)
}

/** Intents that took too long to decide. */
export async function setAsideStory(): Promise<Story> {
  const play = await newPlay(asideSetup)
  return reportedBy(await setAside(play))
}

/** What one cell of a realm has in its log. */
export async function cellStory(): Promise<Story> {
  const play = await newPlay(cellSetup)
  await cell(play)
  return reportedBy(play)
}

/** What one cell has of agents that leave it, stay, and come from another. */
export async function moveStory(): Promise<Story> {
  const play = await newPlay(cellSetup)
  await move(play)
  return reportedBy(play)
}

/** Requests that rules of the catalog decide. */
export async function rulesStory(): Promise<Story> {
  const play = await newPlay(rulesSetup)
  await rules(play)
  return reportedBy(play)
}

/** Requests that the built-in rules decide as a catalog sets them. */
export async function defaultsStory(): Promise<Story> {
  const play = await newPlay(defaultsSetup)
  await defaultRules(play)
  return reportedBy(play)
}

/** Requests that people asked for, and what is known in lesser ways. */
export async function asksStory(): Promise<Story> {
  const play = await newPlay(asksSetup)
  await asks(play)
  return reportedBy(play)
}

/** Values that people bar, and what they name in other ways. */
export async function barredStory(): Promise<Story> {
  const play = await newPlay(barredSetup)
  await barred(play)
  return reportedBy(play)
}

/** Whose address is meant, and what is not to go out. */
export async function personsStory(): Promise<Story> {
  const play = await newPlay(personsSetup)
  await persons(play)
  return reportedBy(play)
}

/** When something is to be, and what texts of the owner's own say. */
export async function timesStory(): Promise<Story> {
  const play = await newPlay(timesSetup)
  await times(play)
  return reportedBy(play)
}

/** What calls made is published, and what is to be left as it is. */
export async function pushesStory(): Promise<Story> {
  const play = await newPlay(pushesSetup)
  await pushes(play)
  return reportedBy(play)
}

/** Acts of a session that are barred a second time. */
export async function actsStory(): Promise<Story> {
  const play = await newPlay(actsSetup)
  await acts(play)
  return reportedBy(play)
}

/** Things that are listed, and named by people or not. */
export async function textsStory(): Promise<Story> {
  const play = await newPlay(textsSetup)
  await texts(play)
  return reportedBy(play)
}

export async function thingsStory(): Promise<Story> {
  const play = await newPlay(thingsSetup)
  await things(play)
  return reportedBy(play)
}

/** Requests whose values must be known. */
export async function valuesStory(): Promise<Story> {
  const play = await newPlay(valuesSetup)
  await values(play)
  return reportedBy(play)
}

/** What people have answered beforehand. */
export async function grantsStory(): Promise<Story> {
  const play = await newPlay(grantsSetup)
  await grantsScene(play)
  return reportedBy(play)
}

/** What people’s attention is limited and tested by. */
export async function attentionStory(): Promise<Story> {
  const play = await newPlay(attentionSetup)
  await attentionScene(play)
  return reportedBy(play)
}

/** What agents claim is done, and what that earns them. */
export async function workStory(): Promise<Story> {
  const play = await newPlay(workSetup)
  await workScene(play)
  return reportedBy(play)
}

/** Requests that budgets count. */
export async function budgetsStory(): Promise<Story> {
  const play = await newPlay(budgetsSetup)
  await budgetsScene(play)
  return reportedBy(play)
}

/** What gateways carry out. */
export async function executionsStory(): Promise<Story> {
  const play = await newPlay(executionsSetup)
  await executionsScene(play)
  return reportedBy(play)
}

/** What people take back. */
export async function revocationsStory(): Promise<Story> {
  const play = await newPlay(revocationsSetup)
  await revocations(play)
  return reportedBy(play)
}

/** What people sign with passkeys. */
export async function peopleStory(): Promise<Story> {
  const play = await newPlay(peopleSetup)
  await peopleScene(play)
  return reportedBy(play)
}

/** What agents do for others. */
export async function delegationsStory(): Promise<Story> {
  const play = await newPlay(delegationsSetup)
  await delegationsScene(play)
  return reportedBy(play)
}

/** What is recorded of reaching people. */
export async function notificationsStory(): Promise<Story> {
  const play = await newPlay(notificationsSetup)
  await notifications(play)
  return reportedBy(play)
}

/** What one asks about another. */
export async function evaluationsStory(): Promise<Story> {
  const play = await newPlay(evaluationsSetup)
  await evaluationsScene(play)
  return reportedBy(play)
}

/** What one searches for. */
export async function searchesStory(): Promise<Story> {
  const play = await newPlay(searchesSetup)
  await searchesScene(play)
  return reportedBy(play)
}

/** What people are asked for another. */
export async function askingForStory(): Promise<Story> {
  const play = await newPlay(askingForSetup)
  await askingForScene(play)
  return reportedBy(play)
}

/** What agents were offered, and capabilities that are suspended. */
export async function routingStory(): Promise<Story> {
  const play = await newPlay(routingSetup)
  await routingScene(play)
  return reportedBy(play)
}

async function reportedBy({ log, runtime }: Play): Promise<Story> {
  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  await runtime.stop()
  return { facts, modules: [moduleText] }
}
