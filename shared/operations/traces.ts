// Everything that the log has on one intent or contract, in order: its story, and the facts behind
// it. An allow that no stage would have bound counts for nothing in it.
import { assert } from '#record/fault'
import { agentIn, type Place } from '#record/names'
import { principalNamed } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { toned, type OnScreen, type Tone } from '#present/lines'
import type { Reported } from '#present/story/reported'
import { listenerFor, ofItsParty, storyOf, type Story } from '#present/story/story'
import { waitsAnswer, type Waits } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { duration, utc } from '#present/wording'
import type { LogReader } from '#ports/log'
import { weighingFold, type Deciders } from '#replay/verdicts/forged'
import { traceAsked, type TraceShown, type TraceStep } from '#schemas/operations/traces'
import { answersOf } from './answering.ts'
import { contractOpened, isPartyTo } from './contracts.ts'
import { readContentOf } from './finding/fact-shown.ts'
import { intentsMeant, onlyIntent } from './finding/intent-named.ts'
import { isOwn, wasAsked } from './finding/theirs.ts'
import {
  answeredNow,
  firstLogOf,
  fitting,
  instant,
  ofLog,
  type Asker,
  type Realm,
  type RealmLog,
} from './realm.ts'

export const traceAnswered = answersOf(traceAsked, {
  async answer({ realm, by }, { intent: meant, content = false, from = 1 }) {
    const { at, address } = await meantIn(realm, meant, by)
    const deciders = { stages: await realm.stages(), callbacks: at.callbacks ?? null }
    const of = { log: at.log, place: at.state.place, now: realm.now, deciders }
    const { story, facts, waits } = await tracedIn(of, address, by.readsAll ? null : by.principal)
    const steps = stepsOf(story, content ? facts : []).filter(({ position }) => position >= from)
    const shown = fitting(steps, realm.pageBytesMax)
    return {
      ...answeredNow(realm),
      intent: address,
      outcome: story.outcome,
      summary: story.summary,
      waits: waits === null ? null : waitsAnswer(waits),
      steps: shown,
      count: story.steps.length,
      next: steps[shown.length]?.position ?? null,
      ...ofLog(at),
    }
  },
  shown: storyOnScreen,
})

/** By its address, its end or a fact; where two logs have it, that of its agent's own cell. */
async function meantIn(realm: Realm, meant: string, by: Asker) {
  const each = realm.logs.map(async (at) => {
    const addresses = await intentsMeant(at.log, at.state.place, meant)
    const isSeen = addresses.map((address) => isPartyIn(at, address, { by, now: realm.now }))
    const seen = await Promise.all(isSeen)
    return addresses.filter((_, index) => seen[index]).map((address) => ({ at, address }))
  })
  const found = (await Promise.all(each)).flat()
  const address = onlyIntent(meant, [...new Set(found.map((one) => one.address))])
  const { catalog } = firstLogOf(realm).state
  const agent = principalNamed(catalog, agentIn(address))
  const cell = agent === undefined ? null : cellOf(catalog, agent.id)
  const one = found.find(({ at }) => at.cell === cell) ?? found[0]
  assert(one !== undefined, 'what is meant was found')
  return one
}

/** What is not the business of who asks is not there, and no end of an address suggests it. */
async function isPartyIn(
  at: RealmLog,
  address: string,
  { by, now }: { readonly by: Asker; readonly now: number },
): Promise<boolean> {
  const { principal: id, readsAll } = by
  if (readsAll || id === null) return readsAll
  if (isOwn(at.state, id, address) || (await wasAsked(at, address, { id, now }))) return true
  const contract = await contractOpened(at, address)
  return contract !== null && isPartyTo(contract, by)
}

interface Tracing {
  readonly log: LogReader
  readonly place: Place
  /** Milliseconds since 1970. */
  readonly now: number
  /** By what its verdict is derived again; null where that is done elsewhere. */
  readonly deciders: Deciders | null
}

interface Traced {
  readonly story: Story
  /** One for each step, learning and faults included. */
  readonly facts: readonly Reported[]
  /** Null where it is not open. */
  readonly waits: Waits | null
}

/** Folds the log once, from where it begins. `seenBy`: null for who reads all of it. */
export async function tracedIn(
  { log, place, now, deciders }: Tracing,
  address: string,
  seenBy: string | null = null,
): Promise<Traced> {
  const fold = await weighingFold(log, place, deciders)
  const { state } = fold
  const listener = listenerFor(address)
  for await (const fact of log.read({ from: state.position + 1 })) {
    const isOfIt = fact.name.endsWith(`.verdict.${address}`)
    const forged = isOfIt ? await fold.forged(fact) : null
    const folded = fold.fold(fact)
    listener.receive(state, fact, { ...folded, void: folded.void ?? forged })
  }
  const open = state.intents.get(address)
  const waits = open === undefined ? null : waitsOf(state, open, now)
  const { reported } = listener
  const facts = seenBy === null ? reported : ofItsParty(reported, address, seenBy)
  return { story: storyOf(address, facts, waits), facts, waits }
}

/** With what those of these facts say that there are. */
export function stepsOf({ steps }: Story, facts: readonly Reported[]): TraceStep[] {
  return steps.map((step, index) => {
    const { [index]: fact } = facts
    return {
      ...step,
      appendedAt: instant(step.appendedAt),
      details: [...step.details],
      ...(fact !== undefined && { fact: readContentOf(fact.bytes) }),
    }
  })
}

// On the screen: the summary, then each step with the time since the first one.

const timeWidth = 10

const outcomeTones: Readonly<Record<TraceShown['outcome'], Tone>> = {
  allow: 'good',
  deny: 'bad',
  open: 'warn',
  none: 'plain',
}

export function storyOnScreen({
  intent,
  outcome,
  summary,
  steps,
  next,
}: Omit<TraceShown, 'waits' | 'count'>): readonly OnScreen[] {
  const began = Date.parse(steps[0]?.appendedAt ?? '')
  return [
    toned(outcomeTones[outcome], summary),
    toned('dim', intent),
    ...(steps.length === 0 ? [] : [toned('dim', `began ${utc(began)}`)]),
    ...steps.flatMap((step) => ['', ...stepOnScreen(step, began)]),
    ...(next === null ? [] : ['', `There are more: from ${next}.`]),
  ]
}

function stepOnScreen(step: TraceStep, began: number): readonly OnScreen[] {
  const { appendedAt, title, details, tone, position, void: why } = step
  const time = `+${duration(Math.max(0, Date.parse(appendedAt) - began))}`.padEnd(timeWidth)
  const indent = ' '.repeat(timeWidth + 2)
  const tones = { plain: 'strong', good: 'good', bad: 'bad', void: 'dim' } as const
  return [
    toned(tones[tone], `${time}  ${title}${why === null ? '' : '  (void)'}`),
    ...(why === null ? [] : [toned('dim', `${indent}counts for nothing: ${why}`)]),
    ...details.map((detail) => (why === null ? indent + detail : toned('dim', indent + detail))),
    toned('dim', `${indent}fact ${position}`),
  ]
}
